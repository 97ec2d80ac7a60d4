import LMDB
import TestSupport
import Testing

@Suite struct WriterThreadTests {
  @Test func `jobs run one at a time in the order they came`() {
    let writer = WriterThread(name: "order")
    let seen = Shared<[Int]>([])
    for number in 0..<1_000 { writer.submit { seen.change { $0.append(number) } } }
    let count = try? writer.run { () throws(CairnError) in seen.value.count }
    #expect(count == 1_000)
    #expect(seen.value == Array(0..<1_000))
  }

  @Test func `all jobs run on one thread that is not the caller's`() throws {
    let writer = WriterThread(name: "same")
    #expect(!writer.isCurrent)
    #expect(try writer.run { () throws(CairnError) in writer.isCurrent })
  }

  @Test func `a job may run another on the same thread`() throws {
    let writer = WriterThread(name: "nested")
    let result = try writer.run { () throws(CairnError) in
      try writer.run { () throws(CairnError) in 7 }
    }
    #expect(result == 7)
  }

  @Test func `errors come back to the one who asked`() {
    let writer = WriterThread(name: "errors")
    expectError(.aborted) {
      try writer.run { () throws(CairnError) in throw CairnError(.aborted, "on purpose") }
    }
  }

  @Test func `letting go runs what is queued`() {
    let count = Shared(0)
    do {
      let writer = WriterThread(name: "end")
      for _ in 0..<100 { writer.submit { count.change { $0 += 1 } } }
    }
    #expect(count.value == 100)
  }

  @Test func `the last reference may go on the thread itself`() async {
    for _ in 0..<20 {
      await withCheckedContinuation { continuation in
        let writer = WriterThread(name: "self")
        writer.submit {
          _ = writer.isCurrent
          continuation.resume()
        }
      }
    }
  }

  @Test func `many callers at once each get their own answer`() async throws {
    let writer = WriterThread(name: "many")
    let total = Shared(0)
    try await withThrowingTaskGroup { group in
      for worker in 0..<16 {
        group.addTask {
          for round in 0..<200 {
            let answer = try writer.run { () throws(CairnError) in
              total.change { $0 += 1 }
              return worker * 1_000 + round
            }
            #expect(answer == worker * 1_000 + round)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(total.value == 3_200)
  }
}
