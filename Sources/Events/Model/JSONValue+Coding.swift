extension JSONValue {
  /// The value JSON bytes stand for, by the strict grammar of RFC 8259.
  /// - Parameters:
  ///   - text: The bytes.
  ///   - refusesDuplicateKeys: Whether an object in which a key comes twice is refused; else the
  ///     last of them counts.
  ///   - replacesHalfPairs: Whether half a surrogate pair stands for U+FFFD, as programs send it
  ///     that cut a text within a character; else it is refused.
  ///   - depthMax: How many arrays and objects may stand inside one another.
  /// - Throws: `.badEvent` with the byte offset.
  package init(
    parsing text: Span<UInt8>, refusesDuplicateKeys: Bool = false, replacesHalfPairs: Bool = false,
    depthMax: Int = EventLimits.depth
  ) throws(CairnError) {
    var json = JSONTranscoder()
    json.depthMax = depthMax
    json.refusesDuplicateKeys = refusesDuplicateKeys
    json.replacesHalfPairs = replacesHalfPairs
    try json.anyValue(text)
    _ = json.next(text)
    guard json.position == text.count else { throw json.unexpected(text) }
    var reader = PayloadReader()
    self = try JSONValue.read(json.out, &reader, depth: 0)
  }

  /// Reads a map of unknown keys.
  static func members(_ payload: [UInt8], _ reader: inout PayloadReader, depth: Int = 0)
    throws(CairnError) -> JSONObject
  {
    var object = JSONObject()
    let count = try reader.count(payload.span, .map)
    object.reserveCapacity(count)
    for _ in 0..<count {
      let key = try payload.text(try reader.string(payload.span))
      object.append(key, try read(payload, &reader, depth: depth))
    }
    return object
  }

  private static func read(_ payload: [UInt8], _ reader: inout PayloadReader, depth: Int)
    throws(CairnError) -> JSONValue
  {
    guard depth <= EventLimits.depth else { throw reader.malformed() }
    switch CBORMajor(rawValue: reader.peek(payload.span) >> 5) {
    case .map: return .object(try members(payload, &reader, depth: depth + 1))
    case .array:
      var elements: [JSONValue] = []
      for _ in 0..<(try reader.count(payload.span, .array)) {
        elements.append(try read(payload, &reader, depth: depth + 1))
      }
      return .array(elements)
    case .tag: return .number(try payload.text(try reader.numberText(payload.span)))
    default: break
    }
    switch try reader.value(payload.span, allowsArray: false) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .number(String(value))
    case .string(let range): return .string(try payload.text(range))
    default: throw reader.malformed()
    }
  }
}

extension [UInt8] {
  mutating func appendAny(_ value: JSONValue, depth: Int = 1) throws(CairnError) {
    guard depth <= EventLimits.depth else {
      throw CairnError(.badEvent, "nested deeper than \(EventLimits.depth) levels; flatten it")
    }
    switch value {
    case .null: append(CBORByte.null)
    case .bool(let value): append(value ? CBORByte.true : CBORByte.false)
    case .string(let value): appendText(value)
    case .number(let text): try appendNumber(Array(text.utf8))
    case .array(let elements):
      appendHead(.array, elements.count)
      for element in elements { try appendAny(element, depth: depth + 1) }
    case .object(let members):
      appendHead(.map, members.count)
      for member in members {
        appendText(member.key)
        try appendAny(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func appendNumber(_ text: [UInt8]) throws(CairnError) {
    var failure = 0
    guard let number = JSONNumber(text.span, at: 0, failure: &failure),
      number.range.count == text.count
    else { throw CairnError(.badEvent, "this is no number by JSON's grammar", at: failure) }
    if let integer = number.integer {
      appendInteger(integer)
    } else {
      appendHead(.tag, embeddedJSONTag)
      appendHead(.bytes, text.count)
      append(contentsOf: text)
    }
  }
}

extension KeyOrdered where Value == JSONValue {
  /// The object that a JSON text is; nil where it is anything else.
  package init?(json text: some Sequence<UInt8>) {
    // What that means only the caller knows.
    guard case .object(let members)? = try? JSONValue(parsing: Array(text).span) else { return nil }
    self = members
  }
}
