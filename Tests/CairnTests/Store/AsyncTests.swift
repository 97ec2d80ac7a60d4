import LMDB
import Synchronization
import Testing

@testable import Cairn

/// Reads of tasks, on threads made for waiting.
@Suite struct AsyncTests {
  @Test func `a read of a task sees what was appended before it, at the point asked about`()
    async throws
  {
    try await withStore { store in
      for number in 1...5 {
        try await store.append([index("item \(number)", title: "harbour \(number)")])
        let found = try await store.read { moment in try moment.search("harbour").count }
        #expect(found == number)
      }
      let before = try await store.read(at: .sequence(2)) { try $0.items().map(\.id) }
      #expect(before == ["item 1", "item 2"])
      let digests = try await store.perform { try $0.rebuild()?.map(\.isEqual) }
      #expect(digests == Store.projectionNames.map { _ in true })
    }
  }

  @Test func `throws what the point and the body throw`() async throws {
    try await withStore { store in
      await #expect(throws: CairnError.self) {
        try await store.read(at: .sequence(9)) { _ in 1 }
      }
      struct Refusal: Error {}
      await #expect(throws: Refusal.self) { try await store.perform { _ in throw Refusal() } }
    }
  }

  @Test func `many more calls than threads are all answered, each once`() async throws {
    let threads = BlockingThreads(countMax: 3)
    let gauge = Gauge()
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<500 {
        group.addTask {
          try await threads.run {
            gauge.enter()
            gauge.leave()
            return number
          }
        }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(answers.sorted() == Array(0..<500))
    #expect((1...3).contains(gauge.most))
  }

  /// How many were inside at once.
  private final class Gauge: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var now: Int { counts.withLock { $0.now } }
    var most: Int { counts.withLock { $0.most } }

    func enter() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
  }

  /// Two calls that wait for each other need two threads: whoever ran both on one would never end.
  @Test func `a call that waits lets others by`() async throws {
    let threads = BlockingThreads(countMax: 2)
    let gate = Semaphore()
    async let waiting: Void = threads.run { gate.wait() }
    try await threads.run { gate.signal() }
    try await waiting
  }

  @Test func `calls that wait apart let others by, and leave no more threads at work`() async throws
  {
    let threads = BlockingThreads(countMax: 2)
    let (gate, gauge) = (Semaphore(), Gauge())
    try await withThrowingTaskGroup { group in
      for _ in 0..<5 {
        group.addTask { try await threads.run { threads.apart { gate.wait() } } }
      }
      for _ in 0..<5 {
        group.addTask { try await threads.run { gate.signal() } }
      }
      try await group.waitForAll()
      for _ in 0..<200 {
        group.addTask {
          try await threads.run {
            gauge.enter()
            gauge.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect((1...2).contains(gauge.most))
    #expect(threads.waitingCount == 0)
  }

  @Test func `calls that come together get a thread each, and one more is refused`() {
    let threads = BlockingThreads(countMax: 3)
    let (gate, begun) = (Semaphore(), Semaphore())
    let submit = {
      threads.submit(waitingMax: 0) { [begun] in
        begun.signal()
        gate.wait()
      }
    }
    for _ in 0..<3 { #expect(submit()) }
    #expect(!submit())
    // Each of them is woken, though none of the others ends.
    for _ in 0..<3 { begun.wait() }
    #expect(!submit())
    for _ in 0..<3 { gate.signal() }
  }

  /// What a call holds on to.
  private final class Held: Sendable {
    private let gauge: Gauge

    init(_ gauge: Gauge) {
      self.gauge = gauge
      gauge.enter()
    }

    deinit { gauge.leave() }

    func touch() {}
  }

  @Test func `calls that are done hold on to nothing, though others always wait`() {
    let threads = BlockingThreads(countMax: 2)
    let (gate, start, reached, gauge) = (Semaphore(), Semaphore(), Semaphore(), Gauge())
    func submit(_ body: @escaping @Sendable () -> Void) {
      #expect(threads.submit(waitingMax: .max, body))
    }
    submit { gate.wait() }
    submit { start.wait() }
    for _ in 0..<5_000 {
      let held = Held(gauge)
      submit { held.touch() }
    }
    submit {
      reached.signal()
      gate.wait()
    }
    submit {}
    #expect(gauge.now == 5_000)
    start.signal()
    reached.wait()
    #expect(gauge.now < 1_100)
    gate.signal()
    gate.signal()
  }

  @Test func `attributes of an item are decoded once, and are part of its equality`() async throws {
    try await withStore { store in
      try await store.append([
        index("a", title: "one", ["k": .integer(1)]), index("b", title: "one", ["k": .integer(1)]),
      ])
      let items = try store.at().items()
      let copy = items[0]
      #expect(copy == items[0] && items[0] != items[1])
      #expect(copy.attributes["k"] == .integer(1) && copy.attributes == items[1].attributes)
      try await store.append([
        Event(kind: .update, item: "a", attributes: ["title": .string("two")])
      ])
      #expect(try store.at().items()[0] != copy)
    }
  }
}
