import Events

/// Tells records of a file that say the same apart, by how many came before, so that the same file
/// twice adds nothing and two equal lines stay two events.
///
/// Those that have a time of their own have equal times: memory for the different ones of one time,
/// and for the different ones without.
struct EqualRecords {
  private struct Record: Hashable {
    var file: Int
    var id: EventID
  }

  let ids: DerivedID
  private var time: Int64?
  private var counts: [Record: Int] = [:]
  private var untimedCounts: [Record: Int] = [:]

  init(ids: DerivedID) { self.ids = ids }

  /// Gives the next entry, in the order of time, the id that is its own.
  mutating func tellApart(_ entry: inout SortedEntry) {
    guard let identity = entry.counted, let id = entry.event.id else { return }
    if entry.time != time {
      counts.removeAll(keepingCapacity: counts.count < 1 << 10)
      time = entry.time
    }
    let record = Record(file: entry.file, id: id)
    let count = identity.isUntimed ? Self.next(record, &untimedCounts) : Self.next(record, &counts)
    if count > 0 { entry.event.id = ids.make(identity, count: count) }
  }

  private static func next(_ record: Record, _ counts: inout [Record: Int]) -> Int {
    let count = counts[record, default: 0]
    counts[record] = count + 1
    return count
  }
}
