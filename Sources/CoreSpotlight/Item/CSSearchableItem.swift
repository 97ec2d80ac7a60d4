import Cairn

/// Something that can be found.
///
/// May be used by several threads.
open class CSSearchableItem: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe to share: everything that changes lies behind one lock.
  /// How long an item is kept when the application says nothing: thirty days.
  public static let defaultLifetime: TimeInterval = 30 * 86_400

  struct State {
    var identifier: String
    var domain: Change<String>
    var attributeSet: CSSearchableItemAttributeSet
    /// The application's own date; nil for the default.
    var expiration: Date?
    var created: Date
    var isUpdate = false
    var options: CSSearchableItem.UpdateListenerOptions = []
    /// Whether the item was handed to an index, which fixes its identifier.
    var isIndexed = false
    /// Its place among the results of the query that found it.
    var rank: Int?
    /// What it is called in the store, where that is not its identifier.
    var record: String?
  }

  let state: Guarded<State>

  /// Makes an item.
  /// - Parameters:
  ///   - uniqueIdentifier: Its name in the application; a new UUID for nil.
  ///   - domainIdentifier: Where it belongs: names with dots between them.
  ///   - attributeSet: What is known of it.
  public init(
    uniqueIdentifier: String?, domainIdentifier: String?, attributeSet: CSSearchableItemAttributeSet
  ) {
    state = Guarded(
      State(
        identifier: uniqueIdentifier ?? UUID().uuidString,
        domain: domainIdentifier.map { .value($0) } ?? .absent, attributeSet: attributeSet,
        created: IndexLocation.now()))
    super.init()
  }

  init(_ state: State) {
    self.state = Guarded(state)
    super.init()
  }

  /// Its name in the application; fixed once it was indexed.
  open var uniqueIdentifier: String {
    get { state { $0.identifier } }
    set { state { if !$0.isIndexed { $0.identifier = newValue } } }
  }

  /// Where it belongs: names with dots between them.
  open var domainIdentifier: String? {
    get { state { $0.domain.value } }
    set { state { $0.domain = newValue.map { .value($0) } ?? .cleared } }
  }

  /// When it goes; nil sets the default again.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var expirationDate: Date! {
    get { state { $0.expiration ?? $0.created.addingTimeInterval(Self.defaultLifetime) } }
    set { state { $0.expiration = newValue } }
  }

  /// What is known of it.
  open var attributeSet: CSSearchableItemAttributeSet {
    get { state { $0.attributeSet } }
    set { state { $0.attributeSet = newValue } }
  }

  /// Whether indexing it merges its attributes into an item that is there, and else does nothing.
  open var isUpdate: Bool {
    get { state { $0.isUpdate } }
    set { state { $0.isUpdate = newValue } }
  }

  /// What the application wants to hear about; kept, and of no effect on Linux.
  open var updateListenerOptions: UpdateListenerOptions {
    get { state { $0.options } }
    set { state { $0.options = newValue } }
  }

  /// Its order before or after another result of the same query.
  ///
  /// - Returns: Ascending when it ranks before the other; those without a rank come last.
  open func compare(byRank other: CSSearchableItem) -> ComparisonResult {
    // Those behind the last one that is ranked have no rank.
    let mine = state { $0.rank } ?? .max
    let theirs = other.state { $0.rank } ?? .max
    return mine < theirs ? .orderedAscending : mine > theirs ? .orderedDescending : .orderedSame
  }

  /// An item with the same content that changes independently, and is itself not yet indexed.
  open func copy(with zone: NSZone? = nil) -> Any {
    var copied = state { $0 }
    copied.isIndexed = false
    copied.attributeSet =
      copied.attributeSet.copy() as? CSSearchableItemAttributeSet ?? copied.attributeSet
    return CSSearchableItem(copied)
  }

  /// What it is, for whoever prints it.
  open override var description: String {
    let place = domainIdentifier.map { " in \($0)" } ?? ""
    return "CSSearchableItem \(uniqueIdentifier)\(place): \(attributeSet.description)"
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the item.
  open func encode(with coder: NSCoder) {
    let state = state { $0 }
    coder.encode(state.identifier as NSString, forKey: "identifier")
    coder.encode(state.domain.value as NSString?, forKey: "domain")
    coder.encode(state.domain == .cleared, forKey: "isDomainCleared")
    coder.encode(state.attributeSet, forKey: "attributes")
    coder.encode(state.expiration as NSDate?, forKey: "expiration")
    coder.encode(state.created as NSDate, forKey: "created")
    coder.encode(state.isUpdate, forKey: "isUpdate")
    coder.encode(Int(bitPattern: state.options.rawValue), forKey: "options")
    coder.encode(state.record as NSString?, forKey: "record")
  }

  /// Reads what `encode(with:)` wrote.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier"),
      let attributes = coder.decodeObject(
        of: CSSearchableItemAttributeSet.self, forKey: "attributes"),
      let created = coder.decodeObject(of: NSDate.self, forKey: "created")
    else { return nil }
    let domain = coder.decodeObject(of: NSString.self, forKey: "domain")
    let otherwise: Change<String> = coder.decodeBool(forKey: "isDomainCleared") ? .cleared : .absent
    let options = UInt(bitPattern: coder.decodeInteger(forKey: "options"))
    let expiration = coder.decodeObject(of: NSDate.self, forKey: "expiration")
    let record = coder.decodeObject(of: NSString.self, forKey: "record")
    state = Guarded(
      State(
        identifier: identifier as String, domain: domain.map { .value($0 as String) } ?? otherwise,
        attributeSet: attributes, expiration: expiration.map { $0 as Date },
        created: created as Date, isUpdate: coder.decodeBool(forKey: "isUpdate"),
        options: UpdateListenerOptions(rawValue: options), record: record.map { $0 as String }))
    super.init()
  }
}

extension CSSearchableItem {
  /// What an application wants to hear about of an item.
  public struct UpdateListenerOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes a set from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A summary of its text.
    public static let summarization = UpdateListenerOptions(rawValue: 1 << 1)
    /// Whether it matters.
    public static let priority = UpdateListenerOptions(rawValue: 1 << 2)
  }
}

/// What an application wants to hear about of an item.
public typealias CSSearchableItemUpdateListenerOptions = CSSearchableItem.UpdateListenerOptions
