package import Events
package import LMDB

extension EventLog {
  /// What an erasure did.
  package struct Erasure: Sendable, Equatable {
    /// The sequence of the purge event.
    package var sequence: UInt64
    /// How many events lost their content; those that had none left are not counted.
    package var erased: Int

    package init(sequence: UInt64, erased: Int) {
      self.sequence = sequence
      self.erased = erased
    }
  }

  /// Records a purge event and takes payload and salt from events, in one durable transaction.
  ///
  /// The headers stay, so that every root and proof stays. The ids are forgotten: an event with one
  /// of them is accepted again. The bytes may still lie in free pages of the file until it is
  /// rewritten.
  ///
  /// - Parameters:
  ///   - sequences: What to erase, in any order. Purge events and those beyond the head are refused.
  ///   - event: The event that records the purge.
  ///   - notes: Metadata that is set in the same transaction.
  ///   - blocks: What is refused from then on, see ``BlockedName``.
  ///   - wait: How long to wait for another process's commit.
  /// - Returns: The purge event's sequence and how many events were erased.
  /// - Throws: `.badArgument`, `.busy`, and what the disk says; nothing is changed then.
  package func erase(
    _ sequences: [UInt64], recording event: EncodedEvent, noting notes: [String: [UInt8]] = [:],
    blocking blocks: [BlockedName] = [], wait: Duration = .seconds(10)
  ) throws(StorageError) -> Erasure {
    let sorted = sequences.sorted()
    return try withWriterLock(wait: wait) { () throws(StorageError) in
      let (tables, entropy, reader, upcasters) = (tables, entropy, reader, upcasters)
      let erasure = try environment.write { (txn) throws(StorageError) in
        let head = try reader.head(in: txn.reader)
        guard sorted.last.map({ $0 <= head.size }) ?? true else {
          throw StorageError(.badArgument, "the log ends at sequence \(head.size)")
        }
        var batch = CommitBatch(
          tables: tables, entropy: entropy, reader: reader, upcasters: upcasters, head: head,
          eventCount: 1)
        guard let purge = try batch.append([event], to: &txn).first else {
          throw StorageError(
            .badArgument, "the purge event is in the log already; give it a new id")
        }
        try batch.finish(&txn)
        var erased = 0
        for sequence in sorted where try reader.erase(sequence, by: purge, in: &txn) { erased += 1 }
        for (key, value) in notes { try EventLog.setMetadata(value, for: key, tables, &txn) }
        for block in blocks { try txn.put(tables.meta, block.rowKey, [0]) }
        try EventLog.setLastErasure(purge, tables, &txn)
        return Erasure(sequence: purge, erased: erased)
      }
      // The erasure is done whatever comes of this, and the engine keeps the failure.
      _ = afterCommit?(erasure.sequence...erasure.sequence, [])
      watchers.notify(try head())
      return erasure
    }
  }

  /// Takes payload and salt from events that a purge of another copy of this log erased.
  ///
  /// For copies that hold the same events under the same sequences, such as a backup.
  ///
  /// - Parameters:
  ///   - sequences: What to erase; those beyond the head and purge events are left out.
  ///   - purge: The sequence that the purge has in the other copy.
  ///   - wait: How long to wait for another process's commit.
  /// - Returns: How many events were erased.
  /// - Throws: `.busy`, and what the disk says; nothing is changed then.
  package func erase(
    _ sequences: [UInt64], purgedElsewhere purge: UInt64, wait: Duration = .seconds(10)
  ) throws(StorageError) -> Int {
    let sorted = sequences.sorted()
    return try withWriterLock(wait: wait) { () throws(StorageError) in
      let (tables, reader) = (tables, reader)
      return try environment.write { (txn) throws(StorageError) in
        let size = try reader.head(in: txn.reader).size
        var erased = 0
        for sequence in sorted where (1...max(1, size)).contains(sequence) && size > 0 {
          guard try reader.header(at: sequence, in: txn.reader)?.kind != .purge else { continue }
          if try reader.erase(sequence, by: purge, in: &txn) { erased += 1 }
        }
        try EventLog.setLastErasure(purge, tables, &txn)
        return erased
      }
    }
  }
}

extension EventReader {
  /// Takes payload, salt, exact time and id entry from one event.
  ///
  /// - Returns: False when nothing was left to take.
  func erase(_ sequence: UInt64, by purge: UInt64, in txn: inout WriteTransaction)
    throws(StorageError) -> Bool
  {
    guard let front = try front(of: sequence, in: txn.reader) else {
      throw EventReader.gap(at: sequence)
    }
    guard front.purge == nil else { return false }
    guard front.header.kind != .purge else {
      throw StorageError(.badArgument, "event \(sequence) records a purge and stays")
    }
    let parts = EventRow.partCount(payload: front.payloadByteCount, prefix: front.payloadOffset)
    for part in 1..<max(1, parts) {
      _ = try txn.delete(tables.events, EventRow.key(sequence, part: UInt16(part)))
    }
    var row = ByteWriter()
    row.append(EventRow.State.erased.rawValue)
    front.header.append(to: &row)
    row.appendBigEndian(purge)
    try txn.put(tables.events, EventRow.key(sequence).rawSpan, row.bytes)
    if try self.sequence(ofGiven: front.header.id, in: txn.reader) == sequence {
      var key = ByteWriter()
      front.header.id.append(to: &key)
      _ = try txn.delete(tables.ids, key.bytes)
    }
    return true
  }
}
