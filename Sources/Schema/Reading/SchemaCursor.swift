import Events

/// An object of a schema file, of which every key is either taken or refused.
struct SchemaCursor {
  let place: JSONPlace
  private let members: [(key: String, value: SchemaJSON)]

  /// - Throws: Rule `type` for what is no object, rule `key` for a key that is not among those
  ///   known.
  init(_ json: SchemaJSON, at place: JSONPlace, keys: Set<String>?) throws(SchemaFault) {
    guard case .object(let members) = json else {
      throw SchemaFault(place, .type, "an object belongs here, not \(json.typeName)")
    }
    self.place = place
    self.members = members
    guard let keys else { return }
    for member in members where !keys.contains(member.key) {
      throw SchemaFault(
        place / member.key, .key, "unknown key; known are: \(keys.sorted().joined(separator: ", "))"
      )
    }
  }

  var all: [(key: String, value: SchemaJSON)] { members }

  subscript(key: String) -> SchemaJSON? { members.first { $0.key.hasBytes(of: key) }?.value }

  func required(_ key: String) throws(SchemaFault) -> SchemaJSON {
    guard let value = self[key] else { throw missing(key) }
    return value
  }

  private func missing(_ key: String) -> SchemaFault {
    SchemaFault(place / key, .key, "this key is missing")
  }

  func string(_ key: String) throws(SchemaFault) -> String? {
    guard let value = self[key] else { return nil }
    guard case .string(let text) = value else {
      throw SchemaFault(place / key, .type, "a text belongs here, not \(value.typeName)")
    }
    return text
  }

  func requiredString(_ key: String) throws(SchemaFault) -> String {
    guard let text = try string(key) else { throw missing(key) }
    return text
  }

  func flag(_ key: String) throws(SchemaFault) -> Bool? {
    guard let value = self[key] else { return nil }
    guard case .bool(let flag) = value else {
      throw SchemaFault(place / key, .type, "true or false belongs here, not \(value.typeName)")
    }
    return flag
  }

  /// One of some words.
  func word<Word: RawRepresentable & CaseIterable>(_ key: String) throws(SchemaFault) -> Word?
  where Word.RawValue == String {
    guard let text = try string(key) else { return nil }
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw SchemaFault(place / key, .type, "unknown word; give one of \(known)")
    }
    return word
  }

  func requiredWord<Word: RawRepresentable & CaseIterable>(_ key: String) throws(SchemaFault)
    -> Word
  where Word.RawValue == String {
    guard let found: Word = try word(key) else { throw missing(key) }
    return found
  }

  func strings(_ key: String) throws(SchemaFault) -> [String]? {
    guard let value = self[key] else { return nil }
    guard case .array(let elements) = value else {
      throw SchemaFault(place / key, .type, "an array of texts belongs here")
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else {
        throw SchemaFault(place / key / index, .type, "a text belongs here")
      }
      texts.append(text)
    }
    return texts
  }

  /// A number that is written in digits alone, to the last one.
  func wholeNumber(_ key: String) -> Int? {
    if case .number(let text)? = self[key] { Int(text) } else { nil }
  }

  func number(_ key: String) throws(SchemaFault) -> Double? {
    guard let value = self[key] else { return nil }
    guard case .number(let text) = value else {
      throw SchemaFault(place / key, .type, "a number belongs here, not \(value.typeName)")
    }
    guard let number = Double(text), number.isFinite else {
      throw SchemaFault(place / key, .limit, "the number is beyond what a double holds")
    }
    return number
  }
}

extension AttributeValue {
  /// A value of a schema file: a scalar or, where allowed, an array of scalars.
  /// - Throws: Rule `type` for an object or an array that is not allowed, `limit` for a number that
  ///   nothing can hold.
  init(_ json: SchemaJSON, at place: JSONPlace, allowsArray: Bool) throws(SchemaFault) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .string(let text): self = .string(text)
    case .number(let text):
      // Minus zero is a double only, as in events.
      if let whole = Int64(text), whole != 0 || text == "0" {
        self = .integer(whole)
      } else if let number = Double(text), number.isFinite {
        self = .double(number)
      } else {
        throw SchemaFault(place, .limit, "the number is beyond what a double holds")
      }
    case .array(let elements) where allowsArray:
      var values: [AttributeValue] = []
      for (index, element) in elements.enumerated() {
        values.append(try AttributeValue(element, at: place / index, allowsArray: false))
      }
      self = .array(values)
    default:
      throw SchemaFault(place, .type, "\(json.typeName) cannot be the value of an attribute here")
    }
  }
}
