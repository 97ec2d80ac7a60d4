@testable import LMDB

// A span points into the file and ends with its transaction.
func keep(_ environment: Environment, _ table: Table) throws(StorageError) {
  // expected-error@+1 {{requires that 'RawSpan' conform to 'Escapable'}}
  _ = try environment.read { (txn) throws(StorageError) -> RawSpan? in
    return try txn.get(table, [1])
  }
}
