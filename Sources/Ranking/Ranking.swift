package import LMDB
package import Projections

/// The projection of use: for each item its views, last view and frecency.
///
/// | table | key | value |
/// |---|---|---|
/// | `ranks` | ordinal | `UseState`, 68 bytes |
package struct Ranking: Sendable {
  /// Row format and formula of this projection; part of the definition digest.
  package static let formatVersion: UInt64 = 1
  private static let ranksName: TableName = "ranks"
  /// The tables this projection owns.
  package static let tables: [TableName] = [ranksName]

  private let ranks: Table

  /// Binds to a generation's environment.
  package init(_ environment: Environment) {
    ranks = environment[Self.ranksName]
  }

  /// Folds a batch into the open transaction and updates the checkpoint's digest and bounds.
  ///
  /// Each item's state is read and written once, in order of ordinals, and every use is added
  /// in order of sequences, so that incremental and rebuilt states are equal to the last bit.
  /// - Complexity: O(uses + items·log).
  package func fold(
    _ events: [ResolvedEvent],
    _ checkpoint: inout Checkpoint,
    in txn: inout WriteTransaction
  ) throws(StorageError) {
    var digest = checkpoint[.ranking]
    var touched: [(item: UInt32, index: Int32)] = []
    for (index, event) in events.enumerated()
    where event.item != ResolvedEvent.none
      && (event.weight > 0 || event.isView || event.startsAfresh)
    {
      touched.append((event.item, Int32(truncatingIfNeeded: index)))
    }
    touched.sort { ($0.item, $0.index) < ($1.item, $1.index) }
    var row: [UInt8] = []
    var place = 0
    while place < touched.count {
      let item = touched[place].item
      var key: [UInt8] = []
      key.appendBigEndian(item)
      let before = try state(of: item, in: txn.reader)
      let itemKey = events[Int(touched[place].index)].itemKey
      if let before { digest.remove(before.digestRow(item: itemKey)) }
      var state = before ?? UseState()
      while place < touched.count, touched[place].item == item {
        let event = events[Int(touched[place].index)]
        if event.startsAfresh { state = UseState() }
        if event.weight > 0 || event.isView { state.add(Use(event)) }
        place += 1
      }
      digest.add(state.digestRow(item: itemKey))
      checkpoint.greatestUse = max(checkpoint.greatestUse, state.frecency.values[5])
      checkpoint.latestUseMicroseconds = max(
        checkpoint.latestUseMicroseconds,
        state.frecency.referenceMicroseconds
      )
      row.removeAll(keepingCapacity: true)
      state.encode(into: &row)
      try txn.put(ranks, key.rawSpan, row.rawSpan)
    }
    checkpoint[.ranking] = digest
  }

  /// An item's state now, or nil when it was never used.
  ///
  /// - Complexity: O(log *n*), about 1 µs.
  package func state(
    of item: UInt32,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> UseState? {
    var key: [UInt8] = []
    key.appendBigEndian(item)
    guard let row = try txn.get(ranks, key) else { return nil }
    return try UseState(decoding: row)
  }

  /// Visits the state of every item ever used, in order of ordinals.
  ///
  /// - Complexity: O(items used).
  package func forEachState(
    in txn: borrowing ReadTransaction,
    _ body: (UInt32, UseState) throws(StorageError) -> Void
  ) throws(StorageError) {
    try txn.scan(ranks) { (key, row) throws(StorageError) in
      try body(key.loadBigEndian32(at: 0), try UseState(decoding: row))
      return true
    }
  }

  /// The digest of the rows as they are stored; `key` gives the hash of an item's name.
  package func recomputedDigest(
    in txn: borrowing ReadTransaction,
    key: (UInt32) throws(StorageError) -> NameKey
  ) throws(StorageError) -> RowDigest {
    var digest = RowDigest()
    try forEachState(in: txn) { (item, state) throws(StorageError) in
      digest.add(state.digestRow(item: try key(item)))
    }
    return digest
  }
}

extension Use {
  /// The use that an event is.
  package init(_ event: ResolvedEvent) {
    self.init(
      timeMicroseconds: event.timeMicroseconds,
      recordedMicroseconds: event.recordedMicroseconds,
      weight: event.weight,
      isView: event.isView
    )
  }
}
