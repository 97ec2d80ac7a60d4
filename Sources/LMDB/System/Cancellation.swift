import Synchronization

/// Tells work that nobody waits for what it reads any more.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package func cancel() { flag.store(true, ordering: .relaxed) }

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Where the one of each thread lies; 0 for none.
  private static let mark = ThreadNumber()

  /// That of the work which the current thread is at.
  static var current: Cancellation? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: mark.current) else { return nil }
    // SAFETY: whoever noted it holds it until the note is gone.
    return unsafe Unmanaged<Cancellation>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Runs work whose reads end once this is cancelled, whatever they are looking for.
  /// - Throws: `.aborted` from any read then; what the body throws.
  package func run<R: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    let before = Self.mark.current
    Self.mark.current = unsafe Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    defer { Self.mark.current = before }
    return try body()
  }

  func check() throws(CairnError) {
    if isCancelled { throw CairnError(.aborted, "nobody waits for the answer") }
  }
}
