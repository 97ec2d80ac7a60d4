import Cairn
import EventLog
import Glibc
import LMDB

/// What a view costs beside its commit: one appended to a store, and the same to a log alone, in
/// turn.
///
/// Both are on disk when the call returns. In every other round each view is asked for as soon as
/// it is acknowledged. Processor time is that of the whole process, the kernel's
/// part included, so that waiting for the disk counts nowhere; the clock's time is given beside it.
struct ViewBench {
  let directory: String

  private static let items = 100_000
  private static let views = 400_000
  private static let rounds = 24
  private static let roundCount = 256
  private static let start: Int64 = 1_700_000_000

  func run() throws {
    let store = try Store.open(at: directory + "/view")
    defer { store.close() }
    let log = try EventLog.open(
      directory: directory + "/view-log", access: .readWrite, create: true,
      writer: WriterThread(name: "bench-log"))
    defer { log.close() }
    try fill(store, log)
    var random = UInt64(11)
    var costs = Costs()
    for round in 0..<Self.rounds {
      let events = (0..<Self.roundCount).map { number in
        Self.view(&random, Self.views + round * Self.roundCount + number)
      }
      let encoded = try events.map { try $0.encoded() }
      let asks = round % 2 == 1
      try costs.measure(asks, Self.roundCount) {
        for event in encoded {
          try store.appendBlocking(encoded: [event])
          if asks { _ = try store.at() }
        }
      }
      try costs.log.measure(Self.roundCount) {
        for event in encoded { _ = try log.append([event]) }
      }
    }
    report("view-cpu-micros", costs.store.processor.median)
    report("asked-cpu-micros", costs.asked.processor.median)
    report("log-cpu-micros", costs.log.processor.median)
    report("view-micros", costs.store.clock.median)
    report("log-micros", costs.log.clock.median)
  }

  private struct Costs {
    var store = Cost()
    var asked = Cost()
    var log = Cost()

    mutating func measure(_ asks: Bool, _ count: Int, _ body: () throws -> Void) rethrows {
      if asks { try asked.measure(count, body) } else { try store.measure(count, body) }
    }
  }

  /// Microseconds for one, of each round.
  private struct Cost {
    var processor = Samples()
    var clock = Samples()

    mutating func measure(_ count: Int, _ body: () throws -> Void) rethrows {
      let spent = Self.processorMicroseconds
      let start = ContinuousClock.now
      try body()
      clock.add((ContinuousClock.now - start) / .microseconds(1) / Double(count))
      processor.add((Self.processorMicroseconds - spent) / Double(count))
    }

    private static var processorMicroseconds: Double {
      var time = timespec()
      // SAFETY: fills the struct it is given.
      unsafe _ = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
  }

  /// Views of a hundred thousand items, few of them often.
  private func fill(_ store: Store, _ log: EventLog) throws {
    var random = UInt64(7)
    var batch: [EncodedEvent] = []
    for number in 0..<(Self.items + Self.views) {
      let event =
        number < Self.items
        ? Event(
          kind: .index, item: "item-\(number)", time: Timestamp(seconds: Self.start),
          attributes: ["title": .string("item \(number)")])
        : Self.view(&random, number - Self.items)
      batch.append(try event.encoded())
      if batch.count == 50_000 {
        try store.appendBlocking(encoded: batch)
        _ = try log.append(batch)
        batch.removeAll(keepingCapacity: true)
      }
    }
  }

  private static func view(_ random: inout UInt64, _ number: Int) -> Event {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    // The product of two even draws falls off as real use does.
    let one = Double(random >> 40) / Double(1 << 24)
    let two = Double(random >> 16 & 0xFF_FFFF) / Double(1 << 24)
    return Event(
      kind: .view, item: "item-\(Int(one * two * Double(items)))",
      time: Timestamp(seconds: start + 60 * Int64(number)), actor: "bench")
  }
}
