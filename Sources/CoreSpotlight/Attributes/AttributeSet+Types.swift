import Cairn

extension CSSearchableItemAttributeSet {
  /// The attributes that Apple's interface names; each is a property of a set, nil where it has no
  /// value.
  public struct KnownAttributes {
    /// An attribute by its name in queries, and how its values are kept.
    public struct Attribute<Value> {
      let name: String
      let read: (AttributeValue) -> Value?
      let write: (Value) -> AttributeValue?
    }
  }

  /// The value of a known attribute; setting nil notes a removal.
  public subscript<Value>(
    dynamicMember attribute: KeyPath<KnownAttributes, KnownAttributes.Attribute<Value>>
  ) -> Value? {
    get { self[KnownAttributes()[keyPath: attribute]] }
    set { self[KnownAttributes()[keyPath: attribute]] = newValue }
  }

  subscript<Value>(attribute: KnownAttributes.Attribute<Value>) -> Value? {
    get { self[attribute.name].flatMap(attribute.read) }
    set { self[attribute.name] = newValue.flatMap(attribute.write) }
  }

  subscript(name: String) -> AttributeValue? {
    get { storage { $0[name] } }
    set { storage { $0[name] = newValue ?? .null } }
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<String> {
  static func text(_ name: String) -> Self {
    Self(name: name, read: { $0.string }, write: { .string($0) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<[String]> {
  static func texts(_ name: String) -> Self {
    Self(
      name: name, read: { $0.elements { $0.string } },
      write: { .array($0.map { .string($0) }) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<NSNumber> {
  static func number(_ name: String) -> Self {
    Self(name: name, read: { $0.number }, write: { AttributeValue(number: $0) })
  }

  static func flag(_ name: String) -> Self {
    Self(name: name, read: { $0.number }, write: { AttributeValue(flag: $0) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<Date> {
  static func date(_ name: String) -> Self {
    Self(name: name, read: { $0.date }, write: { AttributeValue(date: $0) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<[Date]> {
  static func dates(_ name: String) -> Self {
    Self(
      name: name, read: { $0.elements { $0.date } },
      write: { .array($0.map { AttributeValue(date: $0) }) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<URL> {
  static func address(_ name: String) -> Self {
    Self(
      name: name, read: { $0.string.flatMap { URL(string: $0) } },
      write: { .string($0.absoluteString) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<Data> {
  static func bytes(_ name: String) -> Self {
    Self(name: name, read: { $0.bytes }, write: { .data(Array($0)) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<[CSPerson]> {
  static func persons(_ name: String) -> Self {
    Self(
      name: name, read: { $0.elements { $0.bytes.flatMap { CSPerson(archived: $0) } } },
      write: { .array($0.map { .data(Array($0.archived)) }) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<[String: [Any]]> {
  static func headers(_ name: String) -> Self {
    Self(
      name: name,
      // Bytes that another program stored there are no headers.
      read: {
        $0.bytes.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: [Any]]
      },
      write: { AttributeValue(headers: $0) })
  }
}

extension CSSearchableItemAttributeSet.KnownAttributes.Attribute<UTType> {
  static func type(_ name: String) -> Self {
    Self(
      name: name, read: { $0.string.map { UTType(importedAs: $0) } },
      write: { .string($0.identifier) })
  }
}
