@testable import LMDB

// A span points into the file and ends with its transaction.
func keep(_ environment: Environment, _ table: Table) throws(CairnError) {
  // expected-error@+1 {{requires that 'RawSpan' conform to 'Escapable'}}
  _ = try environment.read { (txn) throws(CairnError) -> RawSpan? in
    return try txn.get(table, [1])
  }
}
