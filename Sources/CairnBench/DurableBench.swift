import Cairn
import Glibc

/// One durable append beside one `fdatasync`, in turn; then 64 appenders beside one.
struct DurableBench {
  let directory: String

  private static let rounds = 1_000
  private static let appenders = 64
  private static let eventsEach = 100
  private static let turns = 5

  func run() async throws {
    let store = try Store.open(at: directory + "/durable")
    defer { store.close() }
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let file = unsafe open(directory + "/floor", O_CREAT | O_TRUNC | O_WRONLY, 0o644)
    let bytes = [UInt8](repeating: 7, count: 200)
    var floor = Samples()
    var append = Samples()
    for round in 0..<Self.rounds {
      floor.time {
        // SAFETY: writes the bytes of the array it is given.
        let written = unsafe write(file, bytes, bytes.count)
        precondition(
          written == bytes.count && fdatasync(file) == 0, "the floor did not reach the disk")
      }
      let event = Self.event("single", round)
      try append.time { try store.appendBlocking(event) }
    }
    close(file)
    report("fdatasync-micros", floor.median)
    report("append-micros", append.median)

    // In turn, since the disk is not equally fast from one moment to the next.
    var one = Samples()
    var many = Samples()
    for round in 0..<Self.turns {
      one.add(
        try await Self.microseconds(appenders: 1, events: Self.rounds / Self.turns, store, round))
      many.add(
        try await Self.microseconds(
          appenders: Self.appenders, events: Self.eventsEach, store, round))
    }
    let eventCount =
      Self.rounds + Self.turns * Self.appenders * Self.eventsEach + Self.rounds / Self.turns
      * Self.turns
    let found = try store.at().statistics().itemCount
    precondition(found == eventCount, "not every event was appended")
    report("one-rate", Double(Self.rounds / Self.turns) / one.median * 1e6)
    report("many-rate", Double(Self.appenders * Self.eventsEach) / many.median * 1e6)
  }

  /// How long so many appenders take that append so many events each, one after another.
  private static func microseconds(appenders: Int, events: Int, _ store: Store, _ round: Int)
    async throws -> Double
  {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for appender in 0..<appenders {
        group.addTask {
          for number in 0..<events {
            try await store.append([Self.event("\(appenders)-\(appender)-\(round)", number)])
          }
        }
      }
      try await group.waitForAll()
    }
    return (ContinuousClock.now - start) / .microseconds(1)
  }

  /// About 200 bytes as JSON.
  private static func event(_ name: String, _ number: Int) -> Event {
    Event(
      kind: .index, item: "\(name)-\(number)", domain: .value("bench.durable"),
      attributes: [
        "title": .string("harbour lantern \(number)"),
        "contentDescription": .string("orchard granite meadow compass thunder velvet \(name)"),
      ])
  }
}
