public import FoundationEssentials

extension Event {
  /// An event by values of Swift: a domain in a variable, a `Date`, attributes of any kind.
  ///
  /// Every field is as in the form that takes Cairn's own types.
  @_disfavoredOverload public init(
    kind: EventKind, item: String? = nil, domain: String? = nil,
    time: (any TimestampConvertible)? = nil, id: UUID? = nil, actor: String? = nil,
    source: String? = nil, session: String? = nil,
    attributes: [String: any AttributeConvertible] = [:],
    expires: (any TimestampConvertible)? = nil, query: String? = nil, position: Int? = nil,
    shown: [String] = [], dwell: Double? = nil, latency: Double? = nil, deliberate: Bool? = nil
  ) {
    self.init(
      kind: kind, item: item, domain: domain, time: time, id: id, actor: actor, source: source,
      session: session, attributes: Attributes(attributes), expires: expires, query: query,
      position: position, shown: shown, dwell: dwell, latency: latency, deliberate: deliberate)
  }

  /// An event by values of Swift, with attributes that are there already.
  @_disfavoredOverload public init(
    kind: EventKind, item: String? = nil, domain: String? = nil,
    time: (any TimestampConvertible)? = nil, id: UUID? = nil, actor: String? = nil,
    source: String? = nil, session: String? = nil, attributes: Attributes,
    expires: (any TimestampConvertible)? = nil, query: String? = nil, position: Int? = nil,
    shown: [String] = [], dwell: Double? = nil, latency: Double? = nil, deliberate: Bool? = nil
  ) {
    let domain: Change<String> = domain.map { .value($0) } ?? .absent
    let expires: Change<Timestamp> = expires.map { .value($0.timestamp) } ?? .absent
    let id: EventID? = id.flatMap { EventID(uuidString: $0.uuidString) }
    self.init(
      kind: kind, item: item, domain: domain, all: false, time: time?.timestamp, id: id,
      actor: actor, source: source, session: session, attributes: attributes, expires: expires,
      query: query, position: position.map { Int64($0) }, shown: shown, dwell: dwell,
      latency: latency, deliberate: deliberate)
  }

  /// An item by values of Swift, that is there from now on.
  ///
  /// Every parameter is as in the form that takes Cairn's own types.
  @_disfavoredOverload public static func index(
    _ item: String, title: String? = nil, attributes: [String: any AttributeConvertible] = [:],
    domain: String? = nil, expires: (any TimestampConvertible)? = nil
  ) -> Event {
    .index(
      item, title: title, attributes: Attributes(attributes), domain: domain,
      expires: expires?.timestamp)
  }

  /// Somebody looked at an item, at a time of Swift's.
  @_disfavoredOverload public static func view(
    _ item: String, title: String? = nil, domain: String? = nil, time: any TimestampConvertible,
    actor: String? = nil, dwell: Double? = nil, deliberate: Bool? = nil
  ) -> Event {
    .view(
      item, title: title, domain: domain, time: time.timestamp, actor: actor, dwell: dwell,
      deliberate: deliberate)
  }

  /// New values of some attributes of an item, by values of Swift; nil takes one away.
  @_disfavoredOverload public static func update(
    _ item: String, title: String? = nil, attributes: [String: any AttributeConvertible]
  ) -> Event { .update(item, title: title, attributes: Attributes(attributes)) }
}
