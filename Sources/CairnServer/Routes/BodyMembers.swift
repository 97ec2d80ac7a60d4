import Cairn

/// The members of a body; null is as good as none.
extension JSONObject {
  func text(_ name: String) throws(Refusal) -> String? {
    switch self[name] {
    case nil, .null?: nil
    case .string(let text)?: text
    default: throw .parameter(name, "takes a text")
    }
  }

  func requiredText(_ name: String) throws(Refusal) -> String {
    guard let text = try text(name), !text.isEmpty else {
      throw .parameter(name, "takes a text that is not empty")
    }
    return text
  }

  func flag(_ name: String) throws(Refusal) -> Bool {
    switch self[name] {
    case nil, .null?: false
    case .bool(let value)?: value
    default: throw .parameter(name, "takes true or false")
    }
  }

  func sequence(_ name: String) throws(Refusal) -> UInt64? {
    try number(name, "takes a sequence number") { UInt64($0) }
  }

  /// A whole number from 1.
  func positiveCount(_ name: String) throws(Refusal) -> Int? {
    let count = try number(name, "takes a whole number from 1") { Int($0) }
    guard count ?? 1 > 0 else { throw .parameter(name, "takes a whole number from 1") }
    return count
  }

  private func number<Number>(_ name: String, _ wanted: String, _ read: (String) -> Number?)
    throws(Refusal) -> Number?
  {
    switch self[name] {
    case nil, .null?: return nil
    case .number(let digits)?:
      if let number = read(digits) { return number }
    default: break
    }
    throw .parameter(name, wanted)
  }
}
