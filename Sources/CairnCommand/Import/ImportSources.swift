import Cairn
import Files
import Glibc
import Importers

/// What an import reads, from the words of its command line.
struct ImportSources {
  private(set) var found: [HistoryPlaces.Found] = []
  /// Saved pages that were seen on the way; another import takes them.
  private(set) var pages: [String] = []

  /// `auto [DIR…]`, `FORMAT PATH…`, or files and folders alone.
  ///
  /// With `archives`, what is looked through may hold archives of histories.
  init(_ words: [String], _ options: ImportOptions, archives: Bool = true) throws(Failure) {
    guard let first = words.first else { return }
    let rest = Array(words.dropFirst())
    if first == "auto" {
      try findAll(rest, archives, options)
    } else if let format = HistoryFormats.named(first) {
      guard !rest.isEmpty else {
        throw Failure(
          .usage,
          "name what to read: cairn import \(format.name) PATH, or have it found: cairn import auto"
        )
      }
      found = rest.map { HistoryPlaces.Found(path: $0, format: format) }
    } else {
      try recognise(words, options)
    }
  }

  /// What the first word of the command may be that is no file.
  static let firstWords =
    ["auto", "web"] + EventFile.allCases.map(\.rawValue) + HistoryFormats.all.map { $0.name }
    + [takeout]

  /// What Google's archives and the files in them are called together.
  private static let takeout = "takeout"

  /// Files of Google's archives are known by their content, whatever format they are in.
  static func withoutTakeout(_ words: [String]) -> [String] {
    // SAFETY: the call only looks whether the name exists.
    guard words.first == takeout, words.count > 1, unsafe access(takeout, F_OK) != 0 else {
      return words
    }
    return Array(words.dropFirst())
  }

  /// Refuses a first word that can only be meant as a format and is none.
  static func refuseUnknownFormat(_ words: [String]) throws(Failure) {
    guard let word = words.first, word != "-",
      words.count > 1 || products[word.lowercased()] != nil,
      !word.contains(where: { "./".contains($0) }), unsafe access(word, F_OK) != 0
    else { return }
    let near = products[word.lowercased()] ?? Spelling.nearest(to: word, among: firstWords)
    let offer = near.map { "; did you mean \($0)?" } ?? ";"
    throw Failure(
      .usage, "no format is named '\(DisplayText.fit(word, 60))'\(offer) see: cairn import --list")
  }

  /// The formats of programs that are named otherwise.
  private static let products = [
    "chrome": "chromium", "brave": "chromium", "edge": "chromium", "vivaldi": "chromium",
    "opera": "chromium", "librewolf": "firefox", "waterfox": "firefox", "bookmarks": "netscape",
    "html": "netscape", "json": "ndjson", "jsonl": "ndjson", "nginx": "access-log",
    "apache": "access-log", "code": "vscode", "calendar": "ics",
  ]

  /// Where variables have programs keep what they keep in a home elsewise.
  private static var moved: [(from: String, to: String)] {
    let folders = [
      (".local/share", "XDG_DATA_HOME"), (".config", "XDG_CONFIG_HOME"),
      (".local/state", "XDG_STATE_HOME"), (".cache", "XDG_CACHE_HOME"),
      (".local/share/zoxide", "_ZO_DATA_DIR"), (".config/zsh", "ZDOTDIR"),
    ]
    return folders.compactMap { from, name in
      Variables.get(name).flatMap { $0.hasPrefix("/") ? (from, $0) : nil }
    }
  }

  private mutating func findAll(_ folders: [String], _ archives: Bool, _ options: ImportOptions)
    throws(Failure)
  {
    guard !folders.isEmpty else {
      // A service may have no home; one that was named is meant to be there.
      let home = options.home.isEmpty ? "/" : options.home
      let isOwn = home == LocalMachine.home
      if !isOwn { try Self.requireFolder(home) }
      // What this shell and this machine write is the history of no other home, which may be that
      // of another machine.
      found = HistoryPlaces.find(
        home: options.home, root: isOwn ? "/" : nil,
        shellHistory: isOwn ? Variables.get("HISTFILE") : nil, moved: isOwn ? Self.moved : [])
      return
    }
    for folder in folders {
      try Self.requireFolder(folder)
      // It may be the disk of another machine, or a part of one.
      let disk = OtherDisk(of: folder)
      add(HistoryPlaces.find(home: folder, root: folder), in: folder, of: disk, options)
      let known = Set(found.map(\.path))
      let content = HistoryPlaces.look(in: folder, archives: archives, options: options)
      add(content.found.filter { !known.contains($0.path) }, in: folder, of: disk, options)
      pages += content.pages
      for home in disk?.homes(in: folder) ?? [] {
        add(HistoryPlaces.find(home: home, root: nil), in: home, of: disk, options)
      }
    }
  }

  /// Adds what was found in a folder, of the machine that its disk names where nobody named one.
  private mutating func add(
    _ found: [HistoryPlaces.Found], in folder: String, of disk: OtherDisk?,
    _ options: ImportOptions
  ) {
    self.found += found.map { source in
      var source = source
      if !options.isHostNamed { source.host = disk?.host }
      if !options.isHomeNamed { source.home = disk?.name(of: folder) }
      return source
    }
  }

  private static func requireFolder(_ path: String) throws(Failure) {
    if WholeInput.isDirectory(path) {
      // Else a folder of somebody else would pass for one without histories.
      guard unsafe access(path, R_OK | X_OK) != 0 else { return }
    } else {
      errno = unsafe access(path, F_OK) == 0 ? ENOTDIR : ENOENT
    }
    throw Failure.file(path, "cannot be looked through")
  }

  private mutating func recognise(_ paths: [String], _ options: ImportOptions) throws(Failure) {
    for path in paths {
      guard !ImportWeb.isURL(path) else {
        throw Failure(
          .noInput,
          "is a page of the web; take it in with: cairn import web \(DisplayText.word(path: path))",
          place: path)
      }
      guard !WholeInput.isPipe(path) else {
        throw Failure(
          .usage,
          "what comes through a pipe needs its format: cairn import FORMAT "
            + DisplayText.word(path: path))
      }
      do throws(CairnError) {
        let file = try InputFile(path, options: options)
        guard file.isFolder || !file.head.isEmpty else { throw CairnError(.malformed, "is empty") }
        let isArchive = ArchivedHistories.recognises(file)
        // A folder may be more than what came out of an archive.
        let known = isArchive && !file.isFolder ? nil : HistoryFormats.format(of: file)
        guard let format = known ?? (isArchive ? ArchivedHistories.self : nil) else {
          try file.requireReadable()
          throw CairnError(.malformed, "is in no format that cairn knows; \(Self.advice(on: file))")
        }
        found.append(HistoryPlaces.Found(path: path, format: format))
      } catch { throw Failure(error, place: path) }
    }
  }

  /// What to type for what is no history.
  private static func advice(on file: InputFile) -> String {
    let path = DisplayText.word(path: file.path)
    if file.isFolder { return "look through it with: cairn import auto \(path)" }
    if file.isUTF16 { return "it is UTF-16: iconv -f UTF-16 -t UTF-8 \(path)" }
    if HistoryPlaces.isPage(file.path) {
      return "a page of the web is taken in with: cairn import web \(path)"
    }
    return eventAdvice(file.headText, file.path) ?? "see: cairn import --list"
  }

  /// What a file lacks to hold events, where it looks as if it was to.
  private static func eventAdvice(_ text: String, _ file: String) -> String? {
    let path = DisplayText.word(path: file)
    if [".csv", ".tsv"].contains(where: { file.lowercased().hasSuffix($0) }) {
      return
        "a table is taken in with: cairn import csv \(path) --column item=COLUMN --value kind=view"
    }
    // Lines of a log begin with a bracket as well, before a time.
    let start = String(text.lazy.filter { !$0.isWhitespace }.prefix(2))
    if start == "[{", text.contains("\"kind\"") {
      return "one event a line is read: jq -c '.[]' \(path) | cairn import -"
    }
    guard start.hasPrefix("{") else { return nil }
    return "an event is one line with a `kind` and an `item`: cairn help append"
  }

  /// Says which pages were seen, and how to take them in.
  func tellOfPages() {
    guard let first = pages.first else { return }
    let others = pages.count > 1 ? " and \(Readable.count(pages.count - 1, "other"))" : ""
    let folder = first.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    Diagnostics.line(
      "cairn: \(DisplayText.harmless(first))\(others): saved pages are no history; take them in with: "
        + "cairn import web \(DisplayText.word(path: folder.joined(separator: "/")))")
  }

  /// Where copies of databases are made: beside other caches, on the disk of the home if it can be.
  static func scratch(_ cache: String?) -> String {
    if let cache, unsafe access(cache, W_OK) == 0 { return cache + "/cairn" }
    return (Variables.get("TMPDIR") ?? "/tmp") + "/cairn-\(getuid())"
  }
}

extension Failure {
  /// What an importer could not do with a file.
  init(_ error: CairnError, place: String?) {
    var error = error
    error.place = error.place ?? place
    self.init(error)
  }

  /// Why the events of an import did not all come.
  init(_ error: MergeError<Failure>) {
    switch error {
    case .body(let failure): self = failure
    case .scratch(let problem): self.init(problem, place: nil)
    }
  }
}
