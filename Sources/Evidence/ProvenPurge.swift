import EventLog
import Events
public import Values

/// A purge that a proof file shows: counts and sequences, which name nothing.
public struct ProvenPurge: Sendable, Hashable {
  /// Events that were erased.
  public var eventCount: Int
  /// Items that these events were about.
  public var itemCount: Int
  /// Root of the hash tree (RFC 6962) over the leaf hashes of these events in order.
  public var digest: Hash32
  /// When the purge was recorded.
  public var recorded: Timestamp
  /// The events' sequences.
  public var sequences: [ClosedRange<UInt64>]
}

/// The extra data of a proof file: a leaf, and behind that of a purge what it commits to.
struct ShownLeaf {
  let leaf: [UInt8]
  let purge: ProvenPurge?

  /// - Throws: `notVerified` when the leaf commits to something else.
  init(_ extra: [UInt8]) throws(CairnError) {
    guard let opened = try Self.opened(extra) else {
      (leaf, purge) = (extra, nil)
      return
    }
    leaf = opened.header.bytes
    let event = try Event.decoded(
      opened.payload, EventLayout(opened.payload), kind: opened.facts.kind, id: opened.facts.id,
      time: opened.facts.time, recorded: opened.facts.recorded, schema: opened.facts.schema)
    purge = ProvenPurge(event)
  }

  /// Nil for a leaf alone: a header has 48 bytes, or 88 in logs of format 1.
  private static func opened(_ extra: [UInt8]) throws(CairnError) -> OpenedEvent? {
    extra.count <= EventHeader.byteCountMax ? nil : try OpenedEvent(extra)
  }
}

extension ProvenPurge {
  fileprivate init?(_ event: Event) {
    guard event.kind == .purge, case .object(let facts)? = event.extras["purge"],
      case .number(let events)? = facts["events"], let eventCount = Int(events),
      case .number(let items)? = facts["items"], let itemCount = Int(items),
      case .string(let text)? = facts["digest"], let digest = Hash32(base64: text),
      let sequences = SequenceRanges.ranges(facts["sequences"]), let recorded = event.recorded
    else { return nil }
    self.init(
      eventCount: eventCount, itemCount: itemCount, digest: digest, recorded: recorded,
      sequences: sequences)
  }
}
