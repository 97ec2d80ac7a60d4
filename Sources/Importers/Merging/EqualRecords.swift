import Events

/// Tells records of a file that say the same apart, by how many came before, so that the same file
/// twice adds nothing and two equal lines stay two events.
///
/// Equal records have equal times: memory for the different ones of one time.
struct EqualRecords {
  private struct Record: Hashable {
    var file: Int
    var id: EventID
  }

  let ids: DerivedID
  private var time: Int64?
  private var counts: [Record: Int] = [:]

  init(ids: DerivedID) { self.ids = ids }

  /// Gives the next entry, in the order of time, the id that is its own.
  mutating func tellApart(_ entry: inout SortedEntry) {
    guard let identity = entry.counted, let id = entry.event.id else { return }
    if entry.time != time {
      counts.removeAll(keepingCapacity: counts.count < 1 << 10)
      time = entry.time
    }
    let count = counts[Record(file: entry.file, id: id), default: 0]
    counts[Record(file: entry.file, id: id)] = count + 1
    if count > 0 { entry.event.id = ids.make(identity, count: count) }
  }
}
