import Glibc
import LMDB
import TestSupport
import Testing

@Suite struct FileLockTests {
  let scratch = TestDirectory()
  var path: String { scratch.file("writer.lock") }

  @Test func `one holder at a time, in one object and in two`() throws {
    let first = try FileLock(path: path)
    let second = try FileLock(path: path)
    #expect(try first.tryLock())
    #expect(try !first.tryLock())
    #expect(try !second.tryLock())
    first.unlock()
    #expect(try second.tryLock())
    #expect(try !first.tryLock())
  }

  @Test func `waiting ends with busy, not before its time`() throws {
    let holder = try FileLock(path: path)
    let other = try FileLock(path: path)
    try holder.lock(wait: .zero)
    let clock = ContinuousClock()
    let waited = clock.measure {
      expectError(.busy) { try other.lock(wait: .milliseconds(80)) }
    }
    #expect(waited >= .milliseconds(80))
  }

  @Test func `waiting succeeds when the holder lets go`() async throws {
    let lock = try FileLock(path: path)
    let inside = Shared(0)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { [path] in
          let mine = try FileLock(path: path)
          for _ in 0..<50 {
            try mine.lock(wait: .seconds(30))
            inside.change { $0 += 1 }
            #expect(inside.value == 1)
            inside.change { $0 -= 1 }
            mine.unlock()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try lock.tryLock())
  }

  @Test func `a wait longer than time itself is a wait`() throws {
    try FileLock(path: path).lock(wait: .seconds(Int64.max))
  }

  @Test func `letting go of the object frees the lock`() throws {
    do { try FileLock(path: path).lock(wait: .zero) }
    #expect(try FileLock(path: path).tryLock())
  }

  @Test func `another process is kept out, and its death frees the lock`() async throws {
    let lock = try FileLock(path: path)
    try lock.lock(wait: .zero)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try #require(try !FileLock(path: path).tryLock())
    }
    lock.unlock()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try FileLock(path: path).lock(wait: .zero)
      kill(getpid(), SIGKILL)
    }
    #expect(try lock.tryLock())
  }

  @Test func `a lock that cannot be made is an error`() {
    expectError(.missing) {
      try FileLock(path: scratch.file("nowhere/writer.lock"))
    }
  }
}
