package import LMDB
import Projections

/// Every item's uses, so that its state at any past sequence is one row away.
///
/// | table | key | value |
/// |---|---|---|
/// | `uses` | ordinal ‖ ~first sequence | the state before, up to 16 uses |
///
/// The state at a sequence is the stored one and at most 16 folds, the same as the present
/// state went through, hence the same bits. Not part of the digest: it says what the timeline
/// says, and a verification checks that it leads to the present states.
package struct UseHistory: Sendable {
  static let tableName: TableName = "uses"
  /// Uses after which a new chunk begins: a look folds half of them on average.
  static let chunkCount = 16

  let table: Table

  init(_ environment: Environment) {
    table = environment[Self.tableName]
  }

  /// An item's newest chunk while a batch adds to it.
  struct Chunk {
    private(set) var first: UInt64 = 0
    private var firstTime: Int64 = 0
    private(set) var count = 0
    private(set) var row: [UInt8] = []

    /// No chunk yet.
    init() {}

    init(_ key: RawSpan, _ value: RawSpan) throws(StorageError) {
      first = ~key.loadBigEndian64(at: 4)
      row = value.array()
      guard row.count >= 10 else { throw UseHistory.damaged }
      count = Int(row[0])
      firstTime = Int64(bitPattern: value.loadBigEndian64(at: 2))
    }

    /// Begins a chunk at a use; `state` is what the item's state was before it.
    init(_ record: UseRecord, before state: UseState) {
      first = record.sequence
      firstTime = record.use.timeMicroseconds
      let hasState = state != UseState()
      row = [0, hasState ? 1 : 0]
      row.appendBigEndian(UInt64(bitPattern: firstTime))
      if hasState { state.encode(into: &row) }
    }

    /// Begins a chunk without uses: from this sequence on nothing before counts.
    init(startingAfreshAt sequence: UInt64) {
      first = sequence
      row = [0, 0]
      row.appendBigEndian(UInt64(0))
    }

    mutating func append(_ record: UseRecord) {
      record.encode(into: &row, first: first, firstTime: firstTime)
      count += 1
      row[0] = UInt8(truncatingIfNeeded: count)
    }
  }

  /// An item's newest chunk, or an empty one.
  func newest(
    of item: UInt32,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> Chunk {
    var chunk = Chunk()
    try txn.scan(table, from: Self.key(item, .max)) { (key, row) throws(StorageError) in
      if try Self.item(key) == item { chunk = try Chunk(key, row) }
      return false
    }
    return chunk
  }

  func put(
    _ chunk: Chunk,
    of item: UInt32,
    in txn: inout WriteTransaction
  ) throws(StorageError) {
    try txn.put(table, Self.key(item, chunk.first), chunk.row)
  }

  /// An item's state as of a sequence; the empty one when it was not used until then.
  ///
  /// - Complexity: O(log uses), about 2 µs, whatever the sequence.
  package func state(
    of item: UInt32,
    asOf sequence: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> UseState {
    var state = UseState()
    try forChunk(of: item, asOf: sequence, in: txn) { (base, record) in
      if let base { state = base }
      if let record { state.add(record.use) }
    }
    return state
  }

  /// The uses of an item up to a sequence, newest last, at most `count` of them.
  ///
  /// - Complexity: O(log uses + count).
  package func latest(
    _ count: Int,
    of item: UInt32,
    asOf sequence: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> [UseRecord] {
    var records: [UseRecord] = []
    var chunk: [UseRecord] = []
    try txn.scan(table, from: Self.key(item, sequence)) { (key, row) throws(StorageError) in
      guard try Self.item(key) == item else { return false }
      chunk.removeAll(keepingCapacity: true)
      let hasState = try Self.read(key, row, through: sequence) { (_, record) in
        if let record { chunk.append(record) }
      }
      records.insert(contentsOf: chunk, at: 0)
      // A chunk without a state before it begins a life of the item.
      return hasState && records.count < count
    }
    return records.suffix(count)
  }

  /// The circumstances of every use that names a session or a device, by sequence.
  ///
  /// - Complexity: O(uses).
  package func circumstances(
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> [UInt64: (session: UInt32, device: UInt32)] {
    var found: [UInt64: (session: UInt32, device: UInt32)] = [:]
    try txn.scan(table) { (key, row) throws(StorageError) in
      _ = try Self.item(key)
      _ = try Self.read(key, row, through: .max) { (_, record) in
        if let record, record.sessionHash != 0 || record.deviceHash != 0 {
          found[record.sequence] = (record.sessionHash, record.deviceHash)
        }
      }
      return true
    }
    return found
  }

  private func forChunk(
    of item: UInt32,
    asOf sequence: UInt64,
    in txn: borrowing ReadTransaction,
    _ body: (UseState?, UseRecord?) throws(StorageError) -> Void
  ) throws(StorageError) {
    try txn.scan(table, from: Self.key(item, sequence)) { (key, row) throws(StorageError) in
      guard try Self.item(key) == item else { return false }
      _ = try Self.read(key, row, through: sequence, body)
      return false
    }
  }

  /// Reads a chunk: the state before it, if any, then its uses; tells whether there was a state.
  private static func read(
    _ key: RawSpan,
    _ row: RawSpan,
    through sequence: UInt64,
    _ body: (UseState?, UseRecord?) throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    let first = ~key.loadBigEndian64(at: 4)
    var reader = ByteReader(row)
    let count = try reader.readUInt8()
    let hasState = try reader.readUInt8() != 0
    let firstTime = Int64(bitPattern: try reader.readBigEndian64())
    if hasState {
      try body(UseState(decoding: try reader.readBytes(UseState.byteCount)), nil)
    }
    for _ in 0..<count {
      let record = try UseRecord(&reader, first: first, firstTime: firstTime)
      guard record.sequence <= sequence else { break }
      try body(nil, record)
    }
    return hasState
  }

  private static func item(_ key: RawSpan) throws(StorageError) -> UInt32 {
    guard key.byteCount == 12 else { throw damaged }
    return key.loadBigEndian32(at: 0)
  }

  private static func key(_ item: UInt32, _ sequence: UInt64) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(12)
    key.appendBigEndian(item)
    key.appendBigEndian(~sequence)
    return key
  }

  static let damaged = StorageError(
    .corrupt,
    "an item's uses are damaged; run: cairn rebuild",
    place: "table uses"
  )
}
