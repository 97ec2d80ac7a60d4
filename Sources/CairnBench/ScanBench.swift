import Cairn

/// Every event of a store read and decoded, without projections.
struct ScanBench {
  let store: String

  func run() throws {
    let store = try Store.open(at: store, access: .readOnly)
    defer { store.close() }
    let head = try store.at().sequence
    var best = 0.0
    for _ in 0..<3 {
      let start = ContinuousClock.now
      var count = 0
      var itemBytes = 0
      var query = EventQuery()
      query.includesLeafHashes = false
      try store.forEachEvent(query) { event in
        itemBytes += event.event.item?.utf8.count ?? 0
        count += 1
        return true
      }
      precondition(itemBytes > 0 && UInt64(count) == head, "not every event was read")
      best = max(best, Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
    }
    report("events-rate", best)
  }
}
