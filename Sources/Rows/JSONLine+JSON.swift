package import Cairn

extension JSONLine {
  package mutating func field(_ key: StaticString, _ value: JSONValue) {
    field(key, json: value.text)
  }
}

/// JSON for people: two blanks a level, short arrays on one line.
package enum ReadableJSON {
  /// The value as several lines, without the last line's end.
  package static func text(_ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    append(value, indent: 0, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ value: JSONValue, indent: Int, to bytes: inout [UInt8]) {
    guard case .object(let members) = value, !members.isEmpty else {
      if case .array(let elements) = value, elements.contains(where: isObject) {
        return append(elements, indent: indent, to: &bytes)
      }
      return value.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      beginLine(index, indent + 1, to: &bytes)
      JSONText.append(member.key, to: &bytes)
      bytes += ": ".utf8
      append(member.value, indent: indent + 1, to: &bytes)
    }
    endLine(indent, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  private static func append(_ elements: [JSONValue], indent: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      beginLine(index, indent + 1, to: &bytes)
      element.append(to: &bytes)
    }
    endLine(indent, to: &bytes)
    bytes.append(UInt8(ascii: "]"))
  }

  private static func isObject(_ value: JSONValue) -> Bool {
    if case .object = value { true } else { false }
  }

  private static func beginLine(_ index: Int, _ indent: Int, to bytes: inout [UInt8]) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    endLine(indent, to: &bytes)
  }

  private static func endLine(_ indent: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    bytes += repeatElement(UInt8(ascii: " "), count: 2 * indent)
  }
}
