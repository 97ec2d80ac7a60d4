package import LMDB
package import Projections

/// The projection of use: for each item its views, last view and frecency, and what search learned.
///
/// | table | key | value |
/// |---|---|---|
/// | `ranks` | ordinal | `UseState`, 68 bytes, and what `UseHistory` still adds to |
///
/// `Choices` and `Engagement` hold what was learned from searches and are part of the digest too.
/// Beside it stand what follows from it and from the timeline: `UseOrder` (the best first, at any
/// clock), `UseHistory` (the state at any sequence), `UseLeaders` (the best at any sequence),
/// `UseTotals` (all uses together) and `UseTrails` (what was used before what).
package struct Ranking: DerivedProjection {
  package static let name = ProjectionName("ranking")
  package static let formatVersion: UInt64 = 9
  package static let isCopiedByRebuild = true
  private static let ranksName: TableName = "ranks"
  package static let tables: [TableName] = [
    ranksName, UseOrder.orderName, UseOrder.classesName, UseHistory.tableName, UseLeaders.tableName,
    UseTrails.tableName, UseTotals.tableName, Choices.tableName, Engagement.tableName,
  ]

  package static let auditedTables = [ranksName, Choices.tableName, Engagement.tableName]

  let ranks: Table
  let trails: Table
  /// The items used, best first.
  package let order: UseOrder
  package let history: UseHistory
  /// Who led when.
  package let leaders: UseLeaders
  /// How much was used altogether.
  package let totals: UseTotals
  /// What was chosen for which query.
  package let choices: Choices
  /// How items and domains fared in results.
  package let engagement: Engagement
  /// What items' use may be worth, for those who pass over many.
  package let levels = UseLevels()

  /// Adds the format of the rows and the constants of the formula.
  package static func addVersion(to hasher: inout RowHasher) {
    hasher.add(formatVersion)
    FoldConstants.current.add(to: &hasher)
  }

  package init(_ environment: Environment) { self.init(environment, pace: UseLeaders.Pace()) }

  /// Binds to a generation's environment and notes leaders at another pace.
  package init(_ environment: Environment, pace: UseLeaders.Pace) {
    ranks = environment[Self.ranksName]
    trails = environment[UseTrails.tableName]
    order = UseOrder(environment)
    history = UseHistory(environment, ranks: ranks)
    leaders = UseLeaders(environment, pace)
    totals = UseTotals(environment)
    choices = Choices(environment)
    engagement = Engagement(environment)
  }

  /// A use of an item, or the beginning of a new life of it.
  private struct Touch {
    /// The item's ordinal, then the event's place in the batch.
    var key: UInt64
    var previous: UInt32

    var item: UInt32 { UInt32(key >> 32) }
    var index: Int { Int(key & 0xFFFF_FFFF) }
  }

  /// The rows that a batch changes: they are read first, then written, each table's in turn.
  private struct Rows: ~Copyable {
    var ranks = RowBatch()
    var uses = RowBatch()
    var chunk = UseHistory.Chunk()
    var key = ByteWriter()
    var row = ByteWriter()
  }

  /// Folds a batch into the open transaction and updates the checkpoint's digest and bounds.
  ///
  /// Each item's state is read and written once, in order of ordinals, and every use is added
  /// in order of sequences, so that incremental and rebuilt states are equal to the last bit.
  /// - Complexity: O(uses + items·log).
  package func fold(
    _ events: [ResolvedEvent], _ checkpoint: inout Checkpoint, in txn: inout WriteTransaction
  ) throws(CairnError) {
    let touches = try touches(events, in: &txn)
    var rows = Rows()
    let changes = try fold(touches, events, &checkpoint, to: &rows, in: txn.reader)
    try rows.ranks.write(to: ranks, in: &txn)
    try rows.uses.write(to: history.table, in: &txn)
    try order.apply(changes, in: &txn)
    try leaders.record(
      self, events, after: checkpoint.applied, latestUse: checkpoint.latestUseMicroseconds, in: &txn
    )
  }

  /// The batch's uses by item, each item's in order of sequences.
  private func touches(_ events: [ResolvedEvent], in txn: inout WriteTransaction)
    throws(CairnError) -> [Touch]
  {
    var trails = UseTrails(trails)
    var touches: [Touch] = []
    for (index, event) in events.enumerated() where event.item != ResolvedEvent.none {
      guard event.isUse || event.startsAfresh else { continue }
      let previous = event.isUse ? try trails.use(event, in: txn.reader) : ResolvedEvent.none
      touches.append(Touch(key: UInt64(event.item) << 32 | UInt64(index), previous: previous))
    }
    try trails.write(in: &txn)
    touches.sort { $0.key < $1.key }
    return touches
  }

  private func fold(
    _ touches: [Touch], _ events: [ResolvedEvent], _ checkpoint: inout Checkpoint,
    to rows: inout Rows, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> UseOrder.Changes {
    var digest = checkpoint[Ranking.name]
    var changes = UseOrder.Changes()
    var states = try txn.cursor(ranks)
    var place = 0
    while place < touches.count {
      let item = touches[place].item
      var end = place + 1
      while end < touches.count, touches[end].item == item { end += 1 }
      rows.key.removeAll()
      rows.key.appendBigEndian(item)
      rows.chunk.clear()
      var before: UseState?
      if let found = try states.seek(rows.key.bytes), found.key.equals(rows.key.bytes) {
        before = try Self.state(found.value)
        try rows.chunk.grow(found.value)
      }
      let after = fold(touches[place..<end], events, before, to: &rows)
      let itemKey = events[touches[place].index].itemKey
      if let before { digest.remove(before.digestRow(item: itemKey)) }
      digest.add(after.digestRow(item: itemKey))
      changes.replace(item, before, after)
      checkpoint.greatestUse = max(checkpoint.greatestUse, after.frecency.values[5])
      checkpoint.latestUseMicroseconds = max(
        checkpoint.latestUseMicroseconds, after.frecency.referenceMicroseconds)
      place = end
    }
    checkpoint[Ranking.name] = digest
    return changes
  }

  /// Folds one item's uses: its state, and the history that leads to it.
  private func fold(
    _ touches: ArraySlice<Touch>, _ events: [ResolvedEvent], _ before: UseState?,
    to rows: inout Rows
  ) -> UseState {
    let item = touches[touches.startIndex].item
    var state = before ?? UseState()
    for touch in touches {
      let event = events[touch.index]
      if event.startsAfresh {
        UseHistory.close(rows.chunk, of: item, to: &rows.uses, &rows.row)
        rows.chunk.startAfresh(at: event.sequence)
        state = UseState()
      }
      guard event.isUse else { continue }
      let record = UseRecord(event, previous: touch.previous)
      if rows.chunk.isFull {
        UseHistory.close(rows.chunk, of: item, to: &rows.uses, &rows.row)
        rows.chunk.begin(record, before: state)
      }
      rows.chunk.append(record)
      state.add(record.use)
    }
    rows.row.removeAll()
    state.encode(into: &rows.row)
    rows.row.appendBigEndian(rows.chunk.first)
    rows.chunk.write(to: &rows.row)
    rows.ranks.append(rows.key, rows.row)
    return state
  }

  /// An item's state now, or nil when it was never used.
  /// - Complexity: O(log *n*), about 1 µs.
  package func state(of item: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> UseState?
  {
    guard let row = try txn.get(ranks, [UInt8](bigEndian: item)) else { return nil }
    return try Self.state(row)
  }

  /// An item's state as of a sequence, or now for nil; the empty one when it was not used.
  ///
  /// - Complexity: O(log *n*), about 1 µs now and 2 µs in the past.
  package func use(of item: UInt32, asOf sequence: UInt64?, in txn: borrowing ReadTransaction)
    throws(CairnError) -> UseState
  {
    if let sequence { return try history.state(of: item, asOf: sequence, in: txn) }
    return try state(of: item, in: txn) ?? UseState()
  }

  private static func state(_ row: RawSpan) throws(CairnError) -> UseState {
    guard row.byteCount >= UseState.byteCount else { throw UseHistory.damaged }
    return try UseState(decoding: row.extracting(0..<UseState.byteCount))
  }

  /// How many items were ever used.
  package func itemCount(in txn: borrowing ReadTransaction) throws(CairnError) -> Int {
    try txn.count(ranks)
  }

  /// Visits the state of every item ever used, in order of ordinals.
  /// - Complexity: O(items used).
  package func forEachState(
    in txn: borrowing ReadTransaction, _ body: (UInt32, UseState) throws(CairnError) -> Void
  ) throws(CairnError) {
    try txn.scan(ranks) { (key, row) throws(CairnError) in
      try body(key.loadBigEndian32(at: 0), try Self.state(row))
      return true
    }
  }

  /// The digest of the rows as they are stored.
  ///
  /// Also checks that the items' order and history agree with their states.
  /// - Complexity: O(items used).
  package func audit(_ names: any NameKeys, in txn: borrowing ReadTransaction)
    throws(CairnError) -> RowDigest
  {
    var digest = try choices.recomputedDigest(in: txn, key: names.itemKey)
    digest.add(
      try engagement.recomputedDigest(in: txn, itemKey: names.itemKey, domainKey: names.domainKey))
    var orderedCount = 0
    try forEachState(in: txn) { (item, state) throws(CairnError) in
      digest.add(state.digestRow(item: try names.itemKey(item)))
      guard try history.state(of: item, asOf: .max, in: txn) == state else {
        throw UseHistory.damaged
      }
      if let place = UseOrder.Place(item, state) {
        guard try order.contains(place, in: txn) else { throw UseOrder.damaged(UseOrder.orderName) }
        orderedCount += 1
      }
    }
    guard try order.count(in: txn) == orderedCount else {
      throw UseOrder.damaged(UseOrder.orderName)
    }
    return digest
  }
}

extension ResolvedEvent {
  /// Whether the event counts as use of its item.
  package var isUse: Bool { weight > 0 || isView }
}

extension Use {
  package init(_ event: ResolvedEvent) {
    self.init(
      timeMicroseconds: event.timeMicroseconds, recordedMicroseconds: event.recordedMicroseconds,
      weight: event.weight, isView: event.isView)
  }
}
