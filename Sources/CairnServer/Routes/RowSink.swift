import Cairn
package import Rows

/// Takes the rows of a list: into one page, or line by line to a client that wants them so.
package final class RowSink {
  private let stream: AnswerStream?
  private let limit: Int
  /// Whether the one who asked would be let in still.
  private let isLetIn: () -> Bool
  private var bytes: [UInt8] = []
  package private(set) var count = 0
  /// Whether there was more than the page holds.
  package private(set) var isCut = false
  /// What the client's going away did to the list.
  private(set) var failure: Refusal?

  /// A page ends with the row that fills it.
  private static let pageByteCount = 1 << 20
  private static let pieceByteCount = 1 << 15

  init(stream: AnswerStream?, limit: Int?, isLetIn: @escaping () -> Bool = { true }) {
    self.stream = stream
    self.limit = limit ?? .max
    self.isLetIn = isLetIn
  }

  /// Takes one row; false when no more are wanted.
  package func add(_ write: (inout JSONLine) -> Void) -> Bool {
    addLine { $0 += JSONLine.line(write) }
  }

  /// Takes one row that is written as a line, with its newline.
  func addLine<Failure: Error>(_ write: (inout [UInt8]) throws(Failure) -> Void) throws(Failure)
    -> Bool
  {
    isCut = count >= limit || (stream == nil && bytes.count >= Self.pageByteCount)
    if isCut { return false }
    try write(&bytes)
    return settle()
  }

  private func settle() -> Bool {
    count += 1
    guard let stream else {
      // The newline between rows of a page is a comma there.
      bytes[bytes.count - 1] = UInt8(ascii: ",")
      return true
    }
    if bytes.count >= Self.pieceByteCount {
      do throws(Refusal) {
        guard isLetIn() else { throw .unauthorized }
        try stream.write(bytes)
      } catch {
        failure = error
        return false
      }
      bytes.removeAll(keepingCapacity: true)
    }
    return !stream.isClosed
  }

  /// The rows as the inside of an array.
  var rows: ArraySlice<UInt8> { bytes.last == UInt8(ascii: ",") ? bytes.dropLast() : bytes[...] }

  /// Sends what is left of a stream.
  func finish() throws(Refusal) {
    if let failure { throw failure }
    guard let stream else { return }
    try stream.write(bytes)
    stream.end()
  }
}

/// A hash by which clients know an answer again (FNV-1a, 64 bits).
struct RowTag {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  var text: String { "\"\(String(state, radix: 16))\"" }
}

extension Request {
  /// Whether the one who asks has an answer with this tag (RFC 9110 §13.1.2).
  func holds(_ tag: String) -> Bool {
    let strong = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    let known = values("if-none-match").flatMap { $0.split { ", \t".contains($0) } }
    return known.contains { $0 == strong[...] || $0 == "*" || $0 == "W/\(strong)" }
  }
}

extension Call {
  /// Answers with a list.
  /// - Parameters:
  ///   - sequence: The point that the rows are of.
  ///   - limit: How many rows at most; nil for all, which only lines may be.
  ///   - next: The query of the page after this one; asked only when there is more. Nil where the
  ///     list has no pages.
  ///   - rows: Gives rows to the sink until it wants no more.
  /// - Returns: The answer; nil where it was sent line by line.
  /// - Throws: What `rows` throws; `gone` when the client went away.
  package func list(
    at sequence: UInt64, limit: Int?, next: () -> String? = { nil },
    rows: (RowSink) throws(Refusal) -> Void
  ) throws(Refusal) -> Answer? {
    if wantsLines {
      let stream = try begin(MediaType.ndjson, [Header("Cairn-Sequence", String(sequence))])
      let sink = RowSink(stream: stream, limit: limit) { isStillLetIn() }
      try rows(sink)
      try sink.finish()
      return nil
    }
    let sink = RowSink(stream: nil, limit: limit)
    try rows(sink)
    return .page(at: sequence, next: sink.isCut ? next() : nil) { line in
      line.field("rows", json: [UInt8(ascii: "[")] + sink.rows + [UInt8(ascii: "]")])
    }
  }

  /// Answers with the rows of a list but the first `skipped`; `next` is the query of the page that
  /// leaves out so many.
  func list<Row>(
    _ rows: [Row], after skipped: Int = 0, at sequence: UInt64, limit: Int? = nil,
    next: (_ skipped: Int) -> String? = { _ in nil }, _ write: (inout JSONLine, Row) -> Void
  ) throws(Refusal) -> Answer? {
    var given = skipped
    return try list(at: sequence, limit: limit, next: { next(given) }) { sink in
      for row in rows.dropFirst(skipped) {
        guard sink.add({ write(&$0, row) }) else { return }
        given += 1
      }
    }
  }
}
