import Files
package import Values

/// A file that may be a history: its bytes, its first ones, and its tables where it is a database.
package final class InputFile {
  /// As the user wrote it.
  package let path: String
  package let isFolder: Bool
  /// Microseconds since 1970.
  package let modified: Int64
  package let byteCount: Int64

  /// Where its bytes are.
  let place: String
  private let options: ImportOptions
  /// What was opened last.
  private var stream: ByteStream?
  /// What came through a pipe: it can be read once only, and is asked for more than that.
  private var kept: ScratchFile?
  /// Each format asks for it: what cannot be opened is not unpacked and copied for each.
  private var opened: Result<Database, CairnError>?
  private var isStreamTaken = false
  /// The first bytes, unpacked: up to 128 KiB.
  package private(set) var head: [UInt8] = []

  package convenience init(_ path: String, options: ImportOptions) throws(CairnError) {
    try self.init(path, at: path, modified: nil, options: options)
  }

  /// A file whose bytes are at `place`, and which was written when somebody else says, if anybody.
  package init(
    _ path: String, at place: String, modified: Int64?, options: ImportOptions
  ) throws(CairnError) {
    self.path = path
    self.options = options
    guard let status = FileStatus(input: path == "-" ? path : place) else {
      throw .system(.missing, "cannot be read")
    }
    isFolder = status.isFolder
    self.modified = modified ?? status.modified.microseconds
    guard !isFolder else {
      self.place = place
      byteCount = 0
      stream = nil
      return
    }
    let isPipe = status.isPipe || path == "-"
    kept = isPipe ? try ScratchFile(keeping: place, in: options.scratch) : nil
    self.place = kept?.path ?? place
    byteCount = kept.map { Int64($0.byteCount) } ?? Int64(status.byteCount)
    let stream = try ByteStream(path: self.place)
    if try stream.next() { head = stream.chunk }
    stream.unread()
    self.stream = stream
  }

  /// The last component of the path, without what says that the file is packed.
  package var name: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return [".gz", ".xz"].contains { name.hasSuffix($0) } ? String(name.dropLast(3)) : name
  }

  /// Whether it begins as no text does, with bytes of 0.
  ///
  /// What a crash leaves in a text stands further down.
  private var isBinary: Bool {
    (head.prefix(9) + head.prefix(4096).prefix { $0 != 0x0A }).contains(0)
  }

  /// The first bytes as text, without a byte order mark; empty where they are none.
  package private(set) lazy var headText: String =
    isBinary ? "" : String(decoding: ByteOrderMark.dropped(from: head[...]), as: UTF8.self)

  /// The first lines; by their bytes, since a carriage return and a newline are one character.
  private(set) lazy var headLines: [Substring] =
    headText.unicodeScalars
    .split(separator: Unicode.Scalar(LineStream.newline(of: head)), maxSplits: 50)
    .map { Substring($0) }

  /// The beginning of the first line with something in it: some files are one line, and the head of
  /// a table is none of thousands of letters.
  private(set) lazy var firstLine: String =
    headLines.lazy.map { CommandText.trimmed($0.prefix(4096)) }.first { !$0.isEmpty } ?? ""

  /// Whether the first bytes are a text that holds another.
  ///
  /// A file that is no history is asked this by each format, and to compare characters takes a
  /// hundred times as long.
  func holds(_ text: String) -> Bool {
    !isBinary && head[...].holds(Array(text.utf8))
  }

  var isDatabase: Bool { Self.isDatabase(head) }

  /// Whether a file that begins so is a database of SQLite.
  package static func isDatabase(_ head: [UInt8]) -> Bool {
    head.starts(with: "SQLite format 3\0".utf8)
  }

  /// The names of the tables, when it is a database that can be read.
  var tables: Set<String> {
    guard isDatabase, let database = try? database() else { return [] }
    return database.tables
  }

  /// Its copy, opened; made once.
  /// - Throws: `CairnError` when it is no database.
  func database() throws(CairnError) -> Database {
    if let opened { return try opened.get() }
    guard isDatabase else {
      throw CairnError(.malformed, "is no SQLite database (or an encrypted one)")
    }
    let result = Result { () throws(CairnError) in
      let unpacked = try unpacked()
      return try Database(copying: unpacked?.path ?? place, scratch: options.scratch)
    }
    opened = result
    return try result.get()
  }

  /// All of what is packed in it; nil where nothing is.
  private func unpacked() throws(CairnError) -> ScratchFile? {
    guard stream?.isUnpacking == true else { return nil }
    let file = try ScratchFile(in: options.scratch)
    var limit = UnpackingLimit(archiveByteCount: byteCount)
    let bytes = try bytes()
    while try bytes.next() {
      try limit.add(bytes.chunk.count)
      try file.write(bytes.chunk)
    }
    return file
  }

  private static let folder = CairnError(.missing, "is a folder; name a file in it")

  /// - Throws: `CairnError` for a folder and for a file without a byte.
  func requireBytes() throws(CairnError) {
    guard !isFolder else { throw Self.folder }
    guard !head.isEmpty else { throw CairnError(.malformed, "is empty") }
  }

  /// - Throws: `CairnError` for a database that cannot be copied or opened, which is of no format.
  package func requireReadable() throws(CairnError) { if isDatabase { _ = try database() } }

  /// Whether it begins with a mark of UTF-16, which only readers of XML read.
  package var isUTF16: Bool { Self.isUTF16(head) }

  package static func isUTF16(_ head: [UInt8]) -> Bool {
    head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
  }

  package static let utf16 = CairnError(
    .malformed, "is UTF-16; convert the file: iconv -f UTF-16 -t UTF-8")

  func bytes() throws(CairnError) -> ByteStream {
    guard let first = stream else { throw Self.folder }
    let next = isStreamTaken ? try ByteStream(path: place) : first
    isStreamTaken = true
    stream = next
    return next
  }

  /// Whether something else stands behind what is packed in it, as far as it was read.
  var hasRest: Bool { stream?.hasRest ?? false }

  /// Its lines.
  ///
  /// - Throws: `CairnError` when it is a database or another binary file, of which some bytes would
  ///   look like lines.
  func lines() throws(CairnError) -> LineStream {
    guard !isDatabase else { throw CairnError(.malformed, "is a SQLite database, no text") }
    guard !isBinary else {
      throw CairnError(.malformed, "is no text in UTF-8: it begins with bytes of 0")
    }
    return LineStream(
      try bytes(), newline: LineStream.newline(of: head), leavesUnfinished: options.isFollowed)
  }

  /// All of it, where it is small.
  func whole(most: Int) throws(CairnError) -> [UInt8] { try bytes().whole(most: most) }
}
