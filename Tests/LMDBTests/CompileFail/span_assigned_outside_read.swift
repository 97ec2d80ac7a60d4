@testable import LMDB

// Neither can a span be smuggled out through a variable.
func keep(_ environment: Environment, _ table: Table) throws(CairnError) {
  var kept: RawSpan?  // expected-error {{lifetime-dependent variable 'kept' escapes its scope}}
  // expected-note@+1 {{it depends on the lifetime of argument 'txn'}}
  try environment.read { (txn) throws(CairnError) in
    kept = try txn.get(table, [1])
  }  // expected-note {{this use causes the lifetime-dependent value to escape}}
  _ = kept
}
