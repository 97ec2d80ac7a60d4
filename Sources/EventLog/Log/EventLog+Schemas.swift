package import Events
import LMDB

/// Where the log's schemas are, so that nobody has to look for them.
///
/// Rows of table `meta` under "schema/" ‖ sequence (8), empty.
extension EventLog {
  private static let schemaPrefix = Array("schema/".utf8)

  /// The sequence that a row of table `meta` names; nil for another row.
  static func schemaSequence(_ key: RawSpan) -> UInt64? {
    guard key.byteCount == schemaPrefix.count + 8, key.hasPrefix(schemaPrefix.rawSpan) else {
      return nil
    }
    return key.loadBigEndian64(at: schemaPrefix.count)
  }

  /// The sequences of all schema events, ascending.
  /// - Complexity: O(schema events), about a microsecond where there are none.
  package func schemaSequences() throws(CairnError) -> [UInt64] {
    try environment.read { (txn) throws(CairnError) in
      var sequences: [UInt64] = []
      try txn.scan(self.tables.meta, from: EventLog.schemaPrefix) {
        (key, _) throws(CairnError) in
        guard let sequence = EventLog.schemaSequence(key) else { return false }
        sequences.append(sequence)
        return true
      }
      return sequences
    }
  }

  /// Records a schema event, in one durable transaction with notes.
  ///
  /// The first one raises the format of the log. Not told to ``afterCommit``: who records folds.
  /// - Throws: `.busy`, and what the disk says; nothing is changed then.
  package func recordSchema(
    _ event: EncodedEvent, noting notes: [String: [UInt8]] = [:], wait: Duration = .seconds(10)
  ) throws(CairnError) -> AppendReceipt.Outcome {
    try withWriterLock(wait: wait) { () throws(CairnError) in
      let outcome = try environment.write { (txn) throws(CairnError) in
        var batch = CommitBatch(self, head: try self.reader.head(in: txn.reader), eventCount: 1)
        let receipt = try batch.append([event], to: &txn)
        guard let sequence = receipt.first else {
          guard let outcome = receipt.outcomes.first else {
            throw CairnError(.internal, "an event was appended and not answered")
          }
          return outcome
        }
        try batch.finish(&txn)
        try EventLog.raiseFormat(tables, to: EventLog.schemaFormat, &txn)
        var key = ByteWriter()
        key.append(EventLog.schemaPrefix.rawSpan)
        key.appendBigEndian(sequence)
        let empty: [UInt8] = []
        try txn.put(tables.meta, key.bytes, empty.rawSpan)
        for (key, value) in notes { try EventLog.setMetadata(value, for: key, tables, &txn) }
        return AppendReceipt.Outcome.appended(sequence)
      }
      if case .appended(let sequence) = outcome { notifyWatchers(of: sequence) }
      return outcome
    }
  }
}
