import Events
import HashTree
import LMDB

/// The appends of one transaction: extends events, ids and tree, and rewrites the head once.
struct CommitBatch: ~Copyable {
  private let tables: Tables
  private let entropy: Entropy
  private let reader: EventReader
  private(set) var head: HeadRow
  private let sizeBefore: UInt64

  private var commitment = Commitment()
  private var key = ByteWriter()
  private var row = ByteWriter()
  private var salts: [UInt8] = []
  private var nodes: [TreeNode] = []
  private var ids: [WrittenID] = []

  /// Begins with what the log holds.
  init(
    tables: Tables,
    entropy: Entropy,
    reader: EventReader,
    head: HeadRow
  ) {
    self.tables = tables
    self.entropy = entropy
    self.reader = reader
    self.head = head
    self.sizeBefore = head.size
  }

  /// The sequences appended so far, or `nil` while there are none.
  var appended: ClosedRange<UInt64>? {
    head.size == sizeBefore ? nil : sizeBefore + 1...head.size
  }

  /// Appends the events of one request.
  ///
  /// - Throws: `.aborted` before anything is written when the expected sequence differs; other
  ///   errors leave the transaction unusable.
  mutating func append(
    _ events: [EncodedEvent],
    to txn: inout WriteTransaction
  ) throws(StorageError) -> AppendReceipt {
    let now = entropy.now()
    let plan = try IDPlan(events, entropy: entropy, now: now, reader: reader, txn: txn.reader)
    drawSalts(events.count)
    ids.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    var receipt = AppendReceipt()
    receipt.outcomes.reserveCapacity(events.count)
    for index in events.indices {
      switch plan.decisions[index] {
      case .answered(let outcome):
        receipt.outcomes.append(outcome)
      case .duplicateOf(let first):
        receipt.outcomes.append(try outcome(of: events[index], like: events[first], receipt, first))
      case .append(let id, let isGenerated):
        let flags: EventHeader.Flags = isGenerated ? .generatedID : []
        let sequence = try write(events[index], at: index, id: id, flags: flags, now, &txn)
        receipt.outcomes.append(.appended(sequence))
        if receipt.first == nil { receipt.first = sequence }
        receipt.last = sequence
      }
    }
    if !plan.isAscending { ids.sort { ($0.high, $0.low) < ($1.high, $1.low) } }
    try writeIDs(to: &txn)
    try writeNodes(to: &txn)
    return receipt
  }

  /// Writes the head if anything was appended.
  ///
  /// Call once, last.
  mutating func finish(_ txn: inout WriteTransaction) throws(StorageError) {
    guard appended != nil else { return }
    head.root = head.frontier.root
    row.removeAll()
    head.append(to: &row)
    let headKey = HeadRow.key
    try txn.put(tables.meta, headKey.rawSpan, row.bytes)
  }

  /// The outcome of an event that repeats the id of an earlier one of its request.
  private func outcome(
    of event: EncodedEvent,
    like first: EncodedEvent,
    _ receipt: AppendReceipt,
    _ index: Int
  ) throws(StorageError) -> AppendReceipt.Outcome {
    guard case .appended(let sequence) = receipt.outcomes[index] else {
      return receipt.outcomes[index]
    }
    return event.hasSameContent(as: first)
      ? .duplicate(sequence) : .rejected(.otherContent(sequence))
  }

  private mutating func drawSalts(_ count: Int) {
    let byteCount = count * Commitment.saltByteCount
    if salts.count != byteCount { salts = [UInt8](repeating: 0, count: byteCount) }
    entropy.fill(&salts)
  }

  private func salt(at index: Int) -> Hash32 {
    let start = index * Commitment.saltByteCount
    let salt = Hash32(salts.rawSpan.extracting(start..<start + Commitment.saltByteCount))
    guard let salt else { preconditionFailure("a salt has 32 bytes") }
    return salt
  }
}

extension CommitBatch {
  /// Writes one event's rows and extends the tree.
  private mutating func write(
    _ event: EncodedEvent,
    at index: Int,
    id: EventID,
    flags: EventHeader.Flags,
    _ now: Timestamp,
    _ txn: inout WriteTransaction
  ) throws(StorageError) -> UInt64 {
    let sequence = head.size + 1
    let recorded = max(head.recorded ?? .earliest, min(event.recorded ?? now, now))
    // An import that knows only when an event was recorded means that it happened then, even where
    // an earlier event of the log was recorded later.
    let time = event.time ?? event.recorded.map { min($0, now) } ?? recorded
    let ownTime = time == recorded ? nil : time
    let payload = event.payload.rawSpan
    let salt = salt(at: index)
    let header = EventHeader(
      kind: event.kind,
      flags: flags,
      schema: event.schema,
      payloadByteCount: payload.byteCount,
      sequence: sequence,
      recorded: recorded,
      id: id,
      commitment: commitment(salt: salt, payload: payload, recorded: recorded, ownTime: ownTime)
    )
    let rest = beginRow(header, salt, recorded, ownTime, payload)
    key.removeAll()
    EventRow.appendKey(sequence, part: 0, to: &key)
    try txn.append(tables.events, key.bytes, row.bytes)
    let leaf = HashTree.leaf(row.bytes.extracting(1..<1 + EventHeader.byteCount))
    if rest < payload.byteCount {
      try writeParts(sequence, payload.extracting(rest..<payload.byteCount), &txn)
    }
    extend(leaf)
    head.recorded = recorded
    ids.append(WrittenID(high: id.high, low: id.low, sequence: sequence))
    return sequence
  }

  /// Fills `row` with part 0 and returns how many payload bytes it took.
  private mutating func beginRow(
    _ header: EventHeader,
    _ salt: Hash32,
    _ recorded: Timestamp,
    _ ownTime: Timestamp?,
    _ payload: RawSpan
  ) -> Int {
    let timeByteCount = (ownTime == nil ? 1 : 2) * Timestamp.storedByteCount
    let front = 1 + EventHeader.byteCount + Commitment.saltByteCount + timeByteCount
    let isParted = front + payload.byteCount > LogLimits.rowByteCount
    var state: EventRow.State = []
    if ownTime != nil { state.insert(.ownTime) }
    if isParted { state.insert(.parted) }
    row.removeAll()
    row.append(state.rawValue)
    header.append(to: &row)
    salt.withSpan { row.append($0) }
    recorded.append(to: &row)
    ownTime?.append(to: &row)
    if isParted { row.appendBigEndian(UInt32(payload.byteCount)) }
    let count = min(payload.byteCount, LogLimits.rowByteCount - row.count)
    row.append(payload.extracting(0..<count))
    return count
  }

  private mutating func writeParts(
    _ sequence: UInt64,
    _ rest: RawSpan,
    _ txn: inout WriteTransaction
  ) throws(StorageError) {
    var part: UInt16 = 1
    for start in stride(from: 0, to: rest.byteCount, by: LogLimits.rowByteCount) {
      key.removeAll()
      EventRow.appendKey(sequence, part: part, to: &key)
      let end = min(rest.byteCount, start + LogLimits.rowByteCount)
      try txn.append(tables.events, key.bytes, rest.extracting(start..<end))
      part += 1
    }
  }

  private mutating func extend(_ leaf: Hash32) {
    var completed: [TreeNode] = []
    head.frontier.append(leaf) { (level, index, hash) throws(Never) in
      guard TreeNode.isStored(level) else { return }
      completed.append(TreeNode(level: UInt8(level), index: index, hash: hash))
    }
    if !completed.isEmpty { nodes += completed }
  }

  private mutating func writeNodes(to txn: inout WriteTransaction) throws(StorageError) {
    for node in nodes {
      key.removeAll()
      TreeNode.appendKey(level: node.level, index: node.index, to: &key)
      row.removeAll()
      node.hash.withSpan { row.append($0) }
      try txn.put(tables.tree, key.bytes, row.bytes)
    }
  }

  private mutating func writeIDs(to txn: inout WriteTransaction) throws(StorageError) {
    for id in ids {
      key.removeAll()
      key.appendBigEndian(id.high)
      key.appendBigEndian(id.low)
      row.removeAll()
      row.appendBigEndian(id.sequence)
      try txn.put(tables.ids, key.bytes, row.bytes)
    }
  }

  private struct WrittenID {
    var high: UInt64
    var low: UInt64
    var sequence: UInt64
  }
}
