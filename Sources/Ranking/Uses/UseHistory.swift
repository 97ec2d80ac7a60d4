package import LMDB

/// Every item's uses, so that its state at any past sequence is one row or two away.
///
/// | table | key | value |
/// |---|---|---|
/// | `uses` | ordinal ‖ ~first sequence | a chunk: the state before, 16 uses |
/// | `ranks` | ordinal | the present state, first sequence of the chunk that grows, that chunk |
///
/// The state at a sequence is the stored one and at most 16 folds, the same as the present
/// state went through, hence the same bits. Not part of the digest: it says what the timeline
/// says, and a verification checks that it leads to the present states. The chunk that grows stands
/// with the state, so that a use changes one page of the two.
package struct UseHistory: Sendable {
  static let tableName: TableName = "uses"
  /// Uses after which a new chunk begins: a look folds half of them on average.
  static let chunkCount = 16

  let table: Table
  private let ranks: Table

  init(_ environment: Environment, ranks: Table) {
    table = environment[Self.tableName]
    self.ranks = ranks
  }

  /// An item's newest chunk while a batch adds to it; one after the other in the same room.
  struct Chunk: ~Copyable {
    private(set) var first: UInt64 = 0
    private var firstTime: Int64 = 0
    private var count = 0
    /// What follows the number of uses.
    private var bytes = ByteWriter(capacity: 512)

    /// No chunk yet.
    init() {}

    var exists: Bool { bytes.count > 0 }

    /// Whether no use goes into it any more.
    var isFull: Bool { count == UseHistory.chunkCount || !exists }

    mutating func clear() {
      bytes.removeAll()
      count = 0
    }

    /// Takes the chunk behind the state in a row of `ranks`.
    mutating func grow(_ row: RawSpan) throws(CairnError) {
      clear()
      first = try UseHistory.first(growing: row)
      let chunk = row.extracting(UseHistory.growingPlace..<row.byteCount)
      guard chunk.byteCount >= 10 else { throw UseHistory.damaged }
      count = Int(chunk.byte(at: 0))
      firstTime = Int64(bitPattern: chunk.loadBigEndian64(at: 2))
      bytes.append(chunk.extracting(1..<chunk.byteCount))
    }

    /// Begins a chunk at a use; `state` is what the item's state was before it.
    mutating func begin(_ record: UseRecord, before state: UseState) {
      clear()
      first = record.sequence
      firstTime = record.use.timeMicroseconds
      let hasState = state != UseState()
      bytes.append(hasState ? 1 : 0)
      bytes.appendBigEndian(UInt64(bitPattern: firstTime))
      if hasState { state.encode(into: &bytes) }
    }

    /// Begins a chunk without uses: from this sequence on nothing before counts.
    mutating func startAfresh(at sequence: UInt64) {
      clear()
      (first, firstTime) = (sequence, 0)
      bytes.append(0)
      bytes.appendBigEndian(UInt64(0))
    }

    mutating func append(_ record: UseRecord) {
      record.encode(into: &bytes, first: first, firstTime: firstTime)
      count += 1
    }

    func write(to row: inout ByteWriter) {
      row.append(UInt8(truncatingIfNeeded: count))
      row.append(bytes)
    }
  }

  /// Puts a chunk to which nothing will be added behind the others.
  static func close(
    _ chunk: borrowing Chunk, of item: UInt32, to rows: inout RowBatch, _ row: inout ByteWriter
  ) {
    guard chunk.exists else { return }
    row.removeAll()
    chunk.write(to: &row)
    rows.append(Self.key(item, chunk.first).rawSpan, row.bytes)
  }

  /// Where in a row of `ranks` the chunk that still grows begins.
  private static let growingPlace = UseState.byteCount + 8

  /// The first sequence of the chunk that still grows, in a row of `ranks`.
  private static func first(growing row: RawSpan) throws(CairnError) -> UInt64 {
    guard row.byteCount >= growingPlace else { throw damaged }
    return row.loadBigEndian64(at: UseState.byteCount)
  }

  /// An item's state as of a sequence; the empty one when it was not used until then.
  /// - Complexity: O(log uses), about 2 µs, whatever the sequence.
  package func state(of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction)
    throws(CairnError) -> UseState
  {
    var state = UseState()
    try forEachChunk(of: item, asOf: sequence, in: txn) { (first, chunk) throws(CairnError) in
      _ = try Self.read(first, chunk, through: sequence) { (base, record) in
        if let base { state = base }
        if let record { state.add(record.use) }
      }
      return false
    }
    return state
  }

  /// The uses of an item up to a sequence, newest last, at most `count` of them.
  /// - Complexity: O(log uses + count).
  package func latest(
    _ count: Int, of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UseRecord] {
    var records: [UseRecord] = []
    var found: [UseRecord] = []
    try forEachChunk(of: item, asOf: sequence, in: txn) { (first, chunk) throws(CairnError) in
      found.removeAll(keepingCapacity: true)
      let hasState = try Self.read(first, chunk, through: sequence) { (_, record) in
        if let record { found.append(record) }
      }
      records.insert(contentsOf: found, at: 0)
      // A chunk without a state before it begins a life of the item.
      return hasState && records.count < count
    }
    return records.suffix(count)
  }

  /// The circumstances of every use that names a session or a device, by sequence.
  /// - Complexity: O(uses).
  package func circumstances(in txn: borrowing ReadTransaction) throws(CairnError) -> [UInt64: (
    session: UInt32, device: UInt32
  )] {
    var found: [UInt64: (session: UInt32, device: UInt32)] = [:]
    try forEachChunk(in: txn) { (_, first, chunk) throws(CairnError) in
      _ = try Self.read(first, chunk, through: .max) { (_, record) in
        if let record, record.sessionHash != 0 || record.deviceHash != 0 {
          found[record.sequence] = (record.sessionHash, record.deviceHash)
        }
      }
    }
    return found
  }

  /// Visits every item ever used, once for some uses after the other, with the frecency that it did
  /// not exceed after any of these: by the model's own weights, and at a clock that no use known
  /// then is ahead of.
  /// - Complexity: O(uses), some 100 ns each.
  func forEachPeak(
    in txn: borrowing ReadTransaction, _ body: (_ item: UInt32, _ frecency: Double) -> Void
  ) throws(CairnError) {
    try forEachChunk(in: txn) { (item, first, chunk) throws(CairnError) in
      var state = UseState()
      var peak: Double?
      _ = try Self.read(first, chunk, through: .max) { (base, record) in
        if let base { state = base }
        guard let record else { return }
        state.add(record.use)
        peak = max(peak ?? 0, state.frecency.peak)
      }
      if let peak { body(item, peak) }
    }
  }

  /// How many uses there are at most, beside sixteen of each item.
  func closedUseCount(in txn: borrowing ReadTransaction) throws(CairnError) -> Int {
    try txn.count(table) * Self.chunkCount
  }

  /// Visits all chunks of all items.
  private func forEachChunk(
    in txn: borrowing ReadTransaction,
    _ body: (_ item: UInt32, _ first: UInt64, _ chunk: RawSpan) throws(CairnError) -> Void
  ) throws(CairnError) {
    try txn.scan(table) { (key, chunk) throws(CairnError) in
      try body(Self.item(key), Self.first(key), chunk)
      return true
    }
    try txn.scan(ranks) { (key, row) throws(CairnError) in
      let first = try Self.first(growing: row)
      try body(
        key.loadBigEndian32(at: 0), first, row.extracting(Self.growingPlace..<row.byteCount))
      return true
    }
  }

  /// Visits the chunks of an item that begin at a sequence or before, newest first.
  private func forEachChunk(
    of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction,
    _ body: (_ first: UInt64, _ chunk: RawSpan) throws(CairnError) -> Bool
  ) throws(CairnError) {
    guard let row = try txn.get(ranks, [UInt8](bigEndian: item)) else { return }
    let first = try Self.first(growing: row)
    if first <= sequence {
      guard try body(first, row.extracting(Self.growingPlace..<row.byteCount)) else { return }
    }
    try txn.scan(table, from: Self.key(item, sequence)) { (key, chunk) throws(CairnError) in
      guard try Self.item(key) == item else { return false }
      return try body(Self.first(key), chunk)
    }
  }

  /// Reads a chunk: the state before it, if any, then its uses; tells whether there was a state.
  private static func read(
    _ first: UInt64, _ chunk: RawSpan, through sequence: UInt64,
    _ body: (UseState?, UseRecord?) throws(CairnError) -> Void
  ) throws(CairnError) -> Bool {
    var reader = ByteReader(chunk)
    let count = try reader.readUInt8()
    let hasState = try reader.readUInt8() != 0
    let firstTime = Int64(bitPattern: try reader.readBigEndian64())
    if hasState { try body(UseState(decoding: try reader.readBytes(UseState.byteCount)), nil) }
    for _ in 0..<count {
      let record = try UseRecord(&reader, first: first, firstTime: firstTime)
      guard record.sequence <= sequence else { break }
      try body(nil, record)
    }
    return hasState
  }

  private static func item(_ key: RawSpan) throws(CairnError) -> UInt32 {
    guard key.byteCount == 12 else { throw damaged }
    return key.loadBigEndian32(at: 0)
  }

  private static func first(_ key: RawSpan) -> UInt64 { ~key.loadBigEndian64(at: 4) }

  static func key(_ item: UInt32, _ sequence: UInt64) -> [UInt8] {
    [UInt8](bigEndian: item, ~sequence)
  }

  static let damaged = CairnError(
    .corrupt, "an item's uses are damaged", place: "table uses", remedy: .rebuild)
}
