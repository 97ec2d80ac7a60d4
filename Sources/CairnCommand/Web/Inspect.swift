import ArgumentParser
import Crawling
import WebMarkup

struct Inspect: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a page's markup says, what it lacks, and the item it becomes.",
    discussion: """
      Reads saved pages (HTML, MHTML, WARC, HAR, or a folder of them; - is HTML on standard input) \
      and URLs, which are fetched as robots.txt allows. Needs no store and never writes.
      """)

  @Argument(help: "Pages, folders of pages, and URLs.", completion: .file()) var sources: [String]
  @Option(help: ArgumentHelp("Where the pages come from.", valueName: "url")) var base: String?
  @Option(
    help: ArgumentHelp("The host's apple-app-site-association file.", valueName: "file"),
    completion: .file()) var aasa: String?
  @OptionGroup(title: "Fetching") var fetching: FetchOptions
  @Flag(help: .json) var json = false

  func validate() throws {
    if let base, WebURL(base)?.isHTTP != true {
      throw ValidationError("--base takes an http or https URL.")
    }
  }

  func run() throws(Failure) {
    let files = PageFiles(
      base: base, association: try aasa.map { path throws(Failure) in try Self.association(path) },
      agent: fetching.agent)
    let fetcher = PageFetcher(fetching, limit: PageFiles.byteCountMax)
    var output = Output()
    var worst: Int?
    func note(_ status: Failure.Status) {
      guard let rank = Self.statuses.firstIndex(of: status) else { return }
      worst = min(worst ?? rank, rank)
    }
    for source in sources {
      do throws(Failure) {
        if let url = try ImportWeb.url(source) {
          try write(try Self.fetch(url, fetcher), to: &output)
          continue
        }
        for file in try PageFiles.files(of: source) where file.isPage {
          let path = file.path
          var (pages, others) = (0, 0)
          let damage = try files.forEachCapture(of: path, inside: file.inside) {
            (capture) throws(Failure) in
            switch capture {
            case .page(let page):
              pages += 1
              try write(page, to: &output)
            case .refused(let url, let reason):
              note(.data)
              Diagnostics.line("\(path): \(url ?? "a page") \(reason)")
            case .revisit, .other: others += 1
            }
          }
          if pages == 0, others > 0, damage == nil { Diagnostics.line("\(path): holds no page") }
          guard let damage else { continue }
          note(.data)
          Diagnostics.line("\(path): \(damage)")
        }
      } catch {
        // What cannot be had keeps nobody from the other sources.
        guard Self.statuses.contains(error.status) else { throw error }
        note(error.status)
        if let line = error.line { Diagnostics.line(line) }
      }
    }
    try output.flush()
    if let worst { throw Failure(Self.statuses[worst], nil) }
  }

  /// What a source may end with; the first of those that came up is the command's own.
  private static let statuses: [Failure.Status] = [.data, .noInput, .no, .later]

  private static func fetch(_ url: WebURL, _ fetcher: PageFetcher) throws(Failure) -> PageSource {
    switch fetcher.fetch(url, nil) {
    case .disallowed(let reason, _): throw Failure(.no, reason, place: url.description)
    case .failed(let fault):
      let isRefused = fault.kind == .tooLarge || fault.kind == .privateAddress
      throw Failure(isRefused ? .data : .later, fault.message, place: url.description)
    case .answer(let answer, let place, _):
      guard answer.status < 500, answer.status != 429 else {
        throw Failure(.later, "the server answers \(answer.status)", place: url.description)
      }
      var page = fetcher.page(answer, place)
      page.name = url.description
      return page
    }
  }

  static func association(_ path: String) throws(Failure) -> AppSiteAssociation {
    let bytes = try WholeInput.read(path)
    do { return try AppSiteAssociation(bytes) } catch {
      throw Failure(.data, error.message, place: path == "-" ? "standard input" : path)
    }
  }

  private func write(_ source: PageSource, to output: inout Output) throws(Failure) {
    let page = WebPage(source)
    if let status = page.status, status != 200 {
      Diagnostics.line("\(source.name): the server answers \(status), which becomes no item")
    } else if !page.isPage {
      Diagnostics.line("\(source.name): its type is that of no page")
    }
    if json { return try output.line(page.json) }
    let robots = [
      ("noindex", page.robots.index), ("nosnippet", page.robots.snippet),
      ("nofollow", page.robots.follow),
    ].filter { !$0.1 }.map(\.0)
    let rows: [(String, String?)] = [
      ("page", page.url.map { "\($0)" } ?? page.source), ("title", page.title),
      ("description", page.description), ("image", page.image), ("canonical", page.canonical),
      ("language", page.language), ("encoding", page.encoding),
      ("robots", robots.isEmpty ? nil : robots.joined(separator: ", ")),
      ("item", page.item?.id), ("domain", page.item?.domain),
      ("missing", page.missing.isEmpty ? nil : page.missing.joined(separator: ", ")),
    ]
    for case (let name, let value?) in rows { try write(name + ": ", value, to: &output) }
    for link in page.deepLinks {
      try write(
        "deep link: \(link.kind) ", link.url ?? "", " (\(link.line):\(link.column))", to: &output)
    }
    for thing in page.things {
      let types = thing.types.isEmpty ? "no type" : thing.types.joined(separator: ", ")
      try write("thing: ", types, " (\(thing.syntax))", to: &output)
    }
    for fault in page.malformed {
      try write(
        "malformed: \(fault.line):\(fault.column): \(fault.kind.rawValue): ", fault.message,
        to: &output)
    }
    for line in page.richResult { try write("result: ", line, to: &output) }
    try output.line("")
  }

  /// Writes a line whose middle is cut where a terminal is too narrow.
  private func write(
    _ start: String, _ middle: String, _ end: String = "", to output: inout Output
  ) throws(Failure) {
    let room = Terminal.width.map { max(20, $0 - start.count - end.count) }
    try output.line(start + DisplayText.fit(middle, room) + end)
  }
}

extension Output {
  /// Writes what pages say, and a newline.
  mutating func line(_ json: JSON) throws(Failure) {
    try bytes { bytes in
      json.append(to: &bytes)
      bytes.append(0x0a)
    }
  }
}
