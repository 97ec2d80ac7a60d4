/// A field that can be left out, taken away with `null`, or set.
public enum Change<Value> {
  /// Not mentioned.
  case absent
  /// `null`
  case cleared
  /// A new value.
  case value(Value)

  /// The value, if one is set.
  public var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

/// Something that happened, as a program gives it to the engine.
///
/// Every field but the kind may be left out as far as the kind allows it; who appends it checks. A
/// field that has no meaning for the kind is kept and given back.
public struct Event: Sendable {
  // `Optional` is spelled out because `T?` would give every field a first value, which then has to
  // be replaced: the compiler no longer sees that an event is made whole, and copies it once more.

  /// What happened.
  public var kind: EventKind
  /// The item it happened to, 1…4096 bytes of UTF-8.
  public var item: Optional<String>
  /// Where the item belongs, or what to delete.
  public var domain: Change<String>
  /// Delete everything.
  public var all: Bool
  /// When it happened; left out, when it was recorded.
  public var time: Optional<Timestamp>
  /// When it was appended.
  public var recorded: Optional<Timestamp>
  /// Its identity; left out, the log makes one.
  public var id: Optional<EventID>
  /// Who did it.
  public var actor: Optional<String>
  /// The app or importer that told.
  public var source: Optional<String>
  /// The visit it belongs to.
  public var session: Optional<String>
  /// What is known of the item.
  public var attributes: Attributes
  /// When the item goes; cleared: never.
  public var expires: Change<Timestamp>
  /// The text searched for.
  public var query: Optional<String>
  /// The rank chosen, from 1.
  public var position: Optional<Int64>
  /// The items on screen, in order.
  public var shown: [String]
  /// Seconds of attention.
  public var dwell: Optional<Double>
  /// Seconds from choice to content.
  public var latency: Optional<Double>
  /// Chosen on purpose.
  public var deliberate: Optional<Bool>
  /// The shape the attributes are in; left out, the current one.
  public var schema: Optional<UInt16>
  /// What the engine does not know, kept and given back.
  public var extras: JSONObject

  /// An event with the fields given.
  public init(
    kind: EventKind, item: String? = nil, domain: Change<String> = .absent, all: Bool = false,
    time: Timestamp? = nil, recorded: Timestamp? = nil, id: EventID? = nil, actor: String? = nil,
    source: String? = nil, session: String? = nil, attributes: Attributes = [:],
    expires: Change<Timestamp> = .absent, query: String? = nil, position: Int64? = nil,
    shown: [String] = [], dwell: Double? = nil, latency: Double? = nil, deliberate: Bool? = nil,
    schema: UInt16? = nil, extras: JSONObject = [:]
  ) {
    self.kind = kind
    self.item = item
    self.domain = domain
    self.all = all
    self.time = time
    self.recorded = recorded
    self.id = id
    self.actor = actor
    self.source = source
    self.session = session
    self.attributes = attributes
    self.expires = expires
    self.query = query
    self.position = position
    self.shown = shown
    self.dwell = dwell
    self.latency = latency
    self.deliberate = deliberate
    self.schema = schema
    self.extras = extras
  }
}
