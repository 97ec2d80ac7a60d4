import Events

extension UpcasterStep {
  /// The step that leads back as far as one can; nil where what was written stays.
  package var inverse: UpcasterStep? {
    switch operation {
    case .rename(let from, let to): step(.rename(from: to, to: from))
    case .split(let from, let to, let at): step(.join(from: to, to: from, with: at))
    case .splitIntoArray(let from, let to, let at):
      step(.joinArray(from: to, to: from, with: at))
    case .join(let from, let to, let with): step(.split(from: to, to: from, at: with))
    case .joinArray(let from, let to, let with):
      step(.splitIntoArray(from: to, to: from, at: with))
    case .map(let key, let values, nil):
      Self.reversed(values).map {
        step(.map(key: key, values: $0, otherwise: nil))
      }
    case .move(let to): UpcasterStep(domain: to, .move(to: domain))
    case .map, .convert, .default, .drop: nil
    }
  }

  private func step(_ operation: Operation) -> UpcasterStep {
    UpcasterStep(domain: domain, operation)
  }

  /// The table read backwards; nil where two values become one, or one goes.
  private static func reversed(_ values: KeyOrdered<AttributeValue>) -> KeyOrdered<AttributeValue>?
  {
    var pairs: [(text: String, key: String)] = []
    for member in values {
      guard let text = member.value.lookupText, member.value != .null else { return nil }
      pairs.append((text, member.key))
    }
    pairs.sort { $0.text.precedesCanonically($1.text) }
    var table: KeyOrdered<AttributeValue> = [:]
    for pair in pairs {
      guard table[pair.text] == nil else { return nil }
      table[pair.text] = .string(pair.key)
    }
    return table
  }
}

extension AttributeValue {
  /// By what a map finds it: a text by itself, else its JSON text, whole numbers without point; nil
  /// for what no map knows.
  var lookupText: String? {
    switch self {
    case .string(let text): text
    case .integer(let value): String(value)
    case .bool(let value): value ? "true" : "false"
    case .null: "null"
    case .double(let value): JSONText.plainText(value)
    case .data, .array: nil
    }
  }
}
