package import LMDB
import Projections

extension CatalogFold {
  /// Writes the batch's rows, sorted by key, and forgets them.
  package mutating func flush(in txn: inout WriteTransaction) throws(CairnError) {
    itemRows.sort { $0.key.rawSpan.lexicographicallyPrecedes($1.key.rawSpan) }
    var value: [UInt8] = []
    try txn.putRun(catalog.items) { (put) throws(CairnError) in
      for row in itemRows {
        value.removeAll(keepingCapacity: true)
        value.appendBigEndian(row.ordinal)
        try put(row.key.rawSpan, value.rawSpan)
      }
    }
    for row in nameRows {
      try Parted.put(
        &txn, catalog.names, key: Catalog.ordinalKey(row.ordinal),
        value: arena.rawSpan.extracting(row.name), append: true)
    }
    // A version that was written again has its last row last.
    versionRows.sort {
      ($0.first, $0.second, $0.value.lowerBound) < ($1.first, $1.second, $1.value.lowerBound)
    }
    var key: [UInt8] = []
    try txn.putRun(catalog.versions) { (put) throws(CairnError) in
      for row in versionRows {
        key.removeAll(keepingCapacity: true)
        key.appendBigEndian(UInt32(truncatingIfNeeded: row.first))
        key.appendBigEndian(row.second)
        try put(key.rawSpan, arena.rawSpan.extracting(row.value))
      }
    }
    memberRows.sort()
    let empty: [UInt8] = []
    try txn.putRun(catalog.members) { (put) throws(CairnError) in
      for member in memberRows {
        key.removeAll(keepingCapacity: true)
        key.appendBigEndian(member)
        try put(key.rawSpan, empty.rawSpan)
      }
    }
    try flushCounts(in: &txn)
    itemRows.removeAll(keepingCapacity: true)
    nameRows.removeAll(keepingCapacity: true)
    versionRows.removeAll(keepingCapacity: true)
    memberRows.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }
}
