@testable import LMDB
@testable import Values

// The control: what is meant to work compiles without a word.
func copy(_ environment: Environment, _ table: Table) throws(CairnError) -> [UInt8] {
  let first = try environment.read { (txn) throws(CairnError) -> [UInt8] in
    try txn.get(table, [1])?.array() ?? []
  }
  try environment.write { (txn) throws(CairnError) in
    if let span = try txn.reader.get(table, [1]) {
      _ = span.byteCount
    }
    try txn.put(table, [1], first)
    var cursor = try txn.reader.cursor(table)
    while let entry = try cursor.next() { _ = entry.value.byteCount }
  }
  return first
}
