import Cairn
import Glibc

/// Appends one event for each line of standard input and says how long it took, so that another
/// program can take turns with what it measures.
struct SingleBench {
  let store: String

  func run() throws {
    let store = try Store.open(at: store)
    defer { store.close() }
    var number = 0
    while let line = readLine() {
      let start = ContinuousClock.now
      try store.appendBlocking(Event(kind: .view, item: "\(line)-\(number)"))
      print((ContinuousClock.now - start) / .microseconds(1))
      // nil stands for every stream of the process.
      fflush(nil)
      number += 1
    }
  }
}
