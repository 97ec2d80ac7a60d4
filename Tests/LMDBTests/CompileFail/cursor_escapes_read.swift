@testable import LMDB

// A cursor belongs to its transaction.
func keep(_ environment: Environment, _ table: Table) throws(CairnError) {
  // expected-error@+2 {{requires that 'Cursor' conform to 'Escapable'}}
  // expected-error@+1 {{requires that 'Cursor' conform to 'Copyable'}}
  _ = try environment.read { (txn) throws(CairnError) -> Cursor in
    return try txn.cursor(table)
  }
}
