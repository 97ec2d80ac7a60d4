import Synchronization

/// A value that several tasks of one test change.
package final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  package var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }

  package func change(_ body: (inout Value) -> Void) {
    mutex.withLock { (value: inout Value) in body(&value) }
  }
}
