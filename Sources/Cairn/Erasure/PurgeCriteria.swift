/// Which events a purge erases: those for which all conditions hold that are set.
public struct PurgeCriteria: Sendable, Hashable {
  /// Events that belong to this domain or below it.
  public var domain: String?
  /// Events about this item.
  public var item: String?
  /// Events of this kind.
  public var kind: EventKind?
  /// Events of this actor.
  public var actor: String?
  /// Events of this visit.
  public var session: String?
  /// Events on this device, which an event's key `device` names.
  public var device: String?
  /// Events that this app or importer told.
  public var source: String?
  /// Selections and impressions whose typed text has this in it; letter case does not count.
  public var query: String?
  /// Events in which this text stands: in an id, a domain, a title or another attribute, a typed
  /// text, an actor or a key of one's own; case, accents and width count as little as in a search,
  /// blanks and line breaks are alike, and what a URL has in percent signs is read.
  public var mention: String?
  /// Events about items that are there now and pass this expression of the query language.
  public var filter: String?
  /// Events that happened then or later.
  public var since: Timestamp?
  /// Events that happened then or earlier.
  public var until: Timestamp?
  /// Events with sequences in one of these ranges; nil for all, none for an empty list.
  public var sequences: [ClosedRange<UInt64>]?

  /// No condition, which matches nothing.
  public init() {}

  /// Whether no condition is set.
  public var isEmpty: Bool { self == PurgeCriteria() }
}

extension PurgeCriteria {
  /// The conditions that records of the timeline can answer, rounded so that none is missed.
  var recordQuery: EventQuery {
    var query = EventQuery(item: item, domain: domain, kind: kind, actor: actor)
    query.since = since
    query.until = until
    return query
  }

  /// Whether all conditions hold that an event tells by itself; `text` is the mention.
  func matches(_ event: Event, _ text: MentionedText?) -> Bool {
    if let actor, !event.actor.hasBytes(of: actor) { return false }
    if let session, !event.session.hasBytes(of: session) { return false }
    if let source, !event.source.hasBytes(of: source) { return false }
    if let device, event.extras["device"] != .string(device) { return false }
    if let query {
      guard let typed = event.query?.lowercased(), typed.contains(query.lowercased()) else {
        return false
      }
    }
    if let text, !event.mentions(text) { return false }
    guard let time = event.time ?? event.recorded else { return since == nil && until == nil }
    return (since.map { $0 <= time } ?? true) && (until.map { time <= $0 } ?? true)
  }

  /// The sequences asked for, of which a log never has the last one; nil for all.
  var sequenceSet: RangeSet<UInt64>? {
    sequences.map { ranges in
      RangeSet(ranges.map { $0.lowerBound..<($0.upperBound == .max ? .max : $0.upperBound + 1) })
    }
  }

  /// Throws for what can match nothing by mistake.
  func check() throws(CairnError) {
    guard !isEmpty else { throw CairnError(.badArgument, "a purge needs a condition") }
    if let domain { try PurgeScope.check(domain: domain) }
    if let filter { try FilterSyntax.check(filter) }
    guard query != "", mention != "" else {
      throw CairnError(.badArgument, "an empty text is in every event")
    }
  }
}

extension PurgeScope {
  /// The conditions under which a purge remembers the ids of what it takes, as bytes that are the
  /// same for the same conditions; nil where a name is refused instead.
  var blockedConditions: [UInt8]? {
    switch self {
    case .domain, .item, .retention: nil
    case .before(let time): Array("before\0\(time.rfc3339)".utf8)
    case .matching(let criteria): criteria.text
    }
  }
}

extension PurgeCriteria {
  fileprivate var text: [UInt8] {
    let ranges = sequences?.map { "\($0.lowerBound)-\($0.upperBound)" }
    let texts: [(String, String?)] = [
      ("domain", domain), ("item", item), ("kind", kind.map { "\($0.name)" }), ("actor", actor),
      ("session", session), ("device", device), ("source", source), ("query", query),
      ("mention", mention), ("filter", filter), ("since", since?.rfc3339),
      ("until", until?.rfc3339),
      ("sequences", ranges?.joined(separator: ",")),
    ]
    var bytes: [UInt8] = []
    for case (let name, let value?) in texts {
      bytes += "\(name)\0\(value.utf8.count)\0\(value)".utf8
    }
    return bytes
  }
}

extension Event {
  /// Whether a text stands in anything that somebody gave with the event.
  fileprivate func mentions(_ text: MentionedText) -> Bool {
    let texts = [item, domain.value, actor, source, session, query].compactMap(\.self) + shown
    return texts.contains { text.occurs(in: $0) }
      || attributes.contains(where: {
        text.occurs(in: $0.key) || JSONValue($0.value).mentions(text)
      }) || JSONValue.object(extras).mentions(text)
  }
}

extension JSONValue {
  /// Whether a text stands in it, as a key or as a value.
  func mentions(_ text: MentionedText) -> Bool {
    switch self {
    case .null, .bool: false
    case .number(let digits): text.occurs(in: digits)
    case .string(let value): text.occurs(in: value)
    case .array(let elements): elements.contains { $0.mentions(text) }
    case .object(let members):
      members.contains { text.occurs(in: $0.key) || $0.value.mentions(text) }
    }
  }
}
