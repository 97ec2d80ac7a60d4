package import Values

/// Lines of a file as bytes, without their newline and without a byte order mark; memory for one
/// line at most.
package struct LineStream: ~Copyable {
  package struct Line {
    /// Without the newline; a carriage return before it stays.
    package var bytes: [UInt8]
    /// From 1.
    package var number: Int
    /// Whether the line is longer than may be; its bytes are gone then.
    package var isTooLong = false

    var text: String? { String(validating: bytes, as: UTF8.self) }
    /// The text, with U+FFFD for what is not UTF-8.
    var repairedText: String { String(decoding: bytes, as: UTF8.self) }
    /// Without carriage returns at the end: what writes one before each newline may be given lines
    /// that have theirs.
    var withoutReturn: Line {
      let count = bytes.reversed().prefix { $0 == 0x0D }.count
      return count > 0 ? Line(bytes: bytes.dropLast(count), number: number) : self
    }
  }

  /// More than any record of a history is long.
  static let byteCountMax = 4 << 20

  private let stream: ByteStream
  private var lines: LineBuffer
  private var hasEnded = false
  private let leavesUnfinished: Bool

  package init(_ stream: ByteStream, newline: UInt8 = 0x0A, leavesUnfinished: Bool = false) {
    self.stream = stream
    self.leavesUnfinished = leavesUnfinished
    // What begins with a very long line may look like a file of an old Mac: a line feed ends lines
    // there, too.
    lines = LineBuffer(byteCountMax: Self.byteCountMax, newline: newline)
  }

  /// What ends the lines of a text that begins so: old Macs wrote a return alone.
  static func newline(of beginning: [UInt8]) -> UInt8 {
    !beginning.contains(0x0A) && beginning.dropLast().contains(0x0D) ? 0x0D : 0x0A
  }

  /// The next line, or nil at the end.
  /// - Complexity: O(*n*) in its length.
  package mutating func next() throws(CairnError) -> Line? {
    while true {
      if let line = lines.next(last: hasEnded) {
        let number = lines.lineNumber
        let bytes = number == 1 ? ByteOrderMark.dropped(from: line.bytes) : line.bytes
        return Line(bytes: Array(bytes), number: number, isTooLong: line.isTooLong)
      }
      if hasEnded { return nil }
      guard try !stream.next() else {
        lines.append(stream.chunk)
        continue
      }
      guard !leavesUnfinished else { return nil }
      hasEnded = true
    }
  }
}

extension InputFile {
  /// Gives every line that is not too long, as the record that is being read, without carriage
  /// returns at its end; those that are are reported.
  func forEachLine(
    _ events: Collector, _ body: (LineStream.Line, RecordPlace) throws(CairnError) -> Void
  ) throws(CairnError) {
    var lines = try lines()
    events.record = { [] }
    while let line = try lines.next() {
      if line.isTooLong {
        events.malformed(.line(line.number), "the line is too long")
      } else {
        events.record = { line.bytes }
        try body(line.withoutReturn, .line(line.number))
        events.record = { [] }
      }
    }
  }
}
