package import LMDB
import Projections

/// What was chosen for which query.
///
/// | table | key | value |
/// |---|---|---|
/// | `choices` | query ‖ 0 ‖ ordinal ‖ ~sequence | the state after that choice (`ChoiceState`) |
/// | `choices` | query ‖ 0 ‖ all ones ‖ 0 | the latest choice, to tell a bounce by |
///
/// Each choice adds a row, so that every past sequence is there. Queries are text that people
/// typed: it stands here and in the log only, and a purge folds this table anew.
package struct Choices: Sendable {
  static let tableName: TableName = "choices"
  /// Bytes of a query that are kept; what two queries share beyond is told apart by a hash.
  package static let queryByteCountMax = 440
  /// Rows looked at for one query typed: a prefix of one letter may begin many.
  static let lookCountMax = 8_192
  /// Bytes of a key behind the query, and of those the ones before the sequence.
  private static let tailByteCount = 13
  private static let nameTailByteCount = 5

  let table: Table

  init(_ environment: Environment) { table = environment[Self.tableName] }

  /// The latest choice for a query.
  struct Latest {
    var item: UInt32
    var itemKey: NameKey
    var since: UInt64
    var time: Int64
    var dwell: Double?

    static let byteCount = 4 + 16 + 8 + 8 + 8
  }

  /// The form in which a query is kept: at most 456 bytes.
  static func stored(_ query: [UInt8]) -> [UInt8] {
    guard query.count > queryByteCountMax else { return query }
    var stored = Array(query.prefix(queryByteCountMax))
    let hash = NameKey(query, query.indices)
    stored.appendBigEndian(hash.low)
    stored.appendBigEndian(hash.high)
    return stored
  }

  /// An item's newest state for a stored query, and the sequence that made it.
  func state(
    of item: UInt32, query: [UInt8], asOf sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> (sequence: UInt64, state: ChoiceState)? {
    var found: (sequence: UInt64, state: ChoiceState)?
    let start = Self.key(query, item, ~sequence)
    try txn.scan(table, from: start) { (key, row) throws(CairnError) in
      let nameCount = start.count - 8
      guard key.byteCount == start.count,
        key.extracting(first: nameCount).equals(start.rawSpan.extracting(first: nameCount))
      else { return false }
      let made = ~key.loadBigEndian64(at: nameCount)
      found = (made, try ChoiceState(decoding: row))
      return false
    }
    return found
  }

  func put(
    _ state: ChoiceState, of item: UInt32, query: [UInt8], at sequence: UInt64,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    var row: [UInt8] = []
    state.encode(into: &row)
    try txn.put(table, Self.key(query, item, ~sequence), row)
  }

  func latest(for query: [UInt8], in txn: borrowing ReadTransaction) throws(CairnError) -> Latest? {
    guard let row = try txn.get(table, Self.key(query, ResolvedEvent.none, 0)) else { return nil }
    guard row.byteCount == Latest.byteCount else { throw Self.damaged }
    let dwell = Double(bitPattern: row.loadBigEndian64(at: 36))
    return Latest(
      item: row.loadBigEndian32(at: 0),
      itemKey: NameKey(low: row.loadBigEndian64(at: 4), high: row.loadBigEndian64(at: 12)),
      since: row.loadBigEndian64(at: 20), time: Int64(bitPattern: row.loadBigEndian64(at: 28)),
      dwell: dwell < 0 ? nil : dwell)
  }

  func put(_ latest: Latest, for query: [UInt8], in txn: inout WriteTransaction) throws(CairnError)
  {
    var row: [UInt8] = []
    row.appendBigEndian(latest.item)
    row.appendBigEndian(latest.itemKey.low)
    row.appendBigEndian(latest.itemKey.high)
    row.appendBigEndian(latest.since)
    row.appendBigEndian(UInt64(bitPattern: latest.time))
    row.appendBigEndian((latest.dwell ?? -1).bitPattern)
    try txn.put(table, Self.key(query, ResolvedEvent.none, 0), row)
  }

  /// The newest choice of an item for a query typed, or for one that it begins or is begun by.
  package struct RelatedChoice: Sendable {
    package let item: UInt32
    /// The sequence of the choice: it counts only for an item that is there since before.
    package let made: UInt64
    /// The item's decayed choices, times the share of that query.
    package let weight: Double
    /// When it was chosen for the very query typed, microseconds since 1970; nil for another query.
    package let time: Int64?
  }

  /// What was chosen for a text typed: for this query, for longer ones that begin with it (by √
  /// of the share typed) and for its own beginnings (halved for each character missing).
  ///
  /// The weights of an item's rows are to be added up in their order.
  /// - Complexity: O(items chosen for queries that begin alike), at most 8,192 of them, some 100 ns
  ///   each; and a look for each character.
  package func related(
    to query: [UInt8], asOf sequence: UInt64, atMicroseconds now: Int64,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [RelatedChoice] {
    var related: [RelatedChoice] = []
    try forEachRelated(to: query, sequence, in: txn) { (share, _, item, made, state) in
      // Only the very query has a share of one.
      related.append(
        RelatedChoice(
          item: item, made: made, weight: state.weight(atMicroseconds: now) * share,
          time: share == 1 ? state.reference : nil))
    }
    return related
  }

  /// Sequences of the latest choices of an item among those that
  /// ``related(to:asOf:atMicroseconds:in:)`` tells of, newest first.
  /// - Complexity: as of what was learned.
  package func events(
    _ count: Int, of item: UInt32, for query: [UInt8], since: UInt64, asOf sequence: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt64] {
    var events: [UInt64] = []
    try forEachRelated(to: query, sequence, in: txn) {
      (_, name, other, _, _) throws(CairnError) in
      guard other == item else { return }
      var rest = count
      var start = name
      start.appendBigEndian(~sequence)
      try txn.scan(table, from: start) { (key, _) throws(CairnError) in
        guard rest > 0, key.byteCount == start.count, key.hasPrefix(name.rawSpan) else {
          return false
        }
        let made = ~key.loadBigEndian64(at: name.count)
        if made >= since { events.append(made) }
        rest -= 1
        return true
      }
    }
    return Array(events.sorted(by: >).prefix(count))
  }

  private typealias Visit = (
    _ share: Double, _ name: [UInt8], _ item: UInt32, _ made: UInt64, _ state: ChoiceState
  ) throws(CairnError) -> Void

  /// Visits the newest choice of each item for a query, for longer ones that begin with it and for
  /// its own beginnings, with the share that each is worth and the key of the rows it is of, up to
  /// their sequence.
  private func forEachRelated(
    to query: [UInt8], _ sequence: UInt64, in txn: borrowing ReadTransaction, _ body: Visit
  ) throws(CairnError) {
    guard !query.isEmpty else { return }
    var cursor = try txn.cursor(table)
    guard query.count <= Self.queryByteCountMax else {
      // Of so long a text only itself is known.
      return try forEach(from: Self.stored(query), isExact: true, sequence, &cursor) {
        (name, item, made, state) throws(CairnError) in try body(1, name, item, made, state)
      }
    }
    let length = Double(query.count)
    try forEach(from: query, isExact: false, sequence, &cursor) {
      (name, item, made, state) throws(CairnError) in
      let storedCount = name.count - Self.nameTailByteCount
      try body((length / Double(storedCount)).squareRoot(), name, item, made, state)
    }
    var share = 1.0
    var end = query.count
    while share > 1.0 / 4_096, end > 1 {
      end -= 1
      guard query[end] & 0xC0 != 0x80 else { continue }
      share /= 2
      let worth = share
      try forEach(from: Array(query[..<end]), isExact: true, sequence, &cursor) {
        (name, item, made, state) throws(CairnError) in try body(worth, name, item, made, state)
      }
    }
  }

  /// Visits the newest choice of every item for queries that begin so, or are just so.
  ///
  /// However often an item was chosen, few of its rows are passed: at some point it is faster to
  /// seek what comes behind them.
  private func forEach(
    from query: [UInt8], isExact: Bool, _ sequence: UInt64, _ cursor: inout Cursor,
    _ body: ([UInt8], UInt32, UInt64, ChoiceState) throws(CairnError) -> Void
  ) throws(CairnError) {
    var walk = Walk(query, isExact: isExact, sequence)
    while walk.lookCount < Self.lookCountMax {
      let found: ChoiceState?
      if let target = walk.target {
        guard let row = try cursor.seek(target), walk.isWanted(row.key) else { return }
        found = try walk.visit(row)
      } else {
        guard let row = try cursor.next(), walk.isWanted(row.key) else { return }
        found = try walk.visit(row)
      }
      if let found { try body(walk.name, walk.item, walk.made, found) }
    }
  }

  /// Where a walk through the choices for some queries is.
  private struct Walk {
    /// What keys begin with.
    private let start: [UInt8]
    /// Bytes of the only query, nil where longer ones are wanted too.
    private let queryByteCount: Int?
    private let sequence: UInt64
    /// What to seek next, nil for the next row.
    private(set) var target: [UInt8]?
    /// Items and queries looked at.
    private(set) var lookCount = 0
    /// The key of the rows of the item found last, up to their sequence.
    private(set) var name: [UInt8] = []
    private(set) var item: UInt32 = 0
    private(set) var made: UInt64 = 0
    private var passedCount = 0

    /// Rows of one item that are passed before what comes behind them is sought.
    private static let passedCountMax = 4

    init(_ query: [UInt8], isExact: Bool, _ sequence: UInt64) {
      start = isExact ? query + [0] : query
      queryByteCount = isExact ? query.count : nil
      self.sequence = sequence
      target = start
    }

    func isWanted(_ key: RawSpan) -> Bool { key.hasPrefix(start.rawSpan) }

    /// Takes a row in; gives the state of an item that is found by it.
    mutating func visit(_ row: borrowing Entry) throws(CairnError) -> ChoiceState? {
      let key = row.key
      guard key.byteCount > Choices.tailByteCount else { throw Choices.damaged }
      let count = key.byteCount - Choices.tailByteCount
      let rowName = key.extracting(first: count + Choices.nameTailByteCount)
      if !name.isEmpty, rowName.equals(name.rawSpan) {
        passedCount += 1
        // No item has the greatest number: it stands for none.
        target =
          passedCount < Self.passedCountMax
          ? nil : Choices.key(Array(name.prefix(count)), item + 1, 0)
        return nil
      }
      lookCount += 1
      let other = key.loadBigEndian32(at: count + 1)
      let stored = key.extracting(first: count)
      if let queryByteCount, count != queryByteCount {
        target = Choices.key(stored.array(), other, .max)
      } else if other == ResolvedEvent.none {
        // Behind the latest choice, which comes last of a query.
        target = stored.array() + [1]
      } else {
        let at = ~key.loadBigEndian64(at: count + Choices.nameTailByteCount)
        guard at <= sequence else {
          target = Choices.key(stored.array(), other, ~sequence)
          return nil
        }
        (item, made, passedCount, target) = (other, at, 0, nil)
        name.removeAll(keepingCapacity: true)
        name.append(rowName)
        return try ChoiceState(decoding: row.value)
      }
      return nil
    }
  }

  func recomputedDigest(
    in txn: borrowing ReadTransaction, key nameKey: (UInt32) throws(CairnError) -> NameKey
  ) throws(CairnError) -> RowDigest {
    var digest = RowDigest()
    try txn.scan(table) { (key, row) throws(CairnError) in
      let bytes = key.array()
      guard bytes.count > Self.tailByteCount else { throw Self.damaged }
      let count = bytes.count - Self.tailByteCount
      let item = key.loadBigEndian32(at: count + 1)
      guard item != ResolvedEvent.none else { return true }
      let state = try ChoiceState(decoding: row)
      digest.add(state.digestRow(query: Array(bytes.prefix(count)), item: try nameKey(item)))
      return true
    }
    return digest
  }

  private static func key(_ query: [UInt8], _ item: UInt32, _ tail: UInt64) -> [UInt8] {
    var key = query
    key.reserveCapacity(query.count + tailByteCount)
    key.append(0)
    key.appendBigEndian(item)
    key.appendBigEndian(tail)
    return key
  }

  static let damaged = CairnError(
    .corrupt, "what was learned from searches is damaged",
    place: "table choices", remedy: .rebuild)
}
