import Cairn

extension CSSearchableItemAttributeSet {
  /// Sets an attribute of the application's own.
  ///
  /// Values are texts, numbers, dates, data, `NSNull`, persons, or arrays of one of these. Nil and
  /// `NSNull` note that the attribute was removed; so does any other value.
  public func setValue(_ value: Any?, forCustomKey key: CSCustomAttributeKey) {
    let forms = CustomForms(value, key)
    let named = [
      (key.keyName, forms.plain), (CustomAttribute.date(key.keyName), forms.dates),
      (CustomAttribute.opaque(key.keyName), forms.persons),
    ]
    storage { storage in
      for (name, form) in named {
        storage[Reserved.customName(name)] = key.isSearchable ? nil : form
        storage[name] = key.isSearchable ? form : .null
      }
      storage[CustomAttribute.searched(key.keyName)] = forms.searched
    }
  }

  /// The value of an attribute of the application's own.
  ///
  /// Apple's form gives `any NSSecureCoding`, which casts to no Swift type on Linux.
  public func value(forCustomKey key: CSCustomAttributeKey) -> Any? {
    let name = key.keyName
    return held(name) { Self.scalar($0) }
      ?? held(CustomAttribute.date(name)) { $0.date.map { $0 as NSDate } }
      ?? held(CustomAttribute.opaque(name)) { $0.bytes.flatMap { CSPerson(archived: $0) } }
  }

  /// What is under a name, or where queries may not find it.
  private func held(_ name: String, _ scalar: (AttributeValue) -> (any NSSecureCoding)?)
    -> (any NSSecureCoding)?
  {
    let (plain, hidden) = storage { storage in
      (storage[name], storage[Reserved.customName(name)])
    }
    return plain.flatMap { Self.object($0, scalar) } ?? hidden.flatMap { Self.object($0, scalar) }
  }

  /// The value of an attribute of the application's own; see `setValue(_:forCustomKey:)`.
  public subscript(key: CSCustomAttributeKey) -> Any? {
    get { value(forCustomKey: key) }
    set { setValue(newValue, forCustomKey: key) }
  }

  private static func object(
    _ value: AttributeValue, _ scalar: (AttributeValue) -> (any NSSecureCoding)?
  ) -> (any NSSecureCoding)? {
    guard case .array(let elements) = value else { return scalar(value) }
    return NSArray(array: elements.compactMap { scalar($0) })
  }

  private static func scalar(_ value: AttributeValue) -> (any NSSecureCoding)? {
    switch value {
    case .string(let text): text as NSString
    case .data(let bytes): Data(bytes) as NSData
    default: value.number
    }
  }
}

/// A custom value in the forms in which a store holds it; null where it has no such form.
private struct CustomForms {
  var plain = AttributeValue.null
  var dates = AttributeValue.null
  var persons = AttributeValue.null
  var searched = AttributeValue.null

  init(_ value: Any?, _ key: CSCustomAttributeKey) {
    let elements = Self.elements(value)
    guard let first = (elements ?? [value].compactMap { $0 }).first else {
      if elements != nil { plain = .array([]) }
      return
    }
    func form(_ read: (Any) -> AttributeValue?) -> AttributeValue {
      if let elements { return .array(elements.compactMap(read)) }
      return value.flatMap(read) ?? .null
    }
    switch first {
    case is Date, is NSDate: dates = form { ($0 as? Date).map { AttributeValue(date: $0) } }
    case is CSPerson: persons = form { ($0 as? CSPerson).map { .data(Array($0.archived)) } }
    default: plain = form { Self.scalar($0) }
    }
    if key.isSearchableByDefault {
      let texts = form { Self.text($0).map { .string($0) } }
      if texts != .array([]) { searched = texts }
    }
  }

  private static func elements(_ value: Any?) -> [Any]? {
    if let array = value as? [Any] { return array }
    return (value as? NSArray).map { array in array.map { $0 } }
  }

  private static func text(_ value: Any) -> String? {
    if let localized = value as? CSLocalizedString { return localized.localizedString() }
    if let person = value as? CSPerson { return person.displayName }
    return value as? String ?? (value as? NSString).map { $0 as String }
  }

  private static func scalar(_ value: Any) -> AttributeValue? {
    if let text = text(value) { return .string(text) }
    if let data = value as? Data { return .data(Array(data)) }
    return (value as? NSNumber).map { AttributeValue(number: $0) }
  }
}
