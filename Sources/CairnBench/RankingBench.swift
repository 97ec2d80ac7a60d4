import Cairn
import LMDB
import Projections
import Ranking

/// A million views of a hundred thousand items folded into an empty ranking, as a rebuild folds
/// them.
///
/// The answer is held against the ranking of a store that took the same views.
struct RankingBench {
  let directory: String

  private static let viewCount = 1_000_000
  private static let itemCount = 100_000
  /// Events that a rebuild folds in one transaction.
  private static let batchCount = 65_536
  private static let rounds = 3

  func run() throws {
    let views = Self.views()
    let expected = try expected(views)
    let events = Self.resolved(views)
    var best = 0.0
    for round in 0..<Self.rounds {
      let environment = try Environment.open(
        directory + "/ranking-\(round).mdb",
        Environment.Configuration(durability: .deferred, tables: Ranking.tables, create: true))
      let start = ContinuousClock.now
      let digest = try fold(events, environment)
      try environment.sync()
      best = max(best, Double(Self.viewCount) / ((ContinuousClock.now - start) / .seconds(1)))
      precondition(digest == expected, "the rebuilt ranking is not the store's")
      environment.close()
    }
    report("views-rate", best)
  }

  private func fold(_ events: [ResolvedEvent], _ environment: Environment) throws -> String {
    let ranking = Ranking(environment)
    var checkpoint = Checkpoint()
    for start in stride(from: 0, to: events.count, by: Self.batchCount) {
      let batch = Array(events[start..<min(start + Self.batchCount, events.count)])
      try environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        checkpoint.applied = batch.last?.sequence ?? 0
        try ranking.fold(batch, &checkpoint, in: &txn)
        try ranking.totals.fold(batch, through: checkpoint.applied, in: &txn) { _, _, _ in }
      }
    }
    return checkpoint[Ranking.name].hexadecimal
  }

  /// The digest of a store's ranking after the same views.
  private func expected(_ views: [View]) throws -> String? {
    let store = try Store.open(at: directory + "/ranking")
    defer { store.close() }
    for start in stride(from: 0, to: views.count, by: Self.batchCount) {
      try store.appendBlocking(
        views[start..<min(start + Self.batchCount, views.count)].map(\.event))
    }
    return try store.at().statistics().projections.first { $0.name == "ranking" }?.digest
  }

  private static func views() -> [View] {
    var state: UInt64 = 7
    return (1...viewCount).map { number in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // The product of two even draws falls off as real use does.
      let one = Double(state >> 40) / Double(1 << 24)
      let two = Double(state >> 16 & 0xFF_FFFF) / Double(1 << 24)
      return View(sequence: UInt64(number), number: Int(one * two * Double(itemCount)))
    }
  }

  /// The views as the catalog resolves them: items are counted in order of their first views.
  private static func resolved(_ views: [View]) -> [ResolvedEvent] {
    var ordinals: [Int: UInt32] = [:]
    return views.map { view in
      let ordinal = ordinals[view.number, default: UInt32(ordinals.count)]
      ordinals[view.number] = ordinal
      let name = Array(view.item.utf8)
      var event = ResolvedEvent(
        sequence: view.sequence, kind: .view, timeMicroseconds: view.time.microseconds,
        recordedMicroseconds: view.time.microseconds, actorHash: 0)
      (event.item, event.itemKey) = (ordinal, NameKey(name, name.indices))
      (event.counts, event.isView) = (true, true)
      event.weight = UseWeight.view(deliberate: nil, dwellSeconds: nil)
      return event
    }
  }
}

private struct View {
  let sequence: UInt64
  let number: Int

  var item: String { "item-\(number)" }
  var time: Timestamp { Timestamp(seconds: 1_700_000_000 + Int64(sequence)) }
  var event: Event {
    Event(
      kind: .view, item: item, time: time, recorded: time,
      attributes: ["title": .string("item \(number)")])
  }
}
