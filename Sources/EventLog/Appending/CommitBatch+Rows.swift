import Events
import HashTree
import LMDB

extension CommitBatch {
  /// When an event is recorded that is appended now: no earlier than those before it.
  func recordedTime(of event: EncodedEvent, _ now: Timestamp) -> Timestamp {
    max(head.recorded ?? .earliest, min(event.recorded ?? now, now))
  }

  /// Writes one event's rows and extends the tree.
  mutating func write(
    _ event: EncodedEvent, id: EventID, isGenerated: Bool, salt: Hash32, _ now: Timestamp,
    _ txn: inout WriteTransaction
  ) throws(CairnError) -> UInt64 {
    let sequence = head.size + 1
    let recorded = recordedTime(of: event, now)
    // An import that knows only when an event was recorded means that it happened then, even where
    // an earlier event of the log was recorded later.
    let time = event.time ?? event.recorded.map { min($0, now) } ?? recorded
    let stored = EventFacts(
      kind: event.kind, hasGeneratedID: isGenerated, schema: event.schema, id: id,
      recorded: recorded, time: time)
    let payload = event.payload.rawSpan
    facts.removeAll()
    stored.append(to: &facts)
    let header = EventHeader(
      sequence: sequence, commitment: Commitment.make(salt: salt, facts.bytes, payload))
    let rest = beginRow(header, salt, payload)
    key.removeAll()
    EventRow.appendKey(sequence, part: 0, to: &key)
    try txn.append(tables.events, key.bytes, row.bytes)
    let leaf = HashTree.leaf(row.bytes.extracting(1..<1 + header.byteCount))
    if rest < payload.byteCount {
      try writeParts(sequence, payload.extracting(rest..<payload.byteCount), &txn)
    }
    nodes += TreeNode.completed(by: leaf, in: &head.compactRange)
    head.recorded = recorded
    if keepsEvents { events.append(StoredEvent(header, stored, payload: event.payload)) }
    return sequence
  }

  /// Fills `row` with part 0 and returns how many payload bytes it took.
  private mutating func beginRow(_ header: EventHeader, _ salt: Hash32, _ payload: RawSpan) -> Int {
    let front = 1 + header.byteCount + Commitment.saltByteCount + facts.count
    let isParted = front + payload.byteCount > LogLimits.rowByteCount
    row.removeAll()
    row.append(isParted ? EventRow.State.parted.rawValue : 0)
    header.append(to: &row)
    salt.withSpan { row.append($0) }
    if isParted { row.appendBigEndian(UInt32(payload.byteCount)) }
    row.append(facts)
    let count = min(payload.byteCount, LogLimits.rowByteCount - row.count)
    row.append(payload.extracting(0..<count))
    return count
  }

  private mutating func writeParts(
    _ sequence: UInt64, _ rest: RawSpan, _ txn: inout WriteTransaction
  ) throws(CairnError) {
    var part: UInt16 = 1
    for start in stride(from: 0, to: rest.byteCount, by: LogLimits.rowByteCount) {
      key.removeAll()
      EventRow.appendKey(sequence, part: part, to: &key)
      let end = min(rest.byteCount, start + LogLimits.rowByteCount)
      try txn.append(tables.events, key.bytes, rest.extracting(start..<end))
      part += 1
    }
  }

  mutating func writeNodes(to txn: inout WriteTransaction) throws(CairnError) {
    for node in nodes {
      key.removeAll()
      TreeNode.appendKey(level: node.level, index: node.index, to: &key)
      row.removeAll()
      node.hash.withSpan { row.append($0) }
      try txn.put(tables.tree, key.bytes, row.bytes)
    }
  }
}
