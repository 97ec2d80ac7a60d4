package import LMDB
package import Projections

extension Timeline {
  /// Copies this timeline into an empty one, without erased events.
  ///
  /// `digest` is that of this timeline; the closures give the hashes of names.
  /// - Returns: The digest of the copy.
  /// - Complexity: O(events), some 5 ns each.
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  package func copy(
    to copy: Timeline, through writer: RowWriter, without erasure: Erasure, digest: RowDigest,
    itemKey: (UInt32) throws(StorageError) -> NameKey,
    domainKey: (UInt32) throws(StorageError) -> NameKey, from txn: borrowing ReadTransaction
  ) throws(StorageError) -> RowDigest {
    var digest = digest
    var kept = ByteWriter(capacity: Int(Self.blockCount) * TimelineRecord.byteCount)
    func keep(_ row: RawSpan, _ kept: inout ByteWriter) throws(StorageError) {
      kept.removeAll()
      for offset in try Self.offsets(row) {
        let record = TimelineRecord(row, at: offset)
        if !erasure.contains(record.sequence) {
          kept.append(row.extracting(offset..<offset + TimelineRecord.byteCount))
        } else if !record.isPurge {
          let item = record.item == ResolvedEvent.none ? NameKey.none : try itemKey(record.item)
          digest.remove(record.digestRow(item: item, domain: try domainKey(record.domain)))
        }
      }
    }
    try writer.copyRows(of: table, in: txn, to: copy.table) {
      (key, row, batch) throws(StorageError) in
      try keep(row, &kept)
      if kept.count > 0 { batch.append(key, kept.bytes) }
    }
    let last = try LastBlock(self, in: txn)
    try keep(last.records.bytes, &kept)
    let (number, records) = (last.number, kept.array())
    try writer.environment.write { (txn) throws(StorageError) in
      var block = LastBlock(number)
      block.records.append(records)
      try block.write(copy, in: &txn)
    }
    return digest
  }
}
