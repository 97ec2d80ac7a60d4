extension Event {
  /// An item that is there from now on, with all that is known of it.
  /// - Parameters:
  ///   - item: The item, 1…4096 bytes of UTF-8.
  ///   - title: What people call it; goes into the attributes.
  ///   - attributes: What else is known; replaces what was.
  ///   - domain: Where it belongs, components separated by dots.
  ///   - expires: When it goes; nil: never.
  /// - Returns: The event, to be appended.
  public static func index(
    _ item: String, title: String? = nil, attributes: Attributes = [:], domain: String? = nil,
    expires: Timestamp? = nil
  ) -> Event {
    Event(
      kind: .index, item: item, domain: domain.map { .value($0) } ?? .absent,
      attributes: attributes.adding(title: title), expires: expires.map { .value($0) } ?? .absent)
  }

  /// New values of some attributes of an item; the others stay.
  public static func update(_ item: String, title: String? = nil, attributes: Attributes = [:])
    -> Event
  { Event(kind: .update, item: item, attributes: attributes.adding(title: title)) }

  /// An item that is gone from now on; its history stays.
  public static func delete(_ item: String) -> Event { Event(kind: .delete, item: item) }

  /// All items of a domain, and of those below it, that are gone from now on.
  public static func delete(domain: String) -> Event {
    Event(kind: .delete, domain: .value(domain))
  }

  /// Every item is gone from now on.
  public static func deleteAll() -> Event { Event(kind: .delete, all: true) }

  /// Somebody looked at an item.
  /// - Parameters:
  ///   - item: The item.
  ///   - title: What people call it; makes the item where it is not there.
  ///   - domain: Where an item belongs that this makes.
  ///   - time: When it happened; nil: when it is appended.
  ///   - actor: Who did it.
  ///   - dwell: Seconds of attention.
  ///   - deliberate: Whether it was chosen on purpose.
  /// - Returns: The event, to be appended.
  public static func view(
    _ item: String, title: String? = nil, domain: String? = nil, time: Timestamp? = nil,
    actor: String? = nil, dwell: Double? = nil, deliberate: Bool? = nil
  ) -> Event {
    Event(
      kind: .view, item: item, domain: domain.map { .value($0) } ?? .absent, time: time,
      actor: actor, attributes: Attributes().adding(title: title), dwell: dwell,
      deliberate: deliberate)
  }

  /// Somebody chose an item of the results of a search.
  /// - Parameters:
  ///   - query: The text searched for.
  ///   - item: The item chosen.
  ///   - position: Its rank, from 1.
  ///   - shown: The items on screen, in order.
  ///   - latency: Seconds from choice to content.
  /// - Returns: The event, to be appended.
  public static func select(
    query: String, item: String, position: Int? = nil, shown: [String] = [],
    latency: Double? = nil
  ) -> Event {
    Event(
      kind: .select, item: item, query: query, position: position.map { Int64($0) }, shown: shown,
      latency: latency)
  }

  /// Somebody saw the results of a search.
  public static func impression(query: String, shown: [String]) -> Event {
    Event(kind: .impression, query: query, shown: shown)
  }
}

extension Attributes {
  fileprivate func adding(title: String?) -> Attributes {
    guard let title else { return self }
    var attributes = self
    attributes["title"] = .string(title)
    return attributes
  }
}
