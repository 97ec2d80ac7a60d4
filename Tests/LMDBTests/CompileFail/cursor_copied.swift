@testable import LMDB

// Two owners would close a cursor twice.
func copy(_ environment: Environment, _ table: Table) throws(CairnError) {
  try environment.read { (txn) throws(CairnError) in
    // expected-error@+1 {{'cursor' used after consume}}
    let cursor = try txn.cursor(table)
    let other = cursor  // expected-note {{consumed here}}
    _ = cursor  // expected-note {{used here}}
    _ = other
  }
}
