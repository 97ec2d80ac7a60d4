import Rows

/// Rows of an answer, so many as an assistant can hold: 50 of them, 32 KiB with all around them.
struct ToolRows {
  /// The point that was asked.
  var sequence: UInt64 = 0
  private var rows: [[UInt8]] = []
  private var byteCount = 0
  private var isTruncated = false
  private let limit: Int

  /// Rows stand in the answer twice, as a value and as a text, for programs that know one alone.
  private static let byteMax = (32 << 10) - 1024

  init(limit: Int) { self.limit = limit }

  /// Adds a row; false when no more are wanted.
  mutating func add(_ write: (inout JSONLine) -> Void) -> Bool { add(json: JSONLine.value(write)) }

  /// Adds a row that is written already.
  mutating func add(json row: [UInt8]) -> Bool {
    // A quote or backslash within the text takes another byte, a bracket six.
    let escaped = row.reduce(0) { count, byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): count + 2
      case UInt8(ascii: "<"): count + 7
      default: count + 1
      }
    }
    let needed = row.count + escaped + 2
    guard rows.count < limit, byteCount + needed <= Self.byteMax else {
      isTruncated = true
      // One that fits in no answer keeps none of the others back.
      return rows.count < limit && needed > Self.byteMax
    }
    byteCount += needed
    rows.append(row)
    return true
  }

  func write(to result: inout JSONLine) {
    let value = JSONLine.value { line in
      line.field("source", "history")
      line.field("sequence", sequence)
      line.field("rows", json: JSONLine.array(json: rows))
      line.field("truncated", isTruncated)
    }
    // Nothing in the rows can end the mark: a bracket in them is written as an escape.
    var text: [UInt8] = Array("<history-data>".utf8)
    for byte in value {
      if byte == UInt8(ascii: "<") { text += "\\u003c".utf8 } else { text.append(byte) }
    }
    text += "</history-data>".utf8
    result.toolText(String(decoding: text, as: UTF8.self))
    result.field("structuredContent", json: value)
    result.field("isError", false)
  }
}

extension JSONLine {
  mutating func toolText(_ text: String) {
    let content = JSONLine.array([text]) { line, text in
      line.field("type", "text")
      line.field("text", text)
    }
    field("content", json: content)
  }
}
