/// The keys an event line may have.
enum EventKey {
  case kind, item, domain, all, time, recorded, id, actor, source, session, attributes, expires
  case query, position, shown, dwell, latency, deliberate, schema, sequence, hash

  /// The key whose name is the given bytes, nil for an unknown one.
  static func named(_ bytes: Span<UInt8>, _ range: Range<Int>) -> EventKey? {
    guard !range.isEmpty,
      let key = candidate(range.count, Unicode.Scalar(bytes[range.upperBound - 1])),
      key.name.matches(bytes, range)
    else { return nil }
    return key
  }

  /// Length and last letter tell all names apart.
  private static func candidate(_ count: Int, _ last: Unicode.Scalar) -> EventKey? {
    switch (count, last) {
    case (2, "d"): .id
    case (3, "l"): .all
    case (4, "d"): .kind
    case (4, "m"): .item
    case (4, "e"): .time
    case (4, "h"): .hash
    case (5, "r"): .actor
    case (5, "y"): .query
    case (5, "n"): .shown
    case (5, "l"): .dwell
    case (6, "n"): .domain
    case (6, "e"): .source
    case (6, "a"): .schema
    case (7, "n"): .session
    case (7, "s"): .expires
    case (7, "y"): .latency
    case (8, "d"): .recorded
    case (8, "n"): .position
    case (8, "e"): .sequence
    case (10, "s"): .attributes
    case (10, "e"): .deliberate
    default: nil
    }
  }

  private var name: StaticString {
    switch self {
    case .kind: "kind"
    case .item: "item"
    case .domain: "domain"
    case .all: "all"
    case .time: "time"
    case .recorded: "recorded"
    case .id: "id"
    case .actor: "actor"
    case .source: "source"
    case .session: "session"
    case .attributes: "attributes"
    case .expires: "expires"
    case .query: "query"
    case .position: "position"
    case .shown: "shown"
    case .dwell: "dwell"
    case .latency: "latency"
    case .deliberate: "deliberate"
    case .schema: "schema"
    case .sequence: "sequence"
    case .hash: "hash"
    }
  }
}
