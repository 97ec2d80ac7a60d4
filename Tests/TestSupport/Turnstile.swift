/// Lets in so many tests at once: a store maps two terabytes of address space, and all asynchronous
/// tests begin at the same time.
package actor Turnstile {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(_ count: Int) { free = count }

  package func enter() async {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  package func leave() { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
}
