import Cairn
import Files
import Glibc
import Importers
import WebMarkup

/// Pages on disk: files, what stands beside them, and folders of them.
struct PageFiles {
  /// A file of one page, or of several as one text, that is larger than this is refused.
  static let byteCountMax = 16 << 20
  /// So much of a file beside a page counts.
  private static let sidecarByteCountMax = 1 << 20
  /// An archive of requests that is larger than this is refused: it is read whole.
  private static let archiveByteCountMax = 128 << 20

  /// A URL that the user gives for a file, or for the folder it is in.
  var base: String?
  /// The association file of the pages' host.
  var association: AppSiteAssociation?
  /// Whose rules hold besides those for all.
  var agent: String
  /// How large a page may be.
  var limit = PageFiles.byteCountMax

  /// A file that a source is, or has in it.
  struct Found {
    var path: String
    /// Its path in the folder that is the source; nil for the source itself.
    var inside: String?
    /// False for a file of a folder that is no page by its name.
    var isPage = true
  }

  /// The files that a source is, in byte order of their paths.
  static func files(of source: String) throws(Failure) -> [Found] {
    guard source != "-", WholeInput.isDirectory(source) else {
      if source.contains("://"), FileStatus(source) == nil {
        throw Failure(
          .noInput, "is no file, and pages are fetched by http and https alone", place: source)
      }
      return [Found(path: source)]
    }
    var found: [String] = []
    try collect(source, "", &found)
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
      Found(path: source + "/" + $0, inside: $0, isPage: HistoryPlaces.isPage($0))
    }
  }

  /// Whether a file only tells of the page beside it.
  private static func isSidecar(_ path: String) -> Bool {
    for ending in [".url", ".headers"] where path.hasSuffix(ending) {
      return HistoryPlaces.isPage(String(path.dropLast(ending.count)))
    }
    return false
  }

  private static func collect(
    _ root: String, _ inside: String, _ found: inout [String]
  ) throws(Failure) {
    let directory = inside.isEmpty ? root : root + "/" + inside
    let names: [String]
    do { names = try SmallFile.names(in: directory) } catch {
      throw Failure(.noInput, error.message, place: directory)
    }
    for name in names where !name.hasPrefix(".") {
      let path = inside.isEmpty ? name : inside + "/" + name
      guard let status = FileStatus(root + "/" + path, followsLinks: false) else {
        if Self.hasReplacement(name) { found.append(path) }
        continue
      }
      if status.isFolder {
        try collect(root, path, &found)
      } else if status.isFile, !isSidecar(path) {
        found.append(path)
      }
    }
  }

  /// Whether a name may stand for one that is no text, by which no file can be had.
  private static func hasReplacement(_ name: String) -> Bool {
    name.unicodeScalars.contains("\u{FFFD}")
  }

  /// Visits what a file holds; gives what ended the reading before the file's end.
  ///
  /// Web archives are read a record at a time, whatever their size.
  func forEachCapture(
    of path: String, inside: String?, _ body: (WARCReader.Capture) throws(Failure) -> Void
  ) throws(Failure) -> String? {
    if let inside, Self.hasReplacement(inside), FileStatus(path) == nil {
      return "its name is not UTF-8"
    }
    let stream: ByteStream
    var bytes: [UInt8] = []
    TypedInput.tell(of: path)
    do throws(CairnError) {
      stream = try ByteStream(path: path)
      if try stream.next(), !WARCReader.recognises(stream.chunk) {
        bytes = stream.chunk
        let most = max(limit, path.lowercased().hasSuffix(".har") ? Self.archiveByteCountMax : 0)
        while bytes.count <= most, try stream.next() { bytes += stream.chunk }
        guard bytes.count <= most else { return "is larger than \(most) bytes" }
      }
    } catch {
      guard error.code == .malformed else { throw Failure(error, place: path) }
      return error.message
    }
    if WARCReader.recognises(stream.chunk), bytes.isEmpty {
      return try readArchive(stream, path, body)
    }
    if [".warc", ".warc.gz"].contains(where: { path.lowercased().hasSuffix($0) }) {
      return "is no web archive of WARC 1.0 or 1.1"
    }
    return try readWhole(bytes, path, inside, body)
  }

  private func readArchive(
    _ stream: ByteStream, _ path: String, _ body: (WARCReader.Capture) throws(Failure) -> Void
  ) throws(Failure) -> String? {
    var reader = WARCReader(name: path, limit: limit)
    while reader.damage == nil {
      reader.feed(stream.chunk)
      while let capture = reader.next() { try body(filled(capture, path)) }
      let hasMore: Bool
      do throws(CairnError) { hasMore = try stream.next() } catch {
        guard error.code == .malformed else { throw Failure(error, place: path) }
        return error.message
      }
      guard hasMore else {
        if let capture = reader.finish() { try body(filled(capture, path)) }
        break
      }
    }
    guard reader.damage == nil, stream.hasRest else { return reader.damage }
    return "goes on with something else behind a record"
  }

  private func readWhole(
    _ bytes: [UInt8], _ path: String, _ inside: String?,
    _ body: (WARCReader.Capture) throws(Failure) -> Void
  ) throws(Failure) -> String? {
    var kind = path == "-" ? .html : PageContainer.kind(of: bytes, name: path)
    // Its type is told beside it.
    if kind == .other, FileStatus(path + ".headers") != nil { kind = .html }
    let contents = kind.pages(in: bytes, name: path)
    for var page in contents.pages {
      if kind == .html {
        if let base { page.urls.append(("base", Self.url(base, inside))) }
        if path != "-" { try addSidecars(of: path, to: &page) }
      }
      try body(filled(.page(page), path))
    }
    for (url, reason) in contents.refused {
      try body(.refused(url: url.isEmpty ? nil : url, reason: reason))
    }
    for url in contents.others { try body(.other(url: url.isEmpty ? nil : url)) }
    return contents.damage
  }

  /// A capture with what holds for all pages of a file.
  private func filled(_ capture: WARCReader.Capture, _ path: String) -> WARCReader.Capture {
    guard case .page(var page) = capture else { return capture }
    page.agent = agent
    page.association = association
    if page.time == nil {
      let time =
        path == "-" ? .now() : FileStatus(path).map { Timestamp(seconds: $0.modified.seconds) }
      page.time = time?.rfc3339
    }
    return .page(page)
  }

  /// A base without its query and a path under it, each segment percent-encoded, `index.html` as
  /// its folder.
  private static func url(_ base: String, _ inside: String?) -> String {
    guard let inside else { return base }
    var segments = inside.unicodeScalars.split(separator: "/").map { String(Substring($0)) }
    if let last = segments.last?.lowercased(), last == "index.html" || last == "index.htm" {
      segments[segments.count - 1] = ""
    }
    let folder = String(base.prefix { $0 != "?" && $0 != "#" })
    return (folder.hasSuffix("/") ? folder : folder + "/")
      + segments.map(WebURL.percentEncoded(segment:)).joined(separator: "/")
  }

  /// The bytes of a file beside a page, of a larger one as many as count; nil where there is none.
  private static func sidecar(_ path: String) throws(Failure) -> [UInt8]? {
    // SAFETY: the call only looks whether the name exists.
    if unsafe access(path, F_OK) != 0, errno == ENOENT { return nil }
    let bytes = try WholeInput.beginning(of: path, past: sidecarByteCountMax)
    return Array(bytes.prefix(sidecarByteCountMax))
  }

  /// `FILE.url` and `FILE.headers`.
  private func addSidecars(of path: String, to page: inout PageSource) throws(Failure) {
    if let bytes = try Self.sidecar(path + ".url") {
      let text = String(decoding: bytes, as: UTF8.self).drop { $0 == "\u{FEFF}" }
      let lines = text.split(whereSeparator: \.isNewline)
      // Names of sections and of keys may have any case.
      let isShortcut = lines.contains { $0.lowercased().hasPrefix("[internetshortcut]") }
      let key = lines.first { $0.lowercased().hasPrefix("url=") }
      let line = isShortcut ? key?.dropFirst(4) : lines.first
      if let line { page.urls.append(("sidecar", String(line))) }
    }
    if let bytes = try Self.sidecar(path + ".headers") {
      for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
        if line.hasPrefix("HTTP/") {
          // Of several answers, as curl keeps those that led elsewhere, the last is the page.
          page.headers = []
          page.status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        } else if let colon = line.firstIndex(of: ":") {
          let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
          page.headers.append((String(line[..<colon]), String(value)))
        }
      }
      if let type = page.headers.field("content-type") {
        page.isPage = PageContainer.isPage(type: type)
      }
    }
  }
}
