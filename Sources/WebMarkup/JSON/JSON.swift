import Events

/// A JSON value, its members in the order of the text.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number, by its text.
  case number(String)
  case string(String)
  case array([JSON])
  /// Values by name, in the order of the text, each name once.
  case object(Members)

  package struct Members: Sendable, Equatable {
    /// In the order of the text; of a name that comes twice the last value, at its first place.
    package private(set) var list: [(key: String, value: JSON)] = []
    private var places: [String: Int] = [:]

    package init() {}

    /// The value of a name; O(1).
    subscript(key: String) -> JSON? {
      get { places[key].map { list[$0].value } }
      set {
        guard let newValue else { return }
        if let place = places[key] {
          list[place].value = newValue
        } else {
          places[key] = list.count
          list.append((key, newValue))
        }
      }
    }

    /// Adds a value to the array of a name.
    mutating func append(_ value: JSON, to key: String) {
      guard let place = places[key], case .array(var values) = list[place].value else {
        self[key] = .array([value])
        return
      }
      // Taken out while it grows, so that it is not copied.
      list[place].value = .null
      values.append(value)
      list[place].value = .array(values)
    }

    /// Whether the same names have the same values, whatever their order.
    package static func == (a: Self, b: Self) -> Bool {
      a.list.count == b.list.count && a.list.allSatisfy { b[$0.key] == $0.value }
    }
  }
}

extension JSON {
  /// Makes an object of members in order.
  static func members(_ list: KeyValuePairs<String, JSON>) -> JSON {
    var members = Members()
    for (key, value) in list { members[key] = value }
    return .object(members)
  }

  static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

  static func texts(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }

  static func integer(_ number: some BinaryInteger) -> JSON { .number(String(number)) }

  subscript(key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }

  var array: [JSON]? { if case .array(let values) = self { values } else { nil } }

  /// The values of an array, or this one alone.
  var elements: [JSON] { array ?? [self] }

  /// The value as JSON text without blanks.
  package var bytes: [UInt8] {
    var result: [UInt8] = []
    append(to: &result)
    return result
  }

  /// Appends the value as JSON text without blanks.
  package func append(to result: inout [UInt8]) {
    switch self {
    case .null: result.append("null")
    case .bool(let value): result.append(value ? "true" : "false")
    case .number(let text): result += text.utf8
    case .string(let text): JSONText.append(text, to: &result)
    case .array(let values): JSONText.appendArray(values, to: &result) { $0.append(to: &$1) }
    case .object(let members):
      JSONText.appendObject(members.list.lazy.map { ($0.key, $0.value) }, to: &result) {
        $0.append(to: &$1)
      }
    }
  }
}
