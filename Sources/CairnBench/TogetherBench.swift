import Cairn
import Foundation
import Synchronization

/// Threads that search one store while another one appends a thousand events a second.
final class TogetherBench: Sendable {
  private let store: Store
  private let queries: [String]
  private let isOver = Atomic(false)
  private let found = Mutex(Samples())
  private let appended = Mutex(Samples())

  private static let appendCount = 10
  private static let appendMicroseconds: UInt32 = 10_000
  private static let itemCount = 5_000

  /// `queries` is a file of lines of class and text.
  init(store: String, queries: String) throws {
    self.store = try Store.open(at: store)
    let lines = SearchCorpus(path: queries)
    self.queries = lines.lines.map { lines.text($0[1]) }
  }

  /// Reports how many searches a second so many threads make, and how long they take.
  func run(threads: Int, seconds: Double) {
    let ended = DispatchSemaphore(value: 0)
    start(ended) { try self.append() }
    for number in 0..<threads { start(ended) { try self.search(from: number * 7_919) } }
    usleep(UInt32(seconds * 1_000_000))
    isOver.store(true, ordering: .relaxed)
    for _ in 0...threads { ended.wait() }
    let samples = found.withLock { $0 }
    report("searches-a-second", Double(samples.microseconds.count) / seconds)
    report("search-p50", samples.percentile(0.5))
    report("search-p99", samples.percentile(0.99))
    let appends = appended.withLock { $0 }
    report("events-a-second", Double(appends.microseconds.count * Self.appendCount) / seconds)
    report("append-p99", appends.percentile(0.99))
    store.close()
  }

  private func start(_ ended: DispatchSemaphore, _ body: @escaping @Sendable () throws -> Void) {
    Thread.detachNewThread {
      do { try body() } catch {
        print("a thread failed: \(error)")
        exit(1)
      }
      ended.signal()
    }
  }

  private func search(from first: Int) throws {
    var samples = Samples()
    var place = first
    while !isOver.load(ordering: .relaxed) {
      let text = queries[place % queries.count]
      place += 1
      try samples.time { for hit in try store.at().search(text) { _ = (hit.title, hit.snippet) } }
    }
    found.withLock { all in for time in samples.microseconds { all.add(time) } }
  }

  private func append() throws {
    var samples = Samples()
    var number = 0
    while !isOver.load(ordering: .relaxed) {
      let events = (0..<Self.appendCount).map { place in
        Event(
          kind: .index, item: "note \((number + place) % Self.itemCount)",
          attributes: ["title": .string("harbour note \(number + place)")])
      }
      number += Self.appendCount
      let start = ContinuousClock.now
      try samples.time { try store.appendBlocking(events) }
      let taken = UInt32((ContinuousClock.now - start) / .microseconds(1))
      if taken < Self.appendMicroseconds { usleep(Self.appendMicroseconds - taken) }
    }
    appended.withLock { all in for time in samples.microseconds { all.add(time) } }
  }
}
