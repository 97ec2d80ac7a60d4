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
  private static let tailByteCount = 13

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

  func put(_ latest: Latest, for query: [UInt8], in txn: inout WriteTransaction)
    throws(CairnError)
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

  /// What was learned for a text typed.
  package struct Learned: Sendable {
    /// For each item its decayed choices, and what related queries share of theirs.
    package var weights: [UInt32: Double] = [:]
    /// For each item the sequence of the newest choice that counts.
    package var newest: [UInt32: UInt64] = [:]
    /// The item chosen last for this very query, and when: microseconds since 1970.
    package var latest: (item: UInt32, time: Int64)?

    /// Nothing.
    package init() {}
  }

  /// What was learned for a text typed: for each item the decayed choices for this query, for
  /// longer ones that begin with it (by √ of the share typed) and for its own beginnings (halved
  /// for each character missing), and the newest choice that counts.
  /// - Complexity: O(items chosen for queries that begin alike), at most 8,192 of them.
  package func learned(
    for query: [UInt8], asOf sequence: UInt64, atMicroseconds now: Int64,
    in txn: borrowing ReadTransaction, since: (UInt32) throws(CairnError) -> UInt64
  ) throws(CairnError) -> Learned {
    var learned = Learned()
    var latest: (time: Int64, made: UInt64) = (.min, 0)
    try forEachRelated(to: query, sequence, in: txn) {
      (share, _, item, made, state) throws(CairnError) in
      guard made >= (try since(item)) else { return }
      learned.newest[item] = max(made, learned.newest[item] ?? 0)
      learned.weights[item, default: 0] += state.weight(atMicroseconds: now) * share
      // Only the very query has a share of one.
      guard share == 1, latest < (state.reference, made) else { return }
      latest = (state.reference, made)
      learned.latest = (item, state.reference)
    }
    return learned
  }

  /// Sequences of the latest choices of an item that ``learned(for:asOf:atMicroseconds:in:since:)``
  /// counts, newest first.
  /// - Complexity: as of what was learned.
  package func events(
    _ count: Int, of item: UInt32, for query: [UInt8], since: UInt64, asOf sequence: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt64] {
    var events: [UInt64] = []
    try forEachRelated(to: query, sequence, in: txn) {
      (_, stored, other, _, _) throws(CairnError) in
      guard other == item else { return }
      var rest = count
      try txn.scan(table, from: Self.key(stored, item, ~sequence)) {
        (key, _) throws(CairnError) in
        guard rest > 0, Self.item(key, of: stored) == item else { return false }
        let made = ~key.loadBigEndian64(at: stored.count + 5)
        if made >= since { events.append(made) }
        rest -= 1
        return true
      }
    }
    return Array(events.sorted(by: >).prefix(count))
  }

  /// Visits the newest choice of each item for a query, for longer ones that begin with it and for
  /// its own beginnings, with the share that each is worth and the query it was for.
  private func forEachRelated(
    to query: [UInt8], _ sequence: UInt64, in txn: borrowing ReadTransaction,
    _ body: (Double, [UInt8], UInt32, UInt64, ChoiceState) throws(CairnError) -> Void
  ) throws(CairnError) {
    guard !query.isEmpty else { return }
    guard query.count <= Self.queryByteCountMax else {
      // Of so long a text only itself is known.
      let stored = Self.stored(query)
      return try forEach(from: stored, isExact: true, sequence, in: txn) {
        (stored, item, made, state) throws(CairnError) in try body(1, stored, item, made, state)
      }
    }
    let length = Double(query.count)
    try forEach(from: query, isExact: false, sequence, in: txn) {
      (stored, item, made, state) throws(CairnError) in
      try body((length / Double(stored.count)).squareRoot(), stored, item, made, state)
    }
    var share = 1.0
    var end = query.count
    while share > 1.0 / 4_096, end > 1 {
      end -= 1
      guard query[end] & 0xC0 != 0x80 else { continue }
      share /= 2
      let worth = share
      let beginning = Array(query[..<end])
      try forEach(from: beginning, isExact: true, sequence, in: txn) {
        (stored, item, made, state) throws(CairnError) in
        try body(worth, stored, item, made, state)
      }
    }
  }

  /// Visits the newest choice of every item for queries that begin so, or are just so.
  ///
  /// One look for an item, however often it was chosen, and one for each query.
  private func forEach(
    from query: [UInt8], isExact: Bool, _ sequence: UInt64, in txn: borrowing ReadTransaction,
    _ body: ([UInt8], UInt32, UInt64, ChoiceState) throws(CairnError) -> Void
  ) throws(CairnError) {
    let start = isExact ? query + [0] : query
    var next: [UInt8]? = start
    for _ in 0..<Self.lookCountMax {
      guard let from = next else { return }
      next = nil
      var found: (stored: [UInt8], item: UInt32, made: UInt64, state: ChoiceState)?
      try txn.scan(table, from: from) { (key, row) throws(CairnError) in
        let bytes = key.array()
        guard bytes.starts(with: start) else { return false }
        guard bytes.count > Self.tailByteCount else { throw Self.damaged }
        let count = bytes.count - Self.tailByteCount
        let stored = Array(bytes.prefix(count))
        let item = key.loadBigEndian32(at: count + 1)
        if isExact, count != query.count {
          next = Self.key(stored, item, .max)
        } else if item == ResolvedEvent.none {
          // Behind the latest choice, which comes last of a query.
          next = stored + [1]
        } else {
          let made = ~key.loadBigEndian64(at: count + 5)
          if made <= sequence {
            found = (stored, item, made, try ChoiceState(decoding: row))
            next = Self.key(stored, item + 1, 0)
          } else {
            next = Self.key(stored, item, ~sequence)
          }
        }
        return false
      }
      if let found { try body(found.stored, found.item, found.made, found.state) }
    }
  }

  /// The item of a row for a stored query; nil for one of another query.
  private static func item(_ key: RawSpan, of stored: [UInt8]) -> UInt32? {
    guard key.byteCount == stored.count + tailByteCount,
      key.extracting(first: stored.count).equals(stored.rawSpan)
    else { return nil }
    return key.loadBigEndian32(at: stored.count + 1)
  }

  /// The digest of the rows as they are stored.
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
