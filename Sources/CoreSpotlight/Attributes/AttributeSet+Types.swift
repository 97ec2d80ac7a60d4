import Cairn

// Attributes by name, as the types that Apple's interface gives them. Setting nil notes a removal.

extension CSSearchableItemAttributeSet {
  subscript(name: String) -> AttributeValue? {
    get { storage { $0[name] } }
    set { storage { $0[name] = newValue ?? .null } }
  }

  subscript(text name: String) -> String? {
    get { self[name]?.string }
    set { self[name] = newValue.map { .string($0) } }
  }

  subscript(texts name: String) -> [String]? {
    get { self[name]?.elements { $0.string } }
    set { self[name] = newValue.map { .array($0.map { .string($0) }) } }
  }

  subscript(number name: String) -> NSNumber? {
    get { self[name]?.number }
    set { self[name] = newValue.map { AttributeValue(number: $0) } }
  }

  subscript(flag name: String) -> NSNumber? {
    get { self[name]?.number }
    set { self[name] = newValue.map { AttributeValue(flag: $0) } }
  }

  subscript(date name: String) -> Date? {
    get { self[name]?.date }
    set { self[name] = newValue.map { AttributeValue(date: $0) } }
  }

  subscript(dates name: String) -> [Date]? {
    get { self[name]?.elements { $0.date } }
    set { self[name] = newValue.map { .array($0.map { AttributeValue(date: $0) }) } }
  }

  subscript(address name: String) -> URL? {
    get { self[name]?.string.flatMap { URL(string: $0) } }
    set { self[name] = newValue.map { .string($0.absoluteString) } }
  }

  subscript(bytes name: String) -> Data? {
    get { self[name]?.bytes }
    set { self[name] = newValue.map { .data(Array($0)) } }
  }

  subscript(persons name: String) -> [CSPerson]? {
    get { self[name]?.elements { $0.bytes.flatMap { CSPerson(archived: $0) } } }
    set { self[name] = newValue.map { .array($0.map { .data(Array($0.archived)) }) } }
  }

  subscript(headers name: String) -> [String: [Any]]? {
    get {
      // Bytes that another program stored there are no headers.
      self[name]?.bytes.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: [Any]]
    }
    set { self[name] = newValue.flatMap { AttributeValue(headers: $0) } }
  }

  subscript(type name: String) -> UTType? {
    get { self[name]?.string.map { UTType(importedAs: $0) } }
    set { self[name] = newValue.map { .string($0.identifier) } }
  }
}
