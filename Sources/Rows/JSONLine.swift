import Cairn

/// One JSON object on one line, written field by field in the order of the calls.
///
/// Text is given back byte for byte: only the quote, the backslash and control characters
/// are escaped (RFC 8259 §7), everything else stays UTF-8.
package struct JSONLine {
  /// What was written so far, without the end of the object.
  package private(set) var bytes: [UInt8] = []
  private var hasField = false

  package init() { bytes.append(UInt8(ascii: "{")) }

  /// An object as a value, without the end of a line.
  package static func value<Failure: Error>(_ write: (inout JSONLine) throws(Failure) -> Void)
    throws(Failure) -> [UInt8]
  {
    var line = JSONLine()
    try write(&line)
    return line.value
  }

  /// What was written so far as a whole object, without the end of a line.
  package var value: [UInt8] { bytes + [UInt8(ascii: "}")] }

  /// An object with the end of its line.
  package static func line<Failure: Error>(_ write: (inout JSONLine) throws(Failure) -> Void)
    throws(Failure) -> [UInt8]
  {
    var line = JSONLine()
    try write(&line)
    line.bytes += "}\n".utf8
    return line.bytes
  }

  package mutating func field(_ key: StaticString, _ value: String) {
    name(key)
    JSONText.append(value, to: &bytes)
  }

  package mutating func field(_ key: StaticString, _ value: some BinaryInteger) {
    name(key)
    bytes.append(contentsOf: String(value).utf8)
  }

  package mutating func field(_ key: StaticString, _ value: Bool) {
    name(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// A number that JSON cannot hold (not finite) is written as `null`.
  package mutating func field(_ key: StaticString, _ value: Double) {
    name(key)
    bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
  }

  /// A value that is JSON already.
  package mutating func field(_ key: StaticString, json: some Sequence<UInt8>) {
    name(key)
    bytes.append(contentsOf: json)
  }

  /// A field whose name is data.
  package mutating func field(text key: String, _ value: Int) {
    field(text: key, json: String(value).utf8)
  }

  /// A field whose name is data, and whose value is JSON already.
  package mutating func field(text key: String, json: some Sequence<UInt8>) {
    separate()
    JSONText.append(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: json)
  }

  package mutating func object(_ key: StaticString, _ body: (inout JSONLine) -> Void) {
    field(key, json: Self.value(body))
  }

  /// An array of objects.
  package mutating func field<Element, Failure: Error>(
    _ key: StaticString, objects elements: [Element],
    _ write: (inout JSONLine, Element) throws(Failure) -> Void
  ) throws(Failure) {
    name(key)
    var opening = UInt8(ascii: "[")
    for element in elements {
      bytes.append(opening)
      bytes.append(UInt8(ascii: "{"))
      hasField = false
      try write(&self, element)
      bytes.append(UInt8(ascii: "}"))
      opening = UInt8(ascii: ",")
    }
    if elements.isEmpty { bytes.append(opening) }
    bytes.append(UInt8(ascii: "]"))
    hasField = true
  }

  /// Names of fields need no escapes.
  private mutating func name(_ key: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    if hasField { bytes.append(UInt8(ascii: ",")) }
    hasField = true
  }
}
