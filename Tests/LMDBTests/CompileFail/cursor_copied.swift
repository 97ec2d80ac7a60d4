@testable import LMDB

// Two owners would close a cursor twice.
func copy(_ environment: Environment, _ table: Table) throws(StorageError) {
  try environment.read { (txn) throws(StorageError) in
    // expected-error@+1 {{'cursor' used after consume}}
    let cursor = try txn.cursor(table)
    let other = cursor  // expected-note {{consumed here}}
    _ = cursor  // expected-note {{used here}}
    _ = other
  }
}
