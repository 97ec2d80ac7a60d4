package import LMDB
package import Projections

/// The projection of when: one small fixed record for each event, in order of sequences.
///
/// Histograms, counts by kind and domain, an item's history and any past state of the ranking
/// are scans of these records, which cost about a hundredth of decoding the events themselves.
///
/// | table | key | value |
/// |---|---|---|
/// | `timeline` | block (sequence / 21) | up to 21 records of 44 bytes |
/// | shared | one | the last block: its number, then its records |
/// | shared | another | events by kind, 8 bytes each |
///
/// The last block grows with every event, and joins the others when the next one begins.
package struct Timeline: DerivedProjection {
  package static let name = ProjectionName("timeline")
  package static let formatVersion: UInt64 = 4
  private static let tableName: TableName = "timeline"
  /// The tables this projection owns.
  package static let tables: [TableName] = [tableName]
  /// The tables of which an audit reads every row.
  package static let auditedTables: [TableName] = [tableName]
  /// Records in one block: four rows fill a page, and the last one has room beside the other shared
  /// rows.
  static let blockCount: UInt64 = 21

  let table: Table
  let shared: Table

  package static func addVersion(to hasher: inout RowHasher) { hasher.add(formatVersion) }

  /// Binds to a generation's environment.
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
    var tail = try LastBlock(self, in: txn.reader)
    var counts = try storedCounts(in: txn.reader)
    for event in batch.resolved {
      let block = event.sequence / Self.blockCount
      if block != tail.number {
        try tail.close(self, in: &txn)
        tail = LastBlock(block)
      }
      let record = TimelineRecord(event)
      record.encode(into: &tail.records)
      counts.add(record.kind)
      if !record.isPurge {
        digest.add(record.digestRow(item: event.itemKey, domain: event.domainKey))
      }
    }
    try tail.write(self, in: &txn)
    try write(counts, in: &txn)
    checkpoint[Self.name] = digest
  }

  /// Visits the records with sequences in a range that pass a filter, forwards, until the body
  /// returns false.
  /// - Complexity: O(records in the range), about 10 ns for each visited and half that for others.
  package func forEach(
    from first: UInt64, through last: UInt64, passing filter: RecordFilter = RecordFilter(),
    in txn: borrowing ReadTransaction, _ body: (TimelineRecord) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var goesOn = true
    try txn.scan(table, from: Self.key(first / Self.blockCount)) { (_, row) throws(CairnError) in
      goesOn = try Self.visit(row, from: first, through: last, filter, body)
      return goesOn
    }
    guard goesOn else { return }
    let tail = try LastBlock(self, in: txn)
    _ = try Self.visit(tail.records.bytes, from: first, through: last, filter, body)
  }

  /// Visits the records of a block; whether those after it are wanted.
  private static func visit(
    _ row: RawSpan, from first: UInt64, through last: UInt64, _ filter: RecordFilter,
    _ body: (TimelineRecord) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    for offset in try offsets(row) {
      let sequence = TimelineRecord.sequence(row, at: offset)
      if sequence < first { continue }
      guard sequence <= last else { return false }
      guard filter.accepts(row, at: offset) else { continue }
      guard try body(TimelineRecord(row, at: offset)) else { return false }
    }
    return true
  }

  /// Visits the records with sequences in a range that pass a filter, backwards, until the body
  /// returns false.
  /// - Complexity: O(records in the range), about 10 ns for each visited and half that for others.
  package func forEachReversed(
    from first: UInt64, through last: UInt64, passing filter: RecordFilter = RecordFilter(),
    in txn: borrowing ReadTransaction, _ body: (TimelineRecord) throws(CairnError) -> Bool
  ) throws(CairnError) {
    let tail = try LastBlock(self, in: txn)
    var goesOn = try Self.visitReversed(
      tail.records.bytes, from: first, through: last, filter, body)
    guard goesOn else { return }
    let key = Self.key(last / Self.blockCount)
    var cursor = try txn.cursor(table)
    goesOn = false
    if let row = try cursor.seek(atMost: key.rawSpan) {
      goesOn = try Self.visitReversed(row.value, from: first, through: last, filter, body)
    }
    while goesOn, let row = try cursor.previous() {
      goesOn = try Self.visitReversed(row.value, from: first, through: last, filter, body)
    }
  }

  /// Visits the records of a block backwards; whether those before it are wanted.
  private static func visitReversed(
    _ row: RawSpan, from first: UInt64, through last: UInt64, _ filter: RecordFilter,
    _ body: (TimelineRecord) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    try checkLength(row)
    let size = TimelineRecord.byteCount
    for offset in stride(from: row.byteCount - size, through: 0, by: -size) {
      let sequence = TimelineRecord.sequence(row, at: offset)
      if sequence > last { continue }
      guard sequence >= first else { return false }
      guard filter.accepts(row, at: offset) else { continue }
      guard try body(TimelineRecord(row, at: offset)) else { return false }
    }
    return true
  }

  /// The record of one event, or nil when it was erased or is not folded yet.
  package func record(at sequence: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
    -> TimelineRecord?
  {
    var found: TimelineRecord?
    try forEach(from: sequence, through: sequence, in: txn) { (record) throws(CairnError) in
      found = record
      return false
    }
    return found
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

  static func key(_ block: UInt64) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(8)
    key.appendBigEndian(block)
    return key
  }

  static func offsets(_ row: borrowing RawSpan) throws(CairnError) -> StrideTo<Int> {
    try checkLength(row)
    return stride(from: 0, to: row.byteCount, by: TimelineRecord.byteCount)
  }

  private static func checkLength(_ row: borrowing RawSpan) throws(CairnError) {
    guard row.byteCount % TimelineRecord.byteCount == 0 else {
      throw CairnError(
        .corrupt, "a block has a wrong length", place: "table timeline", remedy: .rebuild)
    }
  }
}
