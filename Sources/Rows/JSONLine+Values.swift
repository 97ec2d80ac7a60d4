package import Cairn

extension JSONLine {
  /// A text, or `null` for none.
  package mutating func field(_ key: StaticString, optional text: String?) {
    if let text { field(key, text) } else { field(key, json: "null".utf8) }
  }

  /// A number, or `null` for none.
  package mutating func field(_ key: StaticString, optional number: (some BinaryInteger)?) {
    if let number { field(key, number) } else { field(key, json: "null".utf8) }
  }

  /// A number, or `null` for none.
  package mutating func field(_ key: StaticString, optional number: Double?) {
    if let number { field(key, number) } else { field(key, json: "null".utf8) }
  }

  /// A moment as RFC 3339, or `null` for none.
  package mutating func field(_ key: StaticString, optional time: Timestamp?) {
    field(key, optional: time?.rfc3339)
  }

  package mutating func field(_ key: StaticString, texts: [String]) {
    field(key, json: Self.strings(texts))
  }

  /// Microseconds since a start: titles and snippets, which are made as they are written, are part
  /// of what an answer takes.
  package mutating func field(_ key: StaticString, since start: ContinuousClock.Instant) {
    field(key, ((ContinuousClock.now - start) / .microseconds(1)).rounded())
  }

  package mutating func field(_ key: StaticString, sequences: [UInt64]) {
    field(key, json: "[\(sequences.map(String.init).joined(separator: ","))]".utf8)
  }

  /// Attributes as an object, dates as they were given, data as base64.
  package mutating func field(_ key: StaticString, _ attributes: Attributes) {
    var bytes: [UInt8] = []
    JSONText.appendObject(attributes.lazy.map { ($0.key, $0.value) }, to: &bytes) {
      JSONValue($0).append(to: &$1)
    }
    field(key, json: bytes)
  }

  /// The fields of an item, as every command that lists items gives them.
  package mutating func fields(of item: Item) {
    field("item", item.id)
    field("domain", optional: item.domain)
    field("title", optional: item.title)
    field("attributes", item.attributes)
    field("sequence", item.sequence)
    if let expires = item.expires { field("expires", expires.rfc3339) }
  }

  package static func strings(_ texts: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.appendArray(texts, to: &bytes) { JSONText.append($0, to: &$1) }
    return bytes
  }

  /// An array of values that are JSON already.
  package static func array(json values: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + values.joined(separator: ",".utf8) + "]".utf8
  }

  package static func array<Element, Failure: Error>(
    _ elements: [Element], _ body: (inout JSONLine, Element) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try JSONText.appendArray(elements, to: &bytes) { (element, bytes) throws(Failure) in
      bytes += try value { (line) throws(Failure) in try body(&line, element) }
    }
    return bytes
  }
}
