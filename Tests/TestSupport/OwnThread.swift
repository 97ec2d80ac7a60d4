import Foundation

/// Begins at once, on a thread of its own, what waits for others.
///
/// The threads that all tests share are as few as the machine's cores: two tests that wait on them
/// for what is to run on them wait for ever.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value)
  -> Task<Value, any Error>
{
  let (ended, end) = AsyncThrowingStream<Value, any Error>.makeStream()
  Thread.detachNewThread {
    do {
      end.yield(try body())
      end.finish()
    } catch { end.finish(throwing: error) }
  }
  return Task {
    for try await value in ended { return value }
    throw CancellationError()
  }
}
