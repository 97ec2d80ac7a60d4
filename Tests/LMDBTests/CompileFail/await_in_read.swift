@testable import LMDB

func later() async {}

// A suspended reader would pin pages for as long as it sleeps, and wake on another thread.
func wait(_ environment: Environment) async throws(CairnError) {
  try environment.read { (txn) throws(CairnError) in
    // expected-error@+1 {{'async' call in a function that does not support concurrency}}
    await later()
  }
}
