@testable import LMDB

// A transaction stays on the thread that began it.
func leak(_ environment: Environment, _ table: Table) throws(CairnError) {
  // expected-note@+2 {{parameter 'txn' is declared 'inout'}}
  // expected-note@+1 {{closure captures 'txn'}}
  try environment.write { (txn) throws(CairnError) in
    // expected-error@+2 {{passing closure as a 'sending' parameter risks causing data races}}
    // expected-error@+1 {{escaping closure captures 'inout' parameter 'txn'}}
    let task = Task { try txn.put(table, [1], [2]) }  // expected-note {{captured here}}
    _ = task
  }
}
