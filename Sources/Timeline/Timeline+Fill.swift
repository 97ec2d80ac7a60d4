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
    var counts = KindCounts()
    func kept(_ row: RawSpan, _ number: UInt64) throws(CairnError) -> LastBlock {
      var block = LastBlock(number)
      try Self.visit(row, number) { (record) throws(CairnError) in
        if !copy.erasure.contains(record.sequence) {
          counts.add(record.kind)
          block.append(record)
        } else if !record.isPurge {
          let item = try copy.names.itemKey(record.item)
          let domain = try copy.names.domainKey(record.domain)
          digest.remove(record.digestRow(item: item, domain: domain))
        }
        return true
      }
      return block
    }
    try copy.writer.copyRows(of: source.table, in: txn, to: table) {
      (key, row, batch) throws(CairnError) in
      let block = try kept(row, try Self.number(key))
      if block.records.count > 0 { batch.append(key, block.records.bytes) }
    }
    let last = try LastBlock.stored(source, in: txn)
    let block = try kept(last.records.bytes, last.number)
    let (row, kinds) = (block.row, counts)
    try copy.writer.environment.write { (txn) throws(CairnError) in
      try txn.put(shared, SharedRows.timelineKey, row)
      try write(kinds, in: &txn)
    }
    checkpoint[Self.name] = digest
    return nil
  }
}
