import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite struct WriterLockTests {
  @Test(.timeLimit(.minutes(5)))
  func `who asks for the lock gets it next, even from one who takes it again at once`() async throws
  {
    let scratch = Scratch()
    let eager = try WriterLock(directory: scratch.path)
    let guest = try WriterLock(directory: scratch.path)
    let isDone = Shared(false)
    let isRunning = Shared(false)
    let loop = onOwnThread {
      while !isDone.value {
        try eager.lock(wait: .seconds(30))
        isRunning.value = true
        Self.work()
        eager.unlock()
      }
    }
    while !isRunning.value { await Task.yield() }
    for _ in 0..<3 {
      try guest.lock(wait: .milliseconds(600))
      guest.unlock()
    }
    isDone.value = true
    try await loop.value
  }

  /// Holds on to the thread, as a commit does.
  private static func work() { Thread.sleep(forTimeInterval: 0.03) }

  @Test func `a lock that stays held is busy after the wait`() throws {
    let scratch = Scratch()
    let first = try WriterLock(directory: scratch.path)
    let second = try WriterLock(directory: scratch.path)
    try first.lock(wait: .zero)
    expectError(.busy) { try second.lock(wait: .milliseconds(40)) }
    first.unlock()
    try second.lock(wait: .zero)
    second.unlock()
  }
}
