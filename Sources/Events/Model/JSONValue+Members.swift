// What a value is, asked for by who knows what it should be.

extension JSONValue {
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  package var object: JSONObject? { if case .object(let members) = self { members } else { nil } }

  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// A number that the type asked for can hold.
  package func number<Number: LosslessStringConvertible>(_ type: Number.Type = Number.self)
    -> Number?
  {
    if case .number(let digits) = self { Number(digits) } else { nil }
  }
}
