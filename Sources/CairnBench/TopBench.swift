import Cairn

/// The best of many items: now, and at past sequences.
struct TopBench {
  let directory: String
  var items = 1_000_000
  var views = 10_000_000

  private static let start: Int64 = 1_700_000_000
  private static let batchCount = 50_000

  func run() throws {
    let store = try Store.open(at: directory + "/top")
    defer { store.close() }
    if try store.at().sequence == 0 { try fill(store) }
    let head = try store.at().sequence
    try compare(store)
    for days in [0, 30, 1_826] as [Int64] {
      let now = Timestamp(seconds: Self.start + Int64(items + views) + days * 86_400)
      let moment = try store.at(.head, now: now)
      for limit in [10, 100] {
        var samples = Samples()
        for _ in 0..<21 {
          var count = 0
          try samples.time { count = try moment.top(limit: limit).count }
          precondition(count == limit, "the ranking is too short")
        }
        report("top-\(limit)-after-\(days)-days-microseconds", samples.median)
      }
    }
    var state: UInt64 = 5
    var worst = 0.0
    var past = Samples()
    for _ in 0..<21 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let sequence = UInt64(items) + (state >> 16) % (head - UInt64(items))
      let moment = try store.at(.sequence(sequence))
      let start = ContinuousClock.now
      var count = 0
      try past.time { count = try moment.top(limit: 10).count }
      precondition(count == 10, "the ranking is too short")
      worst = max(worst, (ContinuousClock.now - start) / .microseconds(1))
    }
    report("past-top-10-microseconds", past.median)
    report("past-top-10-worst-microseconds", worst)
  }

  /// The best as they are found against all items put in order.
  private func compare(_ store: Store) throws {
    for days in [0, 1_826] as [Int64] {
      let now = Timestamp(seconds: Self.start + Int64(items + views) + days * 86_400)
      let moment = try store.at(.head, now: now)
      let start = ContinuousClock.now
      let all = try moment.top(limit: nil)
      report(
        "all-after-\(days)-days-microseconds", (ContinuousClock.now - start) / .microseconds(1))
      precondition(all.map(\.score) == all.map(\.score).sorted(by: >), "all are out of order")
      for limit in [10, 100, 1_000] {
        let best = try moment.top(limit: limit)
        precondition(best == Array(all.prefix(limit)), "these are not the best")
      }
    }
  }

  /// Every item once, then views of even draws: no item stands out, the hardest case for bounds.
  private func fill(_ store: Store) throws {
    var state: UInt64 = 7
    var batch: [Event] = []
    let total = items + views
    let begin = ContinuousClock.now
    for number in 0..<total {
      let time = Timestamp(seconds: Self.start + Int64(number))
      if number < items {
        batch.append(Event(kind: .index, item: "item-\(number)", time: time, recorded: time))
      } else {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let item = Int(state >> 33) % items
        batch.append(Event(kind: .view, item: "item-\(item)", time: time, recorded: time))
      }
      if batch.count == Self.batchCount || number == total - 1 {
        try store.appendBlocking(batch)
        batch.removeAll(keepingCapacity: true)
      }
    }
    report(
      "fill-microseconds-an-event", (ContinuousClock.now - begin) / .microseconds(1) / Double(total)
    )
  }
}
