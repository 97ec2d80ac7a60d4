import EventLog
import Events
import Synchronization
import TestSupport
import Testing

/// A clock that a test sets.
final class FixedClock: Sendable {
  private let seconds = Mutex<Int64>(1_000)

  func set(_ value: Int64) { seconds.withLock { $0 = value } }

  var entropy: Entropy {
    var entropy = Entropy.system
    entropy.now = { Timestamp(seconds: self.seconds.withLock { $0 }) }
    return entropy
  }
}

@Suite struct RecordedTimeTests {
  struct Case: Sendable, CustomStringConvertible {
    var description: String
    var now: Int64
    var givenRecorded: Int64?
    var givenTime: Int64?
    var recorded: Int64
    var time: Int64
  }

  // Each follows an event recorded at 1,000.
  static let cases = [
    Case(description: "nothing given", now: 1_010, recorded: 1_010, time: 1_010),
    Case(description: "clock went back", now: 900, recorded: 1_000, time: 1_000),
    Case(
      description: "recorded in the past but after the last", now: 1_010, givenRecorded: 1_005,
      recorded: 1_005, time: 1_005),
    Case(
      description: "recorded before the last", now: 1_010, givenRecorded: 950, recorded: 1_000,
      time: 950),
    Case(
      description: "recorded in the future", now: 1_010, givenRecorded: 5_000, recorded: 1_010,
      time: 1_010),
    Case(
      description: "time in the future is kept", now: 1_010, givenTime: 9_000, recorded: 1_010,
      time: 9_000),
    Case(
      description: "both given", now: 1_010, givenRecorded: 1_002, givenTime: 3, recorded: 1_002,
      time: 3),
  ]

  @Test(arguments: cases)
  func `recorded is max(last, min(given, now)), time what was given or recorded`(_ row: Case) throws
  {
    let scratch = Scratch()
    let clock = FixedClock()
    let log = try scratch.open(entropy: clock.entropy)
    _ = try log.append([.view("first")])
    clock.set(row.now)
    _ = try log.append([
      .view(
        "second", recorded: row.givenRecorded.map { Timestamp(seconds: $0) },
        time: row.givenTime.map { Timestamp(seconds: $0) })
    ])
    let event = try #require(try log.event(at: 2))
    #expect(event.recorded == Timestamp(seconds: row.recorded))
    #expect(event.time == Timestamp(seconds: row.time))
    #expect(try log.head().recorded == Timestamp(seconds: row.recorded))
    #expect(try log.verify().problems == [])
  }

  @Test(arguments: [1, 2, 3])
  func `the sequence at a time is the last one recorded by then, erased ones or not`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let scratch = Scratch()
    let clock = FixedClock()
    let log = try scratch.open(entropy: clock.entropy)
    var times: [Int64] = []
    for _ in 0..<300 {
      // Several events in one second, several seconds in one hour, and gaps of hours.
      let step = [0, 1, 700, 9_000].randomElement(using: &generator) ?? 0
      times.append((times.last ?? 1_000) + Int64(step))
    }
    clock.set(times[299])
    _ = try log.append(times.map { try .view("x", recorded: Timestamp(seconds: $0)) })
    var live = Set(UInt64(1)...300)
    func check() throws {
      for time in Set(times + times.map { $0 - 1 } + [0, 1 << 33]) {
        let found = try log.sequence(atOrBefore: Timestamp(seconds: time))
        // Where the answer lies among erased events does not matter, as long as it parts the live.
        let expected = live.filter { times[Int($0) - 1] <= time }
        #expect(live.filter { $0 <= found } == expected, "seed \(seed) time \(time)")
      }
    }
    try check()
    let erased = Array(Set((0..<200).map { _ in UInt64.random(in: 1...300, using: &generator) }))
    live.subtract(erased)
    let purge = EncodedEvent(kind: .purge, payload: [0xa0])
    _ = try log.erase(erased, recording: purge)
    try check()
  }
}
