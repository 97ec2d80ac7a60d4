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
    try whole(name, "takes a sequence number")
  }

  /// A whole number from 1.
  func positiveCount(_ name: String) throws(Refusal) -> Int? {
    let count: Int? = try whole(name, "takes a whole number from 1")
    guard count ?? 1 > 0 else { throw .parameter(name, "takes a whole number from 1") }
    return count
  }

  private func whole<Number: FixedWidthInteger>(_ name: String, _ wanted: String)
    throws(Refusal) -> Number?
  {
    switch self[name] {
    case nil, .null?: return nil
    case let value?:
      guard let number: Number = value.whole() else { throw .parameter(name, wanted) }
      return number
    }
  }
}

extension JSONValue {
  /// A whole number, also one that a client writes as `1000.0` or `1e3`, as those do that keep all
  /// numbers of JSON as doubles.
  func whole<Number: FixedWidthInteger>() -> Number? {
    guard case .number(let text) = self else { return nil }
    // Beyond that, a double may be another number than the text.
    return Number(text)
      ?? Double(text).flatMap { $0.magnitude < 0x1p53 ? Number(exactly: $0) : nil }
  }
}
