import ArgumentParser
import Cairn

/// An attribute on the command line: `key=text`, or `key:=JSON` for any other value.
struct PairArgument: ExpressibleByArgument {
  let key: String
  let value: AttributeValue

  init?(argument: String) {
    // By bytes: with the tone of a skin or a joiner behind it the sign is another character.
    let bytes = argument.utf8
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > bytes.startIndex else {
      return nil
    }
    let name = argument[..<equals]
    let text = String(argument[bytes.index(after: equals)...])
    guard name.last == ":", name.count > 1 else {
      key = String(name)
      value = .string(text)
      return
    }
    // Nil is the parser's refusal; it names the argument.
    guard let json = try? JSONValue(parsing: Array(text.utf8).span),
      let value = AttributeValue(json, mayNest: true)
    else { return nil }
    key = String(name.dropLast())
    self.value = value
  }
}

extension AttributeValue {
  /// A value of JSON that an attribute may hold: a scalar or an array of scalars.
  fileprivate init?(_ json: JSONValue, mayNest: Bool) {
    switch json {
    case .bool(let bool): self = .bool(bool)
    case .string(let text): self = .string(text)
    case .number(let digits):
      if let integer = Int64(digits) {
        self = .integer(integer)
      } else if digits.contains(where: { ".eE".contains($0) }), let number = Double(digits),
        number.isFinite
      {
        self = .double(number)
      } else {
        // A whole number beyond 64 bits would be rounded, and another one be kept.
        return nil
      }
    case .array(let values) where mayNest:
      var elements: [AttributeValue] = []
      for value in values {
        guard let element = AttributeValue(value, mayNest: false) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case .array, .object, .null: return nil
    }
  }
}
