import Cairn
import Rows

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
