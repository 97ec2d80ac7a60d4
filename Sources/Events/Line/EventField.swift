/// A field of an event: the key of a line, what stands under it, and where a payload keeps it.
///
/// ``all`` is the one list of them, in the order in which lines show them.
struct EventField: Sendable {
  /// What stands under a key.
  enum Value: Sendable {
    case kind, name, flag, moment, identity, text, attributes, position, texts, seconds, schema
    /// What the log knows better: read past.
    case ignored
  }

  /// The key in a line.
  let name: StaticString
  /// What stands under it.
  let value: Value
  /// The key in a payload; nil for what the header holds or nobody keeps.
  let stored: PayloadField?
  /// The kinds that may have it, a bit each.
  private let kinds: UInt16
  /// One for each of ``all``.
  private(set) var bit: UInt32 = 0

  private init(
    _ name: StaticString, _ value: Value, _ stored: PayloadField? = nil,
    of kinds: [EventKind] = EventKind.allCases
  ) {
    (self.name, self.value, self.stored) = (name, value, stored)
    self.kinds = kinds.reduce(0) { $0 | 1 << $1.rawValue }
  }

  func belongs(to kind: EventKind) -> Bool { kinds & 1 << kind.rawValue != 0 }

  static let attributes = EventField(
    "attributes", .attributes, .attributes, of: [.index, .update, .view])

  static let all = numbered([
    EventField("sequence", .ignored), EventField("kind", .kind), EventField("item", .name, .item),
    EventField("domain", .name, .domain), EventField("all", .flag, .all),
    EventField("time", .moment, .time), EventField("recorded", .moment),
    EventField("id", .identity), EventField("actor", .text, .actor),
    EventField("source", .text, .source), EventField("session", .text, .session), attributes,
    EventField("expires", .moment, .expires), EventField("query", .text, .query),
    EventField("position", .position, .position), EventField("shown", .texts, .shown),
    EventField("dwell", .seconds, .dwell), EventField("latency", .seconds, .latency),
    EventField("deliberate", .flag, .deliberate), EventField("schema", .schema),
    EventField("hash", .ignored),
  ])

  private static func numbered(_ fields: [EventField]) -> [EventField] {
    var fields = fields
    for index in fields.indices { fields[index].bit = 1 << UInt32(index) }
    return fields
  }

  /// The places of the fields in ``all``, counted from 1: length and last letter tell all names
  /// apart.
  private static let places: [UInt8] = {
    var places = [UInt8](repeating: 0, count: lengthEnd << 5)
    for (index, field) in all.enumerated() {
      let count = field.name.utf8CodeUnitCount
      // SAFETY: a name has at least one code unit.
      let last = unsafe field.name.utf8Start[count - 1]
      places[count << 5 | Int(last & 31)] = UInt8(index + 1)
    }
    return places
  }()

  private static let lengthEnd = 11

  /// The field whose name is the given bytes, nil for an unknown one.
  static func named(_ bytes: Span<UInt8>, _ range: Range<Int>) -> EventField? {
    guard !range.isEmpty, range.count < lengthEnd else { return nil }
    let place = Int(places[range.count << 5 | Int(bytes[range.upperBound - 1] & 31)])
    guard place > 0, all[place - 1].name.matches(bytes, range) else { return nil }
    return all[place - 1]
  }
}
