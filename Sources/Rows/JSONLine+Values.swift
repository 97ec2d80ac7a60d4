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

  /// Attributes as an object, dates as they were given, data as base64.
  package mutating func field(_ key: StaticString, _ attributes: Attributes) {
    var bytes: [UInt8] = []
    JSONText.appendObject(attributes.lazy.map { ($0.key, $0.value) }, to: &bytes) {
      Self.append($0, to: &$1)
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

  package static func append(_ value: AttributeValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .double(let number): bytes.append(contentsOf: number.description.utf8)
    case .string(let text): JSONText.append(text, to: &bytes)
    case .data(let data): bytes.append(contentsOf: "{\"base64\":\"\(base64(data))\"}".utf8)
    case .array(let values): JSONText.appendArray(values, to: &bytes) { append($0, to: &$1) }
    }
  }

  /// A hash as base64; nothing for none.
  package static func base64(_ hash: Hash32?) -> String { base64(hash?.bytes ?? []) }

  /// Bytes as base64 (RFC 4648 §4).
  package static func base64(_ data: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64.append(data.span, to: &text)
    return String(decoding: text, as: UTF8.self)
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
