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

  /// - Parameters:
  ///   - extra: The bytes.
  ///   - index: Where the file says that the leaf is.
  /// - Throws: `notVerified` when the leaf is another event's, commits to something else, or to
  ///   what records no purge; `malformed`.
  init(_ extra: [UInt8], at index: UInt64) throws(CairnError) {
    do throws(CairnError) { try self.init(checking: extra, index) } catch
      where error.code == .corrupt
    { throw CairnError(.malformed, error.message) }
  }

  private init(checking extra: [UInt8], _ index: UInt64) throws(CairnError) {
    // A header has 48 bytes, or 88 in logs of format 1.
    guard extra.count > EventHeader.byteCountMax else {
      (leaf, purge) = (extra, nil)
      return
    }
    let opened = try OpenedEvent(extra)
    leaf = opened.header.bytes
    guard opened.header.sequence.subtractingReportingOverflow(1) == (index, false) else {
      throw CairnError(.notVerified, "the event shown has another place in the log")
    }
    let event = try Event.decoded(
      opened.payload, EventLayout(opened.payload), kind: opened.facts.kind, id: opened.facts.id,
      time: opened.facts.time, recorded: opened.facts.recorded, schema: opened.facts.schema)
    guard let purge = ProvenPurge(event, at: opened.header.sequence) else {
      throw CairnError(.notVerified, "the event shown records no purge that can have been")
    }
    self.purge = purge
  }
}

extension ProvenPurge {
  /// Nil for what records no purge, and for one whose counts and sequences contradict each other.
  fileprivate init?(_ event: Event, at sequence: UInt64) {
    guard event.kind == .purge, let facts = event.extras["purge"]?.object,
      let eventCount: Int = facts["events"]?.number(),
      let itemCount: Int = facts["items"]?.number(), itemCount >= 0,
      let digest = facts["digest"]?.string.flatMap({ Hash32(base64: $0) }),
      let sequences = SequenceRanges.ranges(facts["sequences"]), let recorded = event.recorded
    else { return nil }
    var last: UInt64 = 0
    var count: UInt64 = 0
    for range in sequences {
      guard last < range.lowerBound, range.upperBound < sequence else { return nil }
      last = range.upperBound
      count += range.upperBound - range.lowerBound + 1
    }
    guard UInt64(exactly: eventCount) == count else { return nil }
    self.init(
      eventCount: eventCount, itemCount: itemCount, digest: digest, recorded: recorded,
      sequences: sequences)
  }
}
