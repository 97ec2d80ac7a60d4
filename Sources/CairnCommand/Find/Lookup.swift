import Cairn
import Synchronization

/// Answers questions off the thread that asks: the newest one waits its turn, and what was
/// overtaken is dropped.
final class Lookup<Question: Sendable & Equatable, Answer: Sendable>: Sendable {
  private struct State {
    var waiting: Question?
    var isBusy = false
    var answer: (question: Question, result: Result<Answer, CairnError>)?
  }

  private let state = Mutex(State())
  private let store: Store
  private let wake: @Sendable () -> Void
  private let body: @Sendable (Question) throws(CairnError) -> Answer

  /// - Parameters:
  ///   - store: Whose threads do the work.
  ///   - wake: Called, on any thread, when an answer is there.
  ///   - body: Finds an answer; it may take its time.
  init(
    _ store: Store, wake: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable (Question) throws(CairnError) -> Answer
  ) {
    self.store = store
    self.wake = wake
    self.body = body
  }

  /// Asks; an earlier question that has not been begun is forgotten.
  func ask(_ question: Question) {
    let begins = state.withLock { state in
      state.waiting = question
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard begins else { return }
    Task.detached { await self.work() }
  }

  /// Takes the answer to the question asked last, once it is there.
  func takeAnswer() -> (question: Question, result: Result<Answer, CairnError>)? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }

  /// Forgets what waits; whether a question is still being answered.
  func stop() -> Bool {
    state.withLock { state in
      state.waiting = nil
      return state.isBusy
    }
  }

  private func work() async {
    while let question = takeQuestion() {
      let result: Result<Answer, CairnError>
      do {
        result = .success(try await store.perform { [body] _ in try body(question) })
      } catch let error as CairnError {
        result = .failure(error)
      } catch {
        result = .failure(CairnError(.internal, "a search was given up"))
      }
      state.withLock { state in
        if state.waiting == nil { state.answer = (question, result) }
      }
      wake()
    }
    // Whoever stops waits for this.
    wake()
  }

  private func takeQuestion() -> Question? {
    state.withLock { state in
      defer { state.waiting = nil }
      state.isBusy = state.waiting != nil
      return state.waiting
    }
  }
}
