import Cairn

/// What is known of a searchable item.
///
/// Every attribute has three states: never set, set, and removed on purpose by assigning nil. They
/// read alike as nil where there is no value; an item whose `isUpdate` is true keeps the first,
/// writes the second and takes away the third. May be used by several threads.
open class CSSearchableItemAttributeSet: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe to share: everything lies behind one lock.
  let storage: Guarded<AttributeStorage>

  /// Makes a set for content of a type.
  public init(contentType: UTType) {
    storage = Guarded(AttributeStorage())
    super.init()
    self.contentType = contentType.identifier
  }

  /// Makes a set for content of a type, by any text that names it.
  @available(*, deprecated, message: "Use init(contentType:)") public init(
    itemContentType type: String
  ) {
    storage = Guarded(AttributeStorage())
    super.init()
    contentType = type
  }

  /// Makes a set of which nothing is known, not even a type.
  public override convenience init() { self.init(AttributeStorage()) }

  init(_ values: AttributeStorage) {
    storage = Guarded(values)
    super.init()
  }

  /// What it holds, for whoever prints it.
  open override var description: String {
    let members = storage { $0.values }.map { "\($0.key) = \(Self.text($0.value))" }
    return "CSSearchableItemAttributeSet { \(members.joined(separator: ", ")) }"
  }

  /// A set with the same attributes that changes independently.
  open func copy(with zone: NSZone? = nil) -> Any { CSSearchableItemAttributeSet(storage { $0 }) }

  /// Takes every attribute of another set, which has none afterwards.
  open func move(from sourceAttributeSet: CSSearchableItemAttributeSet) {
    guard sourceAttributeSet !== self else { return }
    let taken = sourceAttributeSet.storage { source in
      let all = source
      source = AttributeStorage()
      return all
    }
    storage { $0.merge(taken) }
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes all attributes and their states.
  open func encode(with coder: NSCoder) {
    let values = storage { $0.values }
    coder.encode(AttributeArchive.data(of: values) as NSData, forKey: "attributes")
  }

  /// Reads what `encode(with:)` wrote.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "attributes"),
      let values = AttributeArchive.values(in: Data(referencing: data))
    else { return nil }
    storage = Guarded(AttributeStorage(values))
    super.init()
  }

  /// Where it belongs: the same as the item's own `domainIdentifier`, which goes before it.
  open var domainIdentifier: String? {
    get { self[text: "domainIdentifier"] }
    set { self[text: "domainIdentifier"] = newValue }
  }

  /// How much it matters beside the application's other items, from 0 to 100.
  ///
  /// Numbers outside become the nearer end.
  open var rankingHint: NSNumber? {
    get { self[number: "rankingHint"] }
    set {
      self[number: "rankingHint"] = newValue.map { hint in
        (0...100).contains(hint.doubleValue) ? hint : hint.doubleValue > 0 ? 100 : 0
      }
    }
  }

  /// The identifiers of actions that a result offers.
  open var actionIdentifiers: [String] {
    get { self[texts: "actionIdentifiers"] ?? [] }
    set { self[texts: "actionIdentifiers"] = newValue }
  }
}

extension CSSearchableItemAttributeSet {
  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): "\(flag)"
    case .integer(let whole): "\(whole)"
    case .double(let number): "\(number)"
    case .string(let text): text
    case .data(let bytes): "\(bytes.count) bytes"
    case .array(let elements): "[\(elements.map(text).joined(separator: ", "))]"
    }
  }
}

/// The attributes of a set: values, and null for those removed on purpose.
struct AttributeStorage: Sendable {
  /// The stored item they come from, until one of them is asked for.
  private var source: Cairn.Item?
  /// The names that may be taken from the source; nil for all.
  private var wanted: Set<String>?
  private var loaded: Attributes = [:]

  init(_ values: Attributes = [:]) { loaded = values }

  init(of item: Cairn.Item, wanted: Set<String>?) {
    source = item
    self.wanted = wanted
  }

  /// By name, null for what was removed on purpose.
  var values: Attributes {
    mutating get {
      load()
      return loaded
    }
  }

  subscript(name: String) -> AttributeValue? {
    mutating get {
      load()
      return loaded[name]
    }
    set {
      load()
      loaded[name] = newValue
    }
  }

  mutating func merge(_ other: AttributeStorage) {
    var other = other
    for member in other.values { self[member.key] = member.value }
  }

  private mutating func load() {
    guard let item = source else { return }
    source = nil
    for member in item.attributes where !Reserved.isHidden(member.key) && wants(member.key) {
      loaded[member.key] = member.value
    }
    if let domain = item.domain, wants("domainIdentifier") {
      loaded["domainIdentifier"] = .string(domain)
    }
  }

  private func wants(_ name: String) -> Bool {
    guard let wanted else { return true }
    return wanted.contains(name) || wanted.contains(Reserved.customKey(of: name) ?? name)
  }
}
