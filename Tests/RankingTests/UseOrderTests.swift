import LMDB
import Projections
import Ranking
import TestSupport
import Testing

/// The best by bounds against the best of all; a failure names its seed.
@Suite struct UseOrderTests {
  private static let start: Int64 = 1_700_000_000
  private static let year: Int64 = 31_557_600

  /// Uses with ties, late ones, edits and new lives.
  private func randomBatch(_ count: Int, after store: UseStore, _ random: inout SeededGenerator)
    -> [ResolvedEvent]
  {
    var sequence = store.events.last?.sequence ?? 0
    return (0..<count).map { _ in
      sequence += UInt64.random(in: 1...2, using: &random)
      let item =
        UInt32.random(in: 0..<40, using: &random) * UInt32.random(in: 1..<9, using: &random)
      let age =
        Int64.random(in: 0..<400, using: &random) * Int64.random(in: 1..<90_000, using: &random)
      let weights: [Float] = [0.5, 1, 1, 2, 1.5, 3.25]
      return use(
        item, sequence: sequence,
        seconds: Self.start + Int64(sequence) * 60 - (Bool.random(using: &random) ? 0 : age),
        weight: weights[Int.random(in: 0..<6, using: &random)],
        isView: Int.random(in: 0..<5, using: &random) > 0,
        startsAfresh: Int.random(in: 0..<60, using: &random) == 0)
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the best by bounds are the best of all, at any clock`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withUseStore { store in
      for _ in 0..<12 {
        try store.fold(randomBatch(Int.random(in: 1...90, using: &random), after: store, &random))
        for years in [-5, -1, 0, 1, 5] as [Int64] {
          let now = (Self.start + years * Self.year + 40_000) * 1_000_000
          let measure = try store.environment.read { (txn) throws(CairnError) in
            try store.ranking.order.measure(at: now, in: txn)
          }
          for count in [1, 10, 1_000] {
            let found = try store.bestByBound(count, measure).keys
            #expect(found == store.best(count, measure), "seed \(seed), \(years) years")
          }
        }
      }
    }
  }

  @Test func `logarithms are compared exactly when an item was viewed after the clock`() throws {
    try withUseStore { store in
      try store.fold([use(1, sequence: 1, seconds: 100), use(2, sequence: 2, seconds: 300)])
      func isBehind(_ seconds: Int64) throws -> Bool {
        try store.environment.read { (txn) throws(CairnError) in
          if case .logarithm = try store.ranking.order.measure(at: seconds * 1_000_000, in: txn) {
            return true
          }
          return false
        }
      }
      #expect(try isBehind(299))
      #expect(try !isBehind(300))
      // The item that was ahead begins a new life before the clock.
      try store.fold([use(2, sequence: 3, seconds: 50, startsAfresh: true)])
      #expect(try !isBehind(299))
      #expect(try isBehind(99))
    }
  }

  @Test(arguments: [5, 6, 7] as [UInt64])
  func `every item's state at every sequence is the plain fold's, to the last bit`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    try withUseStore { store in
      for _ in 0..<14 {
        try store.fold(randomBatch(Int.random(in: 1...70, using: &random), after: store, &random))
      }
      let last = try #require(store.events.last?.sequence)
      for sequence in stride(from: UInt64(0), through: last + 3, by: 7) {
        let expected = store.states(through: sequence)
        for item in UInt32(0)..<320 {
          let state = try store.environment.read { (txn) throws(CairnError) in
            try store.ranking.history.state(of: item, asOf: sequence, in: txn)
          }
          #expect(state == expected[item] ?? UseState(), "seed \(seed), sequence \(sequence)")
        }
      }
    }
  }

  @Test(arguments: [8, 9] as [UInt64])
  func `whoever did not lead at a sequence stayed below what is noted of it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withUseStore { store in
      for _ in 0..<20 {
        try store.fold(randomBatch(Int.random(in: 1...60, using: &random), after: store, &random))
      }
      let last = try #require(store.events.last?.sequence)
      var rows: Set<UInt64> = []
      for sequence in stride(from: UInt64(0), through: last, by: 23) {
        let row = try store.environment.read { (txn) throws(CairnError) in
          try store.ranking.leaders.row(atOrBefore: sequence, in: txn)
        }
        #expect(row.sequence <= sequence)
        rows.insert(row.sequence)
        for (item, state) in store.states(through: row.sequence) where !row.items.contains(item) {
          for scale in 0..<Frecency.scaleCount {
            for time in [Self.start, Self.start + Self.year] {
              let bound = row.others.sum(ofScale: scale, atMicroseconds: time * 1_000_000)
              let sum = state.frecency.sum(ofScale: scale, atMicroseconds: time * 1_000_000)
              #expect(sum <= bound * (1 + 1e-6), "seed \(seed), sequence \(row.sequence)")
            }
          }
        }
      }
      #expect(rows.count > 5)
    }
  }

  @Test func `an item behind many of its class is no leader, and still below what is noted`() throws
  {
    try withUseStore { store in
      // All sums lie between the same steps: the greater one was used a minute before the others.
      var batch = [
        use(0, sequence: 1, seconds: Self.start, weight: 0.99),
        use(0, sequence: 2, seconds: Self.start, weight: 0.99),
      ]
      for item in UInt32(1)...60 {
        for _ in 0..<2 {
          let sequence = UInt64(batch.count + 1)
          batch.append(use(item, sequence: sequence, seconds: Self.start + 60, weight: 0.89))
        }
      }
      try store.fold(batch)
      let row = try store.environment.read { (txn) throws(CairnError) in
        try store.ranking.leaders.row(atOrBefore: .max, in: txn)
      }
      #expect(row.sequence == UInt64(batch.count))
      for (item, state) in store.states() where !row.items.contains(item) {
        for scale in 0..<Frecency.scaleCount {
          let now = (Self.start + 60) * 1_000_000
          let bound = row.others.sum(ofScale: scale, atMicroseconds: now)
          #expect(state.frecency.sum(ofScale: scale, atMicroseconds: now) <= bound, "item \(item)")
        }
      }
    }
  }

  @Test func `all uses together have the same bits at every sequence, whatever the batches`() throws
  {
    var random = SeededGenerator(seed: 12)
    try withUseStore { store in
      var batches: [[ResolvedEvent]] = []
      for count in [1, 5_000, 3, 1, 9_000, 700] + Array(repeating: 1, count: 150) {
        let batch = randomBatch(count, after: store, &random)
        batches.append(batch)
        try store.fold(batch)
      }
      let last = store.checkpoint.applied
      for sequence in [1, 2, 4_000, 4_097, 9_001, 15_000, last - 1, last] {
        let newest = try store.environment.read { (txn) throws(CairnError) in
          try store.ranking.totals.newest(atOrBefore: sequence, in: txn)
        }
        var (total, expected) = (newest.total, Frecency())
        for event in store.events where event.isUse && event.sequence <= sequence {
          let use = Use(event)
          expected.add(weight: Double(use.weight), atMicroseconds: use.heldMicroseconds)
          guard event.sequence > newest.sequence else { continue }
          total.add(weight: Double(use.weight), atMicroseconds: use.heldMicroseconds)
        }
        #expect(total == expected, "\(sequence)")
        #expect(newest.sequence <= sequence && sequence - newest.sequence <= 5_000)
      }
    }
  }

  @Test func `batches of any size leave the same digest, and it is that of the rows`() throws {
    var random = SeededGenerator(seed: 11)
    try withUseStore { store in
      let batch = randomBatch(500, after: store, &random)
      try store.fold(batch)
      try withUseStore { other in
        for event in batch { try other.fold([event]) }
        #expect(other.checkpoint[Ranking.name] == store.checkpoint[Ranking.name])
      }
      let found = try store.environment.read { (txn) throws(CairnError) in
        try store.ranking.audit(MadeUpNames(), in: txn)
      }
      #expect(found == store.checkpoint[Ranking.name])
    }
  }

  @Test func `ten of twenty thousand are found with few looks`() throws {
    var random = SeededGenerator(seed: 12)
    try withUseStore { store in
      let batch = (1...60_000 as ClosedRange<UInt64>).map { sequence in
        use(
          UInt32.random(in: 0..<20_000, using: &random), sequence: sequence,
          seconds: Self.start + Int64(sequence) * 60)
      }
      try store.fold(batch)
      let end = Self.start + 3_600_000
      for days in [0, 1, 30, 1_800] as [Int64] {
        let measure = UseOrder.Measure.frecency((end + days * 86_400) * 1_000_000)
        let found = try store.bestByBound(10, measure)
        #expect(found.keys == store.best(10, measure))
        #expect(found.looks < 400, "\(days) days")
      }
    }
  }

  @Test func `one of many that look alike is found with few looks, years after their use too`()
    throws
  {
    try withUseStore { store in
      // Twenty thousand in one class: only what is noted beside a place tells them apart.
      let batch = (1...20_000 as ClosedRange<UInt64>).map { sequence in
        use(
          UInt32(sequence), sequence: sequence, seconds: Self.start + Int64(sequence % 977) * 7,
          weight: 1.76 + Float(sequence * 7_919 % 20_000) / 100_000)
      }
      try store.fold(batch)
      for days in [1, 365, 1_826] as [Int64] {
        let measure = UseOrder.Measure.frecency((Self.start + days * 86_400) * 1_000_000)
        let found = try store.bestByBound(10, measure)
        #expect(found.keys == store.best(10, measure))
        #expect(found.looks < 600, "\(days) days")
      }
    }
  }

  @Test func `a late use that moves nothing but a sum is noted beside the place`() throws {
    try withUseStore { store in
      try store.fold([use(1, sequence: 1, seconds: 1_000_000), use(2, sequence: 2, seconds: 900)])
      // So little, so long before, that place and class stay what they were.
      try store.fold([use(1, sequence: 3, seconds: 999_000, weight: 0.1)])
      let found = try store.environment.read { (txn) throws(CairnError) in
        try store.ranking.audit(MadeUpNames(), in: txn)
      }
      #expect(found == store.checkpoint[Ranking.name])
    }
  }

  @Test(arguments: [13, 14] as [UInt64])
  func `passing time changes no row, and a use years later those of its item only`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    try withUseStore { store in
      for _ in 0..<6 { try store.fold(randomBatch(70, after: store, &random)) }
      let before = try store.rows()
      for years in [-5, 0, 5] as [Int64] {
        let now = (Self.start + years * Self.year) * 1_000_000
        for measure in [.frecency(now), .logarithm(now), .scale(3, now)] as [UseOrder.Measure] {
          _ = try store.bestByBound(10, measure)
        }
      }
      #expect(try store.rows() == before)
      let last = try #require(store.events.last)
      let later = last.timeMicroseconds / 1_000_000 + 5 * Self.year
      try store.fold([use(last.item, sequence: last.sequence + 1, seconds: later)])
      let after = try store.rows()
      #expect(after != before)
      // A row replaced is two that differ; a chunk of uses that is full is put behind the others.
      let bounds = [UseStore.ranksName: 2...2, UseStore.usesName: 0...1, UseStore.orderName: 1...3]
      for (table, bound) in bounds {
        let changed = Set(before[table] ?? []).symmetricDifference(Set(after[table] ?? []))
        #expect(bound.contains(changed.count), "\(table)")
      }
    }
  }

  @Test(arguments: [15, 16] as [UInt64])
  func `no scale changes its order in ten years without a use`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withUseStore { store in
      try store.fold(randomBatch(400, after: store, &random))
      let states = store.states()
      let end = states.values.map(\.frecency.referenceMicroseconds).max() ?? 0
      for scale in 3..<Frecency.scaleCount {
        func order(_ days: Int64) -> [UInt32] {
          let keys = states.mapValues {
            $0.frecency.sum(ofScale: scale, atMicroseconds: end + days * 86_400_000_000)
          }
          return keys.keys.sorted { (keys[$1] ?? 0, $0) < (keys[$0] ?? 0, $1) }
        }
        // Until sums of the fast scales are too small for a number.
        let days: [Int64] = scale == 3 ? [-1_000, 1, 300, 1_800] : [-1_826, 1, 300, 1_826, 3_652]
        for day in days { #expect(order(day) == order(0), "seed \(seed), scale \(scale)") }
      }
    }
  }
}

/// The names that the store's uses are made with.
private struct MadeUpNames: NameKeys {
  func itemKey(_ item: UInt32) -> NameKey { NameKey(low: UInt64(item), high: 7) }
  func domainKey(_ domain: UInt32) -> NameKey { NameKey(low: UInt64(domain), high: 8) }
}
