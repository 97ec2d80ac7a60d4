@testable import LMDB

// A change may move the rows a cursor stands on.
func keep(_ environment: Environment, _ table: Table) throws(CairnError) {
  try environment.write { (txn) throws(CairnError) in
    // expected-note@+1 {{conflicting access is here}}
    var cursor = try txn.reader.cursor(table)
    // expected-error@+1 {{overlapping accesses to 'txn'}}
    try txn.delete(table, [1])
    _ = try cursor.next()
  }
}
