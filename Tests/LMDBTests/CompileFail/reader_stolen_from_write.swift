@testable import LMDB

// The view of a write ends with it.
func leak(_ environment: Environment) throws(CairnError) {
  var kept: ReadTransaction?
  try environment.write { (txn) throws(CairnError) in
    // expected-note@+2 {{add 'consume' to make consumption explicit}}
    // expected-error@+1 {{implicit conversion to 'ReadTransaction?' is consuming}}
    kept = txn.reader
  }
  _ = kept
}
