/// What an activity carries, as text: equal contents have equal texts.
///
/// Arrays, data, dates, dictionaries, null, numbers, sets, strings, URLs and UUIDs are kept, any
/// other value is left out.
enum UserInfoArchive {
  static func text(of entries: [AnyHashable: Any]) -> String { text(list(entries) ?? []) }

  static func entries(in text: String) -> [AnyHashable: Any] {
    // What is no archive of ours holds no entries.
    let list = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    return value(list as? [Any] ?? []) as? [AnyHashable: Any] ?? [:]
  }

  private static func text(_ list: [Any]) -> String {
    // The list was made of JSON's own types.
    let data = try? JSONSerialization.data(withJSONObject: list)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func list(_ value: Any) -> [Any]? {
    switch value {
    case let text as String: return ["string", text]
    // Numbers bridge to truth values and back: only the type itself tells them apart.
    case let flag as Bool where isTruth(value): return ["bool", flag ? "1" : "0"]
    case let integer as any BinaryInteger: return ["integer", String(describing: integer)]
    // Foundation's numbers, as far as they are whole.
    case let integer as Int: return ["integer", String(integer)]
    case let integer as UInt64: return ["integer", String(integer)]
    case let number as Double: return ["double", String(number.bitPattern)]
    case let number as CGFloat: return ["double", String(Double(number).bitPattern)]
    case let number as NSNumber: return ["double", String(number.doubleValue.bitPattern)]
    case let date as Date: return ["date", String(date.timeIntervalSinceReferenceDate.bitPattern)]
    case let data as Data: return ["data", data.base64EncodedString()]
    case let address as URL: return ["url", address.absoluteString]
    case let identifier as UUID: return ["uuid", identifier.uuidString]
    case is NSNull: return ["null"]
    case let set as Set<AnyHashable>:
      return ["set"] + set.compactMap { list($0.base) }.sorted { text($0) < text($1) }
    case let array as [Any]: return ["array"] + array.compactMap { list($0) }
    case let entries as [AnyHashable: Any]:
      let pairs: [[Any]] = entries.compactMap { key, value in
        guard let key = list(key.base), let value = list(value) else { return nil }
        return [key, value]
      }
      return ["dictionary"] + pairs.sorted { text($0) < text($1) }
    default: return nil
    }
  }

  private static func isTruth(_ value: Any) -> Bool {
    type(of: value) == Bool.self || type(of: value) == type(of: NSNumber(value: true))
  }

  /// A value with numbers as Foundation's, which cast to every type of Swift that holds them.
  private static func member(_ list: [Any]) -> Any? { value(list).map { $0 as? NSNumber ?? $0 } }

  /// A value with numbers as Swift's, by which keys and elements of sets are looked up.
  private static func value(_ list: [Any]) -> Any? {
    let rest = list.dropFirst()
    let lists = rest.compactMap { $0 as? [Any] }
    let text = rest.first as? String ?? ""
    switch list.first as? String {
    case "string": return text
    case "bool": return text == "1"
    case "integer":
      if let whole = Int(text) { return whole }
      return UInt64(text)
    case "double": return UInt64(text).map { Double(bitPattern: $0) }
    case "date":
      return UInt64(text).map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
    case "data": return Data(base64Encoded: text)
    case "url": return URL(string: text)
    case "uuid": return UUID(uuidString: text)
    case "null": return NSNull()
    case "set": return Set(lists.compactMap { value($0) as? AnyHashable })
    case "array": return lists.compactMap { member($0) }
    case "dictionary":
      var entries: [AnyHashable: Any] = [:]
      for pair in lists where pair.count == 2 {
        guard let key = (pair[0] as? [Any]).flatMap({ value($0) }) as? AnyHashable,
          let value = (pair[1] as? [Any]).flatMap({ member($0) })
        else { continue }
        entries[key] = value
      }
      return entries
    default: return nil
    }
  }
}
