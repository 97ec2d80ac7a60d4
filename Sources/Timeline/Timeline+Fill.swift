package import LMDB
package import Projections

extension Timeline {
  /// Fills this empty timeline with the records of another one that are not erased.
  /// - Complexity: O(events), some 5 ns each.
  package func fill(
    _ copy: GenerationCopy, _ checkpoint: inout Checkpoint, from txn: borrowing ReadTransaction
  ) throws(CairnError) -> PendingFill? {
    let source = Timeline(copy.source)
    var digest = checkpoint[Self.name]
    var kept = ByteWriter(capacity: Int(Self.blockCount) * TimelineRecord.byteCount)
    var counts = KindCounts()
    func keep(_ row: RawSpan, _ kept: inout ByteWriter) throws(CairnError) {
      kept.removeAll()
      for offset in try Self.offsets(row) {
        let record = TimelineRecord(row, at: offset)
        if !copy.erasure.contains(record.sequence) {
          counts.add(record.kind)
          kept.append(row.extracting(offset..<offset + TimelineRecord.byteCount))
        } else if !record.isPurge {
          let item = try copy.names.itemKey(record.item)
          let domain = try copy.names.domainKey(record.domain)
          digest.remove(record.digestRow(item: item, domain: domain))
        }
      }
    }
    try copy.writer.copyRows(of: source.table, in: txn, to: table) {
      (key, row, batch) throws(CairnError) in
      try keep(row, &kept)
      if kept.count > 0 { batch.append(key, kept.bytes) }
    }
    let last = try LastBlock(source, in: txn)
    try keep(last.records.bytes, &kept)
    let (number, records, kinds) = (last.number, kept.array(), counts)
    try copy.writer.environment.write { (txn) throws(CairnError) in
      var block = LastBlock(number)
      block.records.append(records)
      try block.write(self, in: &txn)
      try write(kinds, in: &txn)
    }
    checkpoint[Self.name] = digest
    return nil
  }
}
