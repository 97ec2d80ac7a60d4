@testable import LMDB

// Only `Environment.write` ends a transaction.
func leak(_ environment: Environment) throws(CairnError) {
  var kept: WriteTransaction?
  // expected-error@+1 {{missing reinitialization of inout parameter 'txn' after consume}}
  try environment.write { (txn) throws(CairnError) in
    kept = consume txn  // expected-note {{consumed here}}
  }
  _ = kept
}
