package import LMDB
package import Projections

extension Columns {
  /// Fills these empty columns from others, without items that are erased.
  ///
  /// Texts that no item has any more are left out.
  /// - Returns: The digest of the rows.
  /// - Complexity: O(values).
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  package func fill(
    _ copy: GenerationCopy, _ digest: RowDigest, from txn: borrowing ReadTransaction
  ) throws(CairnError) -> RowDigest {
    let source = Columns(copy.source)
    let known = try NumberedTexts(source, in: txn)
    var digest = digest
    var used: [Int: ItemSet] = [:]
    var batch = RowBatch()
    var row = ByteWriter(capacity: 1 << 14)
    var key = ByteWriter(capacity: 4)
    try source.forEachBlock(in: txn) { (number, block) throws(CairnError) in
      let (column, first) = Self.place(of: number)
      guard let info = known.infos[column] else { throw Self.damaged }
      var kept = ColumnBlock()
      try block.forEach { (slot, codes, isElsewhere) throws(CairnError) in
        let item = first + UInt32(slot)
        guard copy.erasure.isGone(item: item) else {
          kept.append(slot, codes, isElsewhere: isElsewhere)
          guard info.hasTexts else { return }
          for code in codes { used[column, default: ItemSet()].insert(try Self.textNumber(code)) }
          return
        }
        let words = try known.words(codes, info, column)
        digest.remove(info.row(of: try copy.names.itemKey(item), words, isElsewhere: isElsewhere))
      }
      guard !kept.isEmpty else { return }
      kept.write(to: &row)
      key.removeAll()
      key.appendBigEndian(number)
      try batch.appendParted(key, row)
      if batch.isFull { try copy.writer.append(&batch, to: blocks) }
    }
    try copy.writer.append(&batch, to: blocks)
    try copy.writer.copyRows(of: source.values, in: txn, to: values) {
      (key, row, batch) throws(CairnError) in
      guard key.byteCount >= 3 else { throw Self.damaged }
      let texts = used[Int(key.loadBigEndian16(at: 0))] ?? ItemSet()
      switch key.byte(at: 2) {
      case 1: if texts.contains(row.loadLittleEndian32(at: 0)) { batch.append(key, row) }
      case 2: if texts.contains(key.loadBigEndian32(at: 3)) { batch.append(key, row) }
      default: batch.append(key, row)
      }
    }
    return digest
  }
}
