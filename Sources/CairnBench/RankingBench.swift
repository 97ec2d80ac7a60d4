import Cairn

/// A million views of a hundred thousand items folded into the ranking.
///
/// Asking for the ranking of a past moment folds every view up to it.
struct RankingBench {
  let directory: String

  private static let views = 1_000_000
  private static let items = 100_000

  func run() throws {
    let store = try Store.open(at: directory + "/ranking")
    defer { store.close() }
    var state: UInt64 = 7
    var batch: [Event] = []
    for view in 0..<Self.views {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // The product of two even draws falls off as real use does.
      let one = Double(state >> 40) / Double(1 << 24)
      let two = Double(state >> 16 & 0xFF_FFFF) / Double(1 << 24)
      let item = Int(one * two * Double(Self.items))
      batch.append(
        Event(
          kind: .view, item: "item-\(item)", time: Timestamp(seconds: 1_700_000_000 + Int64(view)),
          attributes: ["title": .string("item \(item)")]))
      if batch.count == 50_000 || view == Self.views - 1 {
        try store.appendBlocking(batch)
        batch.removeAll(keepingCapacity: true)
      }
    }
    let past = try store.at(.sequence(UInt64(Self.views - 1)))
    var best = 0.0
    for _ in 0..<3 {
      let start = ContinuousClock.now
      let top = try past.top(limit: 20)
      precondition(top.count == 20, "the ranking is too short")
      best = max(best, Double(Self.views) / ((ContinuousClock.now - start) / .seconds(1)))
    }
    report("views-rate", best)
  }
}
