import Cairn

/// Attributes as a property list, for coders: removals are kept apart from values.
enum AttributeArchive {
  static func data(of attributes: Attributes) -> Data {
    var plain: [String: Any] = [:]
    for member in attributes { plain[member.key] = list(member.value) }
    let format = PropertyListSerialization.PropertyListFormat.binary
    // The values were made property lists above.
    let data = try? PropertyListSerialization.data(
      fromPropertyList: plain, format: format, options: 0)
    return data ?? Data()
  }

  static func values(in data: Data) -> Attributes? {
    // SAFETY: no place for the format is given, so nothing is written through a pointer.
    let plain = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    guard let plain = plain as? [String: [Any]] else { return nil }
    var attributes: Attributes = [:]
    for (name, value) in plain {
      guard let value = self.value(value) else { return nil }
      attributes[name] = value
    }
    return attributes
  }

  private static func list(_ value: AttributeValue) -> [Any] {
    switch value {
    case .null: ["null"]
    case .bool(let flag): ["bool", flag ? 1 : 0]
    case .integer(let integer): ["integer", String(integer)]
    case .double(let double): ["double", double]
    case .string(let text): ["string", text]
    case .data(let bytes): ["data", Data(bytes)]
    case .array(let elements): ["array"] + elements.map { list($0) }
    }
  }

  private static func value(_ list: [Any]) -> AttributeValue? {
    switch (list.first as? String, list.dropFirst().first) {
    case ("null", _): .null
    case ("bool", let flag as Int): .bool(flag != 0)
    case ("integer", let text as String): Int64(text).map { .integer($0) }
    case ("double", let double as Double): .double(double)
    case ("string", let text as String): .string(text)
    case ("data", let data as Data): .data(Array(data))
    case ("array", _): .array(list.dropFirst().compactMap { ($0 as? [Any]).flatMap { value($0) } })
    default: nil
    }
  }
}
