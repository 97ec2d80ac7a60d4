import Events

// What `JSONEncoder` makes of answers has the keys of `cairn … --json`, and what `JSONDecoder`
// reads as an event those of `cairn append`: the article Rows lists them.

extension JSONValue: Codable {
  /// The value that a decoder holds.
  ///
  /// A decoder has no text of a number: one that is whole and fits into 64 bits is written so, any
  /// other as the nearest `Double`.
  /// - Throws: `DecodingError` where that is no value of JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
      return
    }
    // Which type it is a decoder only tells by refusing the others.
    func tried<Value>(_ read: () throws -> Value) -> Value? { try? read() }
    func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
      tried { try container.decode(type) }
    }
    if let flag = decoded(Bool.self) {
      self = .bool(flag)
    } else if let number = decoded(Int64.self) {
      self = .number(String(number))
    } else if let number = decoded(UInt64.self) {
      self = .number(String(number))
    } else if let number = decoded(Double.self), number.isFinite {
      self = .number(number.description)
    } else if let text = decoded(String.self) {
      self = .string(text)
    } else if var elements = tried({ try decoder.unkeyedContainer() }) {
      var values: [JSONValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
      self = .array(values)
    } else if tried({ try decoder.container(keyedBy: AnyName.self) }) != nil {
      let members = try container.decode([String: JSONValue].self)
      self = .object(JSONObject(members.map { ($0.key, $0.value) }))
    } else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "no value of JSON, or a number that no `Double` holds")
    }
  }

  /// Writes the value; a number that neither 64 bits nor a `Double` hold is rounded.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .number(let text):
      if let number = Int64(text) {
        try container.encode(number)
      } else if let number = UInt64(text) {
        try container.encode(number)
      } else {
        try container.encode(Double(text))
      }
    case .string(let text): try container.encode(text)
    case .array(let values): try container.encode(values)
    case .object(let members): try members.encode(to: encoder)
    }
  }
}

/// Whether there is an object is all that it is asked for.
private struct AnyName: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KeyOrdered: Encodable where Value: Encodable {
  /// Writes an object with a value for each name.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    // The names of a dictionary are left alone by strategies for those of properties.
    try container.encode(
      Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension AttributeValue: Encodable {
  /// Writes the value; bytes as `{"base64":"…"}`.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws { try JSONValue(self).encode(to: encoder) }
}

extension Timestamp: Codable {
  /// The time that a text in RFC 3339 names.
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let time = Timestamp(rfc3339: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no RFC 3339 time")
    }
    self = time
  }

  /// Writes the time in RFC 3339, in UTC.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rfc3339)
  }
}

extension Event: Codable {
  /// The event that an object tells, by the rules of ``init(json:)``, with numbers as a decoder has
  /// them: 2.0 is whole.
  /// - Throws: `DecodingError` with what ``init(json:)`` throws below it.
  public init(from decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    do throws(CairnError) {
      try self.init(json: String(decoding: value.text, as: UTF8.self))
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error))
    }
  }

  /// Writes the object that ``init(json:)`` reads.
  /// - Throws: `badEvent` for what is no event, and what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject(json: json.utf8)?.encode(to: encoder)
  }
}

extension RecordedEvent: Encodable {
  /// Writes the object that ``json`` is.
  /// - Throws: `badEvent` as ``json`` does, and what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject(json: json.utf8)?.encode(to: encoder)
  }
}

extension Item: Encodable {
  private enum Key: String, CodingKey {
    case item, domain, title, attributes, sequence, expires
  }

  /// Writes `item`, `domain`, `title`, `attributes`, `sequence` and, where there is one, `expires`.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .item)
    try container.encode(domain, forKey: .domain)
    try container.encode(title, forKey: .title)
    try container.encode(attributes, forKey: .attributes)
    try container.encode(sequence, forKey: .sequence)
    try container.encodeIfPresent(expires, forKey: .expires)
  }
}

extension SearchHit: Encodable {
  private enum Key: String, CodingKey {
    case rank, item, domain, title, score, snippet, highlights
  }

  /// Writes `rank`, `item`, `domain`, `title`, `score`, `snippet` and, where there are some,
  /// `highlights`: pairs of where one begins and how many scalars it has.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(rank, forKey: .rank)
    try container.encode(item, forKey: .item)
    try container.encode(domain, forKey: .domain)
    try container.encode(title, forKey: .title)
    try container.encode(score, forKey: .score)
    try container.encode(snippet, forKey: .snippet)
    guard !highlights.isEmpty else { return }
    try container.encode(highlights.map { [$0.lowerBound, $0.count] }, forKey: .highlights)
  }
}

extension RankedItem: Encodable {
  private enum Key: String, CodingKey {
    case rank, item, domain, title, score, views, lastViewed
  }

  /// Writes `rank`, `item`, `domain`, `title`, `score`, `views` and `lastViewed`.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(rank, forKey: .rank)
    try container.encode(item, forKey: .item)
    try container.encode(domain, forKey: .domain)
    try container.encode(title, forKey: .title)
    try container.encode(score, forKey: .score)
    try container.encode(viewCount, forKey: .views)
    try container.encode(lastViewed, forKey: .lastViewed)
  }
}
