import EventLog
import Events
import LMDB
import Testing

@Suite struct ChangesTests {
  @Test(.timeLimit(.minutes(5))) func `heads grow, begin past the start, and the last one comes`()
    async throws
  {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try await log.append([.view("0")])
    let task = Task {
      var seen: [UInt64] = []
      for await head in log.changes(after: 1) {
        seen.append(head.sequence)
        if head.sequence >= 41 { break }
      }
      return seen
    }
    for index in 0..<40 { _ = try await log.append([.view("\(index)")]) }
    let seen = await task.value
    #expect(seen.last == 41)
    #expect(seen == seen.sorted())
    #expect(Set(seen).count == seen.count)
    #expect(seen.allSatisfy { $0 > 1 })
  }

  @Test(.timeLimit(.minutes(5))) func `a log that is past the start is told at once`() async throws
  {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try await log.append([.view("a"), .view("b")])
    for await head in log.changes(after: 0) {
      #expect(head.sequence == 2)
      break
    }
    #expect(try log.waitForHead(after: 1, timeout: .zero)?.sequence == 2)
    #expect(try log.waitForHead(after: 2, timeout: .milliseconds(30)) == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `another process's commits are noticed, by those who wait and those who listen`()
    async throws
  {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try await log.append([.view("a")])
    async let listened = {
      for await head in log.changes(after: 1) { return head.sequence }
      return 0
    }()
    await #expect(processExitsWith: .success) { [store = scratch.store as String] in
      let log = try EventLog.open(
        directory: store, access: .readWrite, create: false, writer: WriterThread(name: "other"))
      _ = try log.append([.view("from afar")])
    }
    #expect(await listened == 2)
    #expect(try log.waitForHead(after: 1, timeout: .seconds(5))?.sequence == 2)
  }
}
