import Cairn
import Glibc

/// One durable append beside one `fdatasync`, in turn; then 64 appenders beside one.
struct DurableBench {
  let directory: String

  private static let rounds = 1_000
  private static let appenders = 64
  private static let eventsEach = 100

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
        unsafe _ = write(file, bytes, bytes.count)
        fdatasync(file)
      }
      let event = Self.event("single", round)
      try append.time { try store.appendBlocking(event) }
    }
    close(file)
    report("fdatasync-micros", floor.median)
    report("append-micros", append.median)

    let alone = ContinuousClock.now
    for round in 0..<Self.rounds { try await store.append([Self.event("one", round)]) }
    report("one-rate", Double(Self.rounds) / ((ContinuousClock.now - alone) / .seconds(1)))

    let together = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for appender in 0..<Self.appenders {
        group.addTask {
          for round in 0..<Self.eventsEach {
            try await store.append([Self.event("many-\(appender)", round)])
          }
        }
      }
      try await group.waitForAll()
    }
    let count = Double(Self.appenders * Self.eventsEach)
    report("many-rate", count / ((ContinuousClock.now - together) / .seconds(1)))
  }

  /// About 200 bytes as JSON.
  private static func event(_ name: String, _ number: Int) -> Event {
    Event(
      kind: .index,
      item: "\(name)-\(number)",
      domain: .value("bench.durable"),
      attributes: [
        "title": .string("harbour lantern \(number)"),
        "contentDescription": .string("orchard granite meadow compass thunder velvet \(name)"),
      ]
    )
  }
}
