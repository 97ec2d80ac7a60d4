import Events
import HashTree
import LMDB

/// The appends of one transaction: extends events, ids and tree, and rewrites the head once.
struct CommitBatch: ~Copyable {
  private let log: EventLog
  let tables: Tables
  private let entropy: Entropy
  private let reader: EventReader
  private let upcasters: UpcasterChain
  private let sizeBefore: UInt64

  var head: HeadRow
  var facts = ByteWriter()
  var key = ByteWriter()
  var row = ByteWriter()
  var nodes: [TreeNode] = []
  /// What was appended, where it is wanted.
  var events: [StoredEvent] = []
  let keepsEvents: Bool
  private var random: RandomBlock
  private var ids: [(id: EventID, sequence: UInt64)] = []
  /// Tells which events the schema in force refuses.
  var admission: (any EventAdmission)?
  private var blocks: BlockList?
  private var hasBlockList = false

  /// Begins with what the log holds.
  init(_ log: EventLog, head: HeadRow, eventCount: Int, keepsEvents: Bool = false) {
    self.log = log
    tables = log.tables
    entropy = log.entropy
    reader = log.reader
    upcasters = log.upcasters
    self.head = head
    self.sizeBefore = head.size
    self.random = RandomBlock(eventCount: eventCount, entropy)
    self.keepsEvents = keepsEvents
    if keepsEvents { events.reserveCapacity(eventCount) }
  }

  /// The sequences appended so far, or `nil` while there are none.
  var appended: ClosedRange<UInt64>? { head.size == sizeBefore ? nil : sizeBefore + 1...head.size }

  /// Appends the events of one request.
  /// - Throws: What the disk says; the transaction is of no use then.
  mutating func append(
    _ events: [EncodedEvent], knownIDs: KnownIDs = .compared, to txn: inout WriteTransaction
  ) throws(CairnError) -> AppendReceipt {
    let now = entropy.now()
    // What purges refuse is looked up once for a transaction.
    if !hasBlockList {
      blocks = try BlockList(log, in: txn.reader)
      hasBlockList = true
    }
    let plan = try plan(events, knownIDs, &txn)
    var receipt = AppendReceipt()
    receipt.outcomes.reserveCapacity(events.count)
    for index in events.indices {
      if events[index].payload.count <= LogLimits.payloadByteCount,
        try blocks?.refuse(events[index], in: txn.reader) == true
      {
        receipt.outcomes.append(.rejected(.blocked))
        continue
      }
      switch plan.decisions[index] {
      case .answered(let outcome): receipt.outcomes.append(outcome)
      case .duplicateOf(let first):
        receipt.outcomes.append(
          try outcome(of: events[index], knownIDs, receipt, first, txn.reader))
      case .append(let id):
        let event = try located(events[index], &txn)
        if try lengthensErased(event, txn.reader) {
          receipt.outcomes.append(.rejected(.blocked))
          continue
        }
        let recorded = recordedTime(of: event, now)
        if let reason = try admission?.refusal(of: event, at: recorded) {
          receipt.outcomes.append(.rejected(.invalid(reason)))
          continue
        }
        let sequence = try append(event, id: id, now, &txn)
        try blocks?.note(event)
        receipt.outcomes.append(.appended(sequence))
        if receipt.first == nil { receipt.first = sequence }
        receipt.last = sequence
      }
    }
    if events.count == 1, receipt.first != nil { receipt.stored = self.events.last }
    return receipt
  }

  /// An event that tells by its id which one it lengthens, with that one's sequence in this log.
  private mutating func located(_ event: EncodedEvent, _ txn: inout WriteTransaction)
    throws(CairnError) -> EncodedEvent
  {
    guard let id = try event.extendedID() else { return event }
    // It may be among those just appended.
    if !ids.isEmpty { try writeIDs(to: &txn) }
    return try event.extending(reader.sequence(of: id, in: txn.reader))
  }

  /// Whether an event says how long one became that a purge took: whoever made it did not know
  /// yet, and it would name again what went.
  ///
  /// One that comes with its id was told before, and may be put back.
  private func lengthensErased(_ event: EncodedEvent, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Bool
  {
    guard event.id == nil, let of = try event.extended() else { return false }
    return try reader.front(of: of, in: txn)?.purge != nil
  }

  /// Whether every event of a request is in the log, so that appending them changes nothing.
  mutating func holds(_ events: [EncodedEvent], in txn: inout WriteTransaction) throws(CairnError)
    -> Bool
  {
    guard !events.isEmpty, events.allSatisfy({ $0.id != nil }) else { return false }
    return try plan(events, .compared, &txn).decisions.allSatisfy { decision in
      if case .answered(.duplicate(_)) = decision { true } else { false }
    }
  }

  private mutating func plan(
    _ events: [EncodedEvent], _ knownIDs: KnownIDs, _ txn: inout WriteTransaction
  ) throws(CairnError) -> IDPlan {
    // Given ids are looked up in the table, where those of earlier requests have to be by then.
    if !ids.isEmpty, events.contains(where: { $0.id != nil }) { try writeIDs(to: &txn) }
    return try IDPlan(
      events, knownIDs: knownIDs, reader: reader, upcasters: upcasters, txn: txn.reader)
  }

  private mutating func append(
    _ event: EncodedEvent, id given: EventID?, _ now: Timestamp, _ txn: inout WriteTransaction
  ) throws(CairnError) -> UInt64 {
    let (salt, bits) = random.next()
    guard let given else {
      let id = entropy.identifier(now, GeneratedID.random(head.size + 1, bits))
      return try write(event, id: id, isGenerated: true, salt: salt, now, &txn)
    }
    let sequence = try write(event, id: given, isGenerated: false, salt: salt, now, &txn)
    ids.append((given, sequence))
    return sequence
  }

  /// Writes ids, tree and head if anything was appended.
  ///
  /// Call once, last.
  mutating func finish(_ txn: inout WriteTransaction) throws(CairnError) {
    guard appended != nil else { return }
    try EventLog.raiseFormat(tables, &txn)
    try writeIDs(to: &txn)
    try writeNodes(to: &txn)
    head.root = head.compactRange.root
    try EventLog.setHead(head, tables, &txn)
  }

  /// The outcome of an event that repeats the id of an earlier one of its request.
  private func outcome(
    of event: EncodedEvent, _ knownIDs: KnownIDs, _ receipt: AppendReceipt, _ index: Int,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> AppendReceipt.Outcome {
    guard case .appended(let sequence) = receipt.outcomes[index] else {
      return receipt.outcomes[index]
    }
    if knownIDs == .firstWins { return .duplicate(sequence) }
    return try event.isSame(as: reader.event(ofID: sequence, in: txn), upcasters)
      ? .duplicate(sequence) : .rejected(.otherContent(sequence))
  }

  /// Writes the given ids gathered so far, sorted, so that each page of the table is visited once.
  private mutating func writeIDs(to txn: inout WriteTransaction) throws(CairnError) {
    ids.sort { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    for (id, sequence) in ids {
      key.removeAll()
      id.append(to: &key)
      row.removeAll()
      row.appendBigEndian(sequence)
      try txn.put(tables.ids, key.bytes, row.bytes)
    }
    ids.removeAll(keepingCapacity: true)
  }
}

/// Random bytes for the events of one transaction: a salt and 64 bits for an id each.
struct RandomBlock {
  private static let eventByteCount = Commitment.saltByteCount + 8

  private let bytes: [UInt8]
  private var offset = 0

  init(eventCount: Int, _ entropy: Entropy) {
    var bytes = [UInt8](repeating: 0, count: eventCount * RandomBlock.eventByteCount)
    entropy.fill(&bytes)
    self.bytes = bytes
  }

  /// The bytes for one event; traps when more are asked for than were announced.
  mutating func next() -> (salt: Hash32, bits: UInt64) {
    let start = offset
    offset += RandomBlock.eventByteCount
    let end = start + Commitment.saltByteCount
    let span = bytes.rawSpan
    guard let salt = Hash32(span.extracting(start..<end)) else {
      preconditionFailure("a salt has 32 bytes")
    }
    return (salt, span.loadBigEndian64(at: end))
  }
}
