import Foundation
import Testing

/// Short by default; `CAIRN_CONCURRENT_SECONDS=60` does what the promise says.
@Suite struct `Readers while somebody writes` {
  static let seconds =
    ProcessInfo.processInfo.environment["CAIRN_CONCURRENT_SECONDS"].flatMap { Double($0) } ?? 3

  private enum Done: Sendable { case answered(Int), wrote(Int) }

  @Test func `every answer is a prefix of the log`() async throws {
    let store = Store("busy")
    try store.append(Data(#"{"kind":"index","item":"1","attributes":{"title":"one"}}"#.utf8))
    let writer = try store.start(["append", "-", "--batch", "10"])
    let deadline = Date().addingTimeInterval(Self.seconds)
    var written = 0
    try await withThrowingTaskGroup(of: Done.self) { group in
      for reader in 0..<4 {
        group.addTask {
          try await onThread {
            var answers = 0
            var last = 0
            repeat {
              let seen =
                reader % 2 == 0 ? try Self.itemsArePrefix(store) : try Self.statsAgree(store)
              #expect(seen >= last, "a reader went back in time")
              last = seen
              answers += 1
            } while Date() < deadline
            return .answered(answers)
          }
        }
      }
      group.addTask {
        try await onThread {
          var number = 1
          while Date() < deadline {
            number += 1
            let line = #"{"kind":"index","item":"\#(number)","attributes":{"title":"n\#(number)"}}"#
            writer.write(Data((line + "\n").utf8))
            if number % 10 == 0 { usleep(2_000) }
          }
          return .wrote(number)
        }
      }
      for try await done in group {
        switch done {
        case .answered(let count): #expect(count > 0)
        case .wrote(let count): written = count
        }
      }
    }
    #expect(writer.finish().status == 0)
    #expect(try store.stats().head == written)
    #expect(try store.run("replay", "--verify").status == 0)
  }

  /// Item n came with event n, so the items of any moment are exactly 1…head.
  private static func itemsArePrefix(_ store: Store) throws -> Int {
    let rows = try store.json(["items"], as: ItemRow.self)
    let numbers = rows.compactMap { Int($0.item) }.sorted()
    #expect(numbers == Array(1...max(1, numbers.count)))
    #expect(rows.allSatisfy { "\($0.sequence)" == $0.item })
    return numbers.count
  }

  private static func statsAgree(_ store: Store) throws -> Int {
    let stats = try store.stats()
    // What was not answered yet may be in the log and not yet in the projections.
    let applied = try #require(stats.projections.first).sequence
    #expect(stats.items == applied && stats.kinds["index"] == applied)
    #expect(
      stats.projections.allSatisfy { $0.sequence == applied && $0.lag == stats.head - applied })
    return applied
  }
}

/// Runs blocking work on a thread of its own.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try work() }) }.start()
  }
}
