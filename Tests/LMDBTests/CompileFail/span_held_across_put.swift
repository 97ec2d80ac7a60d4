@testable import LMDB

// A change may overwrite the page a span points into.
func keep(_ environment: Environment, _ table: Table) throws(CairnError) {
  try environment.write { (txn) throws(CairnError) in
    // expected-note@+1 {{conflicting access is here}}
    let span = try txn.reader.get(table, [1])
    // expected-error@+1 {{overlapping accesses to 'txn'}}
    try txn.put(table, [1], [2])
    _ = span?.byteCount
  }
}
