package import LMDB

extension CatalogFold {
  /// Writes the batch's rows, sorted by key, and forgets them.
  package mutating func flush(in txn: inout WriteTransaction) throws(CairnError) {
    itemRows.sort { $0.key.rawSpan.lexicographicallyPrecedes($1.key.rawSpan) }
    var value: [UInt8] = []
    try txn.run(catalog.items) { (run) throws(CairnError) in
      for row in itemRows {
        value.removeAll(keepingCapacity: true)
        value.appendBigEndian(row.ordinal)
        try run.put(row.key.rawSpan, value.rawSpan)
      }
    }
    try flushNames(in: &txn)
    // Newer versions come first; one that was written again has its last row last.
    versionRows.sort {
      ($0.item, $1.made, $0.value.lowerBound) < ($1.item, $0.made, $1.value.lowerBound)
    }
    var key: [UInt8] = []
    try txn.run(catalog.versions) { (run) throws(CairnError) in
      for row in versionRows {
        key.removeAll(keepingCapacity: true)
        key.appendBigEndian(row.item)
        key.appendBigEndian(~row.made)
        try run.put(key.rawSpan, arena.rawSpan.extracting(row.value))
      }
    }
    try flushMembers(in: &txn)
    try flushCounts(in: &txn)
    itemRows.removeAll(keepingCapacity: true)
    nameRows.removeAll(keepingCapacity: true)
    versionRows.removeAll(keepingCapacity: true)
    memberRows.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }

  /// Adds the batch's names to the last row of them, and rows behind it.
  private func flushNames(in txn: inout WriteTransaction) throws(CairnError) {
    var place = 0
    while place < nameRows.count {
      let number = NameBlock.number(of: nameRows[place].ordinal)
      let key = Catalog.ordinalKey(number)
      var names = NameBlock.Writer(number)
      var known = ByteWriter(capacity: 512)
      let isNew = try !Parted.get(txn.reader, catalog.names, key: key, into: &known)
      try NameBlock.visit(known.bytes, number) { (item, name) in
        names.append(item, name)
        return true
      }
      while place < nameRows.count, NameBlock.number(of: nameRows[place].ordinal) == number {
        names.append(nameRows[place].ordinal, arena.rawSpan.extracting(nameRows[place].name))
        place += 1
      }
      try Parted.put(&txn, catalog.names, key: key, value: names.row.bytes, append: isNew)
    }
  }
}
