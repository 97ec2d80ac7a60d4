import Cairn
import Foundation
import TestSupport
import Testing

/// Rankings by use against the formula written out, from the events alone; a failure names its
/// seed.
@Suite struct FrecencyModelTests {
  private static let start: Int64 = 1_700_000_000
  private static let day: Int64 = 86_400
  private static let year: Int64 = 31_557_600
  private static let seeds: [UInt64] = [1, 2, 3]

  private struct Use {
    var item: String
    var time: Int64
    var weight: Double
  }

  /// Items, then views of every kind, edits and choices, many of them late.
  private struct History {
    var items: [Event] = []
    var events: [Event] = []
    var uses: [Use] = []
    var viewed: Set<String> = []

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      items = (0..<25).map { index("i\($0)", title: "tram \($0)") }
      for step in 0..<300 as Range<Int64> {
        let item = "i\(min(24, Int.random(in: 0..<6, using: &random) * 5))"
        let late = Bool.random(using: &random) ? 0 : Int64.random(in: 0..<500, using: &random)
        let time = start + step * 9_000 - late * day / 3
        append(item, time, &random)
      }
    }

    private mutating func append(_ item: String, _ time: Int64, _ random: inout SeededGenerator) {
      var event = Event(kind: .view, item: item, time: Timestamp(seconds: time))
      var weight = 1.0
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        event.kind = .update
        weight = 1.5
      case 1:
        event.kind = .select
        event.query = "tram"
        weight = 2
      case 2:
        event.deliberate = true
        weight = 2
      case 3:
        event.deliberate = false
        event.dwell = 60
        weight = 0.5 * (1 + log(4) / log(10))
      case 4:
        event.dwell = 10_000
        weight = 2
      case 5:
        event.extras["visits"] = .number("9")
        weight = pow(9, 0.7)
      default: break
      }
      if event.kind == .view { viewed.insert(item) }
      events.append(event)
      uses.append(Use(item: item, time: time, weight: Double(Float(weight))))
    }

    /// ln Σ a·w·2^(−age/H) over six half-lives and all uses of an item.
    func logarithm(_ item: String, at now: Int64) -> Double {
      var terms: [Double] = []
      for hours in [1.0, 6, 36, 216, 1_296, 7_776] {
        let amplitude = 0.525 * pow(hours / 24, -0.55)
        for use in uses where use.item == item {
          terms.append(
            log(amplitude * use.weight) - log(2) * Double(now - use.time) / (hours * 3_600))
        }
      }
      let most = terms.max() ?? 0
      return most + log(terms.reduce(0) { $0 + exp($1 - most) })
    }
  }

  private static func top(_ store: Store, at now: Int64) throws -> [RankedItem] {
    try store.at(.head, now: Timestamp(seconds: now)).top(limit: nil)
  }

  private static func isNear(_ one: Double, _ other: Double) -> Bool {
    abs(one - other) <= 1e-9 * max(abs(one), abs(other))
  }

  @Test(arguments: seeds) func `five years before and after, scores and order are the formula's`(
    seed: UInt64
  ) async throws {
    let history = History(seed: seed)
    try await withStore { store in
      try await store.append(history.items + history.events)
      for days in [-1_826, -365, -30, 0, 1, 40, 365, 1_826] as [Int64] {
        let now = Self.start + 31 * Self.day + days * Self.day
        let all = try Self.top(store, at: now)
        #expect(Set(all.map(\.item)) == history.viewed, "seed \(seed)")
        let expected = all.map { history.logarithm($0.item, at: now) }
        for (one, next) in zip(expected, expected.dropFirst()) {
          #expect(one >= next - 1e-9 * abs(next), "seed \(seed), \(days) days")
        }
        for (item, logarithm) in zip(all, expected) where logarithm < 700 {
          #expect(Self.isNear(item.score, exp(logarithm)), "seed \(seed), \(days) days")
        }
        let first = try store.at(.head, now: Timestamp(seconds: now)).top(limit: 4)
        #expect(first == Array(all.prefix(4)), "seed \(seed), \(days) days")
      }
    }
  }

  @Test(arguments: seeds) func `events that arrive in another order leave the same scores`(
    seed: UInt64
  ) async throws {
    let history = History(seed: seed)
    var random = SeededGenerator(seed: seed &* 31)
    try await withStore { store in
      try await store.append(history.items + history.events)
      for _ in 0..<3 {
        let shuffled = history.events.shuffled(using: &random)
        try await withStore { other in
          try await other.append(history.items + shuffled)
          for years in [0, 1, 5] as [Int64] {
            let now = Self.start + 40 * Self.day + years * Self.year
            let one = try Self.top(store, at: now).sorted { $0.item < $1.item }
            let two = try Self.top(other, at: now).sorted { $0.item < $1.item }
            #expect(one.map(\.item) == two.map(\.item))
            for (item, same) in zip(one, two) {
              #expect(Self.isNear(item.score, same.score), "seed \(seed), \(years) years")
              #expect(item.viewCount == same.viewCount && item.lastViewed == same.lastViewed)
            }
          }
        }
      }
    }
  }

  @Test(arguments: seeds)
  func `a rebuild, a restore and a purge of others leave every score to the last bit`(seed: UInt64)
    async throws
  {
    let history = History(seed: seed)
    let others = History(seed: seed &+ 100)
    let now = Self.start + 90 * Self.day
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/one")
      defer { store.close() }
      try await store.append(history.items + history.events)
      let expected = try Self.top(store, at: now)
      #expect(try #require(try store.rebuild()).allSatisfy(\.isEqual))
      #expect(try Self.top(store, at: now) == expected)
      _ = try store.backUp(into: directory + "/backup")
      _ = try Store.restore(directory + "/backup", into: directory + "/two")
      let restored = try Store.open(at: directory + "/two")
      defer { restored.close() }
      #expect(try Self.top(restored, at: now) == expected)
      // The same history with another one among it, which then goes.
      let mixed = try Store.open(at: directory + "/three")
      defer { mixed.close() }
      let strangers = (others.items + others.events).map { event in
        var event = event
        event.item = event.item.map { "gone \($0)" }
        event.domain = .value("gone")
        return event
      }
      try await mixed.append(history.items + strangers.prefix(80))
      for (number, event) in history.events.enumerated() {
        try await mixed.append([event] + strangers.dropFirst(80 + number).prefix(1))
      }
      #expect(try Self.top(mixed, at: now).count > expected.count)
      _ = try mixed.purge(.domain("gone"))
      #expect(try Self.top(mixed, at: now) == expected)
    }
  }
}
