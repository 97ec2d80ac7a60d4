/// State that several threads use, one at a time.
///
/// Unlike a mutex of the standard library it also holds values that are not Sendable, which Apple's
/// interface demands for what applications hand over (`userInfo`, handlers).
final class Guarded<State>: @unchecked Sendable {
  // Safe to share: the state is touched only between lock and unlock.
  private let lock = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  /// Runs a short piece of code alone with the state.
  func callAsFunction<R>(_ body: (inout State) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }

  /// Puts a value in the place of another one, which goes after the lock: what that one holds may
  /// end with it, and use the state then.
  func replace<Value>(_ place: WritableKeyPath<State, Value>, by value: Value) {
    let former = callAsFunction { state in
      let former = state[keyPath: place]
      state[keyPath: place] = value
      return former
    }
    withExtendedLifetime(former) {}
  }
}
