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
  private let newline: UInt8
  private var unread = 0
  private var number = 0
  private var hasEnded = false

  package init(_ stream: ByteStream, newline: UInt8 = 0x0A) {
    self.stream = stream
    self.newline = newline
  }

  /// What ends the lines of a text that begins so: old Macs wrote a return alone.
  static func newline(of beginning: [UInt8]) -> UInt8 {
    !beginning.contains(0x0A) && beginning.dropLast().contains(0x0D) ? 0x0D : 0x0A
  }

  /// The next line, or nil at the end.
  /// - Complexity: O(*n*) in its length.
  package mutating func next() throws(CairnError) -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    var hasBytes = false
    while !hasEnded {
      guard try stream.fill(&unread) else {
        hasEnded = true
        break
      }
      let rest = stream.chunk[unread...]
      // What begins with a very long line may look like a file of an old Mac.
      let end = rest.firstIndex { $0 == newline || $0 == 0x0A }
      let part = rest[..<(end ?? rest.endIndex)]
      hasBytes = true
      unread = end.map { $0 + 1 } ?? rest.endIndex
      if line.count + part.count > Self.byteCountMax {
        isTooLong = true
        line = []
      } else if !isTooLong {
        line += part
      }
      if end != nil { break }
    }
    guard hasBytes else { return nil }
    number += 1
    if number == 1 { line = Array(ByteOrderMark.dropped(from: line[...])) }
    return Line(bytes: isTooLong ? [] : line, number: number, isTooLong: isTooLong)
  }

  /// The next line that is not too long, as the record that is being read; those that are are
  /// reported.
  mutating func next(_ events: Collector) throws(CairnError) -> Line? {
    events.record = { [] }
    while let line = try next() {
      guard line.isTooLong else {
        events.record = { line.bytes }
        return line
      }
      events.malformed(.line(line.number), "the line is too long")
    }
    return nil
  }
}
