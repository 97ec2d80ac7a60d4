package import Events
import LMDB

extension EventLog {
  /// Records a purge event and takes payload and salt from events, in one durable transaction; what
  /// is said anew of what stays comes after the purge event.
  ///
  /// The headers stay, so that every root and proof stays; one of version 2 holds nothing of its
  /// event. The ids are forgotten: an event with one of them is accepted again. The bytes may still
  /// lie in free pages of the file until it is rewritten.
  /// - Returns: The sequence of the purge event.
  /// - Throws: `.badArgument` for purge events and those beyond the head, `.busy`, and what the
  ///   disk says; nothing is changed then.
  package func erase(
    _ sequences: [UInt64], recording event: EncodedEvent, restating others: [EncodedEvent] = [],
    noting notes: [String: [UInt8]] = [:], blocking blocks: [BlockedName] = [],
    wait: Duration = .seconds(10)
  ) throws(CairnError) -> UInt64 {
    let sorted = sequences.sorted()
    return try withWriterLock(wait: wait) { () throws(CairnError) in
      let (purge, last) = try environment.write { (txn) throws(CairnError) in
        let head = try reader.head(in: txn.reader)
        guard sorted.last.map({ $0 <= head.size }) ?? true else {
          throw CairnError(.badArgument, "the log ends at sequence \(head.size)")
        }
        var batch = CommitBatch(self, head: head, eventCount: 1 + others.count)
        guard let purge = try batch.append([event], to: &txn).first else {
          throw CairnError(.badArgument, "the purge event is in the log already; give it a new id")
        }
        _ = try batch.append(others, to: &txn)
        let last = batch.head.size
        try batch.finish(&txn)
        _ = try reader.erase(sorted, by: purge, in: &txn)
        for (key, value) in notes { try EventLog.setMetadata(value, for: key, tables, &txn) }
        for block in blocks { try txn.put(tables.meta, block.rowKey, block.value) }
        try EventLog.setLastErasure(purge, tables, &txn)
        return (purge, last)
      }
      // The erasure is done whatever comes of this, and the engine keeps the failure.
      _ = afterCommit?(purge...last, [])
      notifyWatchers(of: last)
      return purge
    }
  }

  /// Takes payload and salt from events that a purge of another copy of this log erased.
  ///
  /// For copies that hold the same events under the same sequences, such as a backup. Purge events
  /// and those beyond the head are left out.
  /// - Returns: How many events were erased.
  /// - Throws: `.busy`, and what the disk says; nothing is changed then.
  package func erase(
    _ sequences: [UInt64], purgedElsewhere purge: UInt64, wait: Duration = .seconds(10)
  ) throws(CairnError) -> Int {
    let sorted = sequences.sorted()
    return try withWriterLock(wait: wait) { () throws(CairnError) in
      try environment.write { (txn) throws(CairnError) in
        var head = try reader.head(in: txn.reader)
        var known: [UInt64] = []
        for sequence in sorted where sequence >= 1 && sequence <= head.size {
          let front = try reader.front(of: sequence, in: txn.reader)
          if front?.live?.facts.kind.isPermanent != true { known.append(sequence) }
        }
        let erased = try reader.erase(known, by: purge, in: &txn)
        // The copy may end with an erased event, whose time is not to stay.
        head.recorded = try reader.recorded(through: head.size, in: txn.reader)
        try EventLog.setHead(head, tables, &txn)
        try EventLog.setLastErasure(purge, tables, &txn)
        return erased
      }
    }
  }
}

extension EventReader {
  /// Takes facts, payload, salt and id row from events.
  /// - Returns: Of how many there was something left to take.
  func erase(_ sequences: [UInt64], by purge: UInt64, in txn: inout WriteTransaction)
    throws(CairnError) -> Int
  {
    var erased = 0
    var forgetsIDs = false
    for sequence in sequences {
      guard let facts = try erase(sequence, by: purge, in: &txn) else { continue }
      erased += 1
      if !facts.hasGeneratedID { forgetsIDs = true }
    }
    if forgetsIDs { try txn.rewrite(tables.ids) }
    return erased
  }

  /// Takes facts, payload, salt and id row from one event.
  /// - Returns: What was taken, nil when nothing was left.
  private func erase(_ sequence: UInt64, by purge: UInt64, in txn: inout WriteTransaction)
    throws(CairnError) -> EventFacts?
  {
    guard let front = try front(of: sequence, in: txn.reader) else {
      throw EventReader.gap(at: sequence)
    }
    guard let live = front.live else { return nil }
    guard !live.facts.kind.isPermanent else {
      throw CairnError(.badArgument, "event \(sequence) records a purge or a schema and stays")
    }
    let parts = EventRow.partCount(payload: live.payloadByteCount, prefix: live.payloadOffset)
    for part in 1..<max(1, parts) {
      _ = try txn.delete(tables.events, EventRow.key(sequence, part: UInt16(part)))
    }
    var row = ByteWriter()
    row.append(EventRow.State.erased.rawValue)
    front.header.append(to: &row)
    row.appendBigEndian(purge)
    try txn.put(tables.events, EventRow.key(sequence).rawSpan, row.bytes)
    if !live.facts.hasGeneratedID {
      var key = ByteWriter()
      live.facts.id.append(to: &key)
      _ = try txn.delete(tables.ids, key.bytes)
    }
    return live.facts
  }
}
