import Catalog
import EventLog
import LMDB
import Projections
import Timeline

/// Numbers about a store at a moment.
public struct Statistics: Sendable, Hashable {
  /// State of one projection.
  public struct Projection: Sendable, Hashable {
    /// Its name, such as `text`.
    public var name: String
    /// Sequence of the last event it has folded.
    public var sequence: UInt64
    /// Events of the log that it has yet to fold; 0 for a past moment.
    public var lag: UInt64
    /// Digest of its rows, 32 hexadecimal digits; nil for a past moment.
    public var digest: String?
  }

  /// A version of the schema.
  public struct Schema: Sendable, Hashable {
    /// Its number, from 1.
    public var version: Int
    /// Sequence of the event that recorded it.
    public var sequence: UInt64
  }

  /// Sequence of the last event; for the present, of the last one in the log, which projections
  /// that lag may not know yet.
  public var head: UInt64
  /// When it was recorded.
  public var recorded: Timestamp?
  /// Items present.
  public var itemCount: Int
  /// Events, erased ones left out.
  public var eventCount: Int
  /// Events by kind.
  public var kinds: [String: Int]
  /// Items present by domain; the empty name stands for none.
  public var domains: KeyOrdered<Int>
  /// Bytes in the store's files.
  public var byteCount: Int
  /// The last version of the schema recorded by then; nil for none.
  public var schema: Schema?
  /// The projections in their fixed order.
  public var projections: [Projection]
  /// Whether another version of Cairn made the projections: whoever next opens the store for
  /// writing makes them anew.
  public var isOutdated = false
}

extension Moment {
  /// Counts what there is.
  /// - Complexity: O(domains) for the present; O(events + items), some 20 ns each, for the past and
  ///   where some item has expired.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func statistics() throws(CairnError) -> Statistics {
    // Before the count: what is appended meanwhile is no lag.
    let head = try store.log.head().sequence
    let counted = try read { (view, txn) throws(CairnError) in
      try self.count(view, logHead: head, txn)
    }
    var statistics = counted ?? Self.empty
    statistics.recorded = try store.recorded(at: statistics.head)
    statistics.schema = try store.schemaHistory().last { $0.sequence <= statistics.head }
      .map { Statistics.Schema(version: $0.version, sequence: $0.sequence) }
    statistics.byteCount = try StoreDirectory.byteCount(store.directory)
    return statistics
  }

  private static let empty = Statistics(
    head: 0, recorded: nil, itemCount: 0, eventCount: 0, kinds: [:], domains: [:], byteCount: 0,
    projections: Generation.names.map {
      .init(name: $0.text, sequence: 0, lag: 0, digest: RowDigest().hexadecimal)
    })

  private func count(_ view: borrowing View, logHead: UInt64, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Statistics
  {
    let catalog = view.generation.catalog
    let timeline = view.generation.timeline
    let kinds =
      view.isPresent
      ? try timeline.kindCounts(in: txn) : try timeline.kindCounts(through: sequence, in: txn)
    let domains = try itemCounts(view, txn)
    var statistics = Self.empty
    statistics.isOutdated = view.isOutdated
    statistics.itemCount = domains.values.reduce(0, +)
    statistics.eventCount = kinds.values.reduce(0, +)
    for (kind, count) in kinds {
      guard let kind = EventKind(rawValue: kind) else { continue }
      statistics.kinds[kind.name.description] = count
    }
    statistics.domains = try catalog.named(domains, none: "", in: txn)
    let applied = min(view.checkpoint.applied, sequence)
    let isHead = view.isPresent
    // The present ends where the projections do: what the log has beyond that is missing from all.
    let lag = isHead && logHead > applied ? logHead - applied : 0
    statistics.head = sequence + lag
    statistics.projections = Generation.names.map { name in
      .init(
        name: name.text, sequence: applied, lag: lag,
        digest: isHead ? view.checkpoint[name].hexadecimal : nil)
    }
    return statistics
  }
}
