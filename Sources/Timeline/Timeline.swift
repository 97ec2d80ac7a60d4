package import LMDB
package import Projections

/// The projection of when: one small record for each event, in order of sequences.
///
/// Histograms, counts by kind and domain, an item's history and any past state of the ranking
/// are scans of these records, which cost about a hundredth of decoding the events themselves.
///
/// | table | key | value |
/// |---|---|---|
/// | `timeline` | block (sequence / 32) | up to 32 records, each after the one before it |
/// | shared | one | the last block: its number, then its records |
/// | shared | another | events by kind, 8 bytes each |
///
/// The last block grows with every event, and joins the others when the next one begins.
package struct Timeline: DerivedProjection {
  package static let name = ProjectionName("timeline")
  package static let formatVersion: UInt64 = 5
  private static let tableName: TableName = "timeline"
  package static let tables: [TableName] = [tableName]
  package static let auditedTables: [TableName] = [tableName]
  /// Sequences of one block: as many as fit a row, however much their records differ.
  static let blockCount: UInt64 = 32
  /// Room for the records of a block, as a rule.
  static let blockByteCount = 512

  let table: Table
  let shared: Table

  package static func addVersion(to hasher: inout RowHasher) { hasher.add(formatVersion) }

  package init(_ environment: Environment) {
    table = environment[Self.tableName]
    shared = environment[SharedRows.tableName]
  }

  /// Folds a batch.
  /// - Complexity: O(events).
  package func fold(
    _ batch: ResolvedBatch, _ checkpoint: inout Checkpoint, in txn: inout WriteTransaction
  ) throws(CairnError) {
    guard !batch.resolved.isEmpty else { return }
    var digest = checkpoint[Self.name]
    var tail = try LastBlock.stored(self, in: txn.reader)
    var counts = try storedCounts(in: txn.reader)
    for event in batch.resolved {
      let block = event.sequence / Self.blockCount
      if block != tail.number {
        try tail.close(self, in: &txn)
        tail = LastBlock(block)
      }
      let record = TimelineRecord(event)
      tail.append(record)
      counts.add(record.kind)
      if !record.isPurge {
        digest.add(record.digestRow(item: event.itemKey, domain: event.domainKey))
      }
    }
    try txn.put(shared, SharedRows.timelineKey, tail.row)
    try write(counts, in: &txn)
    checkpoint[Self.name] = digest
  }

  /// Visits the records with sequences in a range that pass a filter, forwards, until the body
  /// returns false.
  /// - Complexity: O(records in the range), about 10 ns each.
  package func forEach(
    from first: UInt64, through last: UInt64, passing filter: RecordFilter = RecordFilter(),
    in txn: borrowing ReadTransaction, _ body: (TimelineRecord) throws(CairnError) -> Bool
  ) throws(CairnError) {
    func take(_ row: RawSpan, _ block: UInt64) throws(CairnError) -> Bool {
      try Self.visit(row, block) { (record) throws(CairnError) in
        guard record.sequence >= first else { return true }
        guard record.sequence <= last else { return false }
        return filter.accepts(record) ? try body(record) : true
      }
    }
    var goesOn = true
    try txn.scan(table, from: Self.key(first / Self.blockCount)) { (key, row) throws(CairnError) in
      goesOn = try take(row, try Self.number(key))
      return goesOn
    }
    guard goesOn else { return }
    try LastBlock.read(self, in: txn) { (row, block) throws(CairnError) in
      _ = try take(row, block)
    }
  }

  /// Visits the records of a block, until the body returns false; whether it never did.
  /// - Throws: `.corrupt` for bytes that are no block of that number; what the body throws.
  @inline(__always) @discardableResult static func visit(
    _ row: RawSpan, _ block: UInt64, _ body: (TimelineRecord) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    var place = 0
    var record = TimelineRecord(before: block)
    while place < row.byteCount {
      do { try record.advance(row, &place) } catch { throw damaged }
      guard record.sequence / blockCount == block else { throw damaged }
      guard try body(record) else { return false }
    }
    return true
  }

  /// Visits the records with sequences in a range that pass a filter, backwards, until the body
  /// returns false.
  /// - Complexity: O(records in the range), about 10 ns each.
  package func forEachReversed(
    from first: UInt64, through last: UInt64, passing filter: RecordFilter = RecordFilter(),
    in txn: borrowing ReadTransaction, _ body: (TimelineRecord) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var goesOn = true
    var records: [TimelineRecord] = []
    func take(_ row: RawSpan, _ block: UInt64) throws(CairnError) {
      records.removeAll(keepingCapacity: true)
      try Self.visit(row, block) { (record) throws(CairnError) in
        guard record.sequence <= last else { return false }
        if record.sequence >= first, filter.accepts(record) { records.append(record) }
        return true
      }
      for record in records.reversed() where goesOn { goesOn = try body(record) }
      goesOn = goesOn && block > first / Self.blockCount
    }
    try LastBlock.read(self, in: txn, take)
    guard goesOn else { return }
    var cursor = try txn.cursor(table)
    let key = Self.key(last / Self.blockCount)
    goesOn = false
    if let row = try cursor.seek(atMost: key.rawSpan) {
      goesOn = true
      try take(row.value, try Self.number(row.key))
    }
    while goesOn, let row = try cursor.previous() { try take(row.value, try Self.number(row.key)) }
  }

  /// Visits the records of some sequences, which ascend and may repeat: the place of each among
  /// them, and its record; those that were erased or are not folded yet have none.
  /// - Complexity: O(log events) for each block of records that has some, about 1 µs.
  package func forEach(
    of sequences: [UInt64], in txn: borrowing ReadTransaction,
    _ body: (_ place: Int, _ record: TimelineRecord) throws(CairnError) -> Void
  ) throws(CairnError) {
    var place = 0
    func take(_ row: RawSpan, _ block: UInt64) throws(CairnError) {
      try Self.visit(row, block) { (record) throws(CairnError) in
        while place < sequences.count, sequences[place] <= record.sequence {
          if sequences[place] == record.sequence { try body(place, record) }
          place += 1
        }
        return place < sequences.count
      }
    }
    var cursor = try txn.cursor(table)
    while place < sequences.count, let row = try cursor.seek(Self.key(Self.block(sequences[place])))
    {
      let block = try Self.number(row.key)
      while place < sequences.count, Self.block(sequences[place]) < block { place += 1 }
      guard place < sequences.count, Self.block(sequences[place]) == block else { continue }
      try take(row.value, block)
      while place < sequences.count, Self.block(sequences[place]) == block { place += 1 }
    }
    try LastBlock.read(self, in: txn, take)
  }

  /// The digest of the rows as they are stored.
  /// - Complexity: O(events).
  package func audit(_ names: any NameKeys, in txn: borrowing ReadTransaction)
    throws(CairnError) -> RowDigest
  {
    var digest = RowDigest()
    var counts = KindCounts()
    try forEach(from: 0, through: .max, in: txn) { (record) throws(CairnError) in
      let item = try names.itemKey(record.item)
      let domain = try names.domainKey(record.domain)
      if !record.isPurge { digest.add(record.digestRow(item: item, domain: domain)) }
      counts.add(record.kind)
      return true
    }
    guard try storedCounts(in: txn) == counts else {
      throw CairnError(
        .corrupt, "the counts of events by kind are wrong", place: "table timeline",
        remedy: .rebuild)
    }
    return digest
  }

  private static func block(_ sequence: UInt64) -> UInt64 { sequence / blockCount }

  static func key(_ block: UInt64) -> [UInt8] { [UInt8](bigEndian: block) }

  static func number(_ key: borrowing RawSpan) throws(CairnError) -> UInt64 {
    guard key.byteCount == 8 else { throw damaged }
    return key.loadBigEndian64(at: 0)
  }

  static let damaged = CairnError(
    .corrupt, "a block of events is damaged", place: "table timeline", remedy: .rebuild)
}
