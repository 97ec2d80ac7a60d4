@testable import LMDB

// A row is lent until the cursor moves.
func keep(_ environment: Environment, _ table: Table) throws(CairnError) {
  try environment.read { (txn) throws(CairnError) in
    var cursor = try txn.cursor(table)
    // expected-error@+1 {{overlapping accesses to 'cursor'}}
    let first = try cursor.next()
    let second = try cursor.next()  // expected-note {{conflicting access is here}}
    _ = first?.key.byteCount
    _ = second?.key.byteCount
  }
}
