import Values

/// Copies fields of a subwatcher's events into those of a window watcher: aw-core's
/// `merge_subwatcher_fields`.
struct SubwatcherFields {
  let keys: [String]
  /// Whether the subwatcher's field counts where both have it.
  let replaces: Bool

  func merge(_ others: [QueryEvent], into events: [QueryEvent], _ query: ActivityQuery)
    throws(QueryFailure) -> [QueryEvent]
  {
    let memory = query.memory
    var result: [QueryEvent] = []
    let others = OrderedEvents(keys.isEmpty ? [] : others)
    for event in events {
      if query.isCancelled() { throw .function("The query was stopped.") }
      let touching = others.touching(Period(event))
      if touching.isEmpty {
        result.append(try event.copy(memory))
      } else {
        result += try segments(of: event, touching, memory)
      }
    }
    return result
  }

  /// The event cut wherever another begins or ends, neighbours of equal data put together.
  private func segments(of event: QueryEvent, _ others: [QueryEvent], _ memory: QueryMemory)
    throws(QueryFailure) -> [QueryEvent]
  {
    let period = Period(event)
    var places: Set<Int64> = [period.start, period.end]
    for other in others {
      guard let shared = period.intersection(Period(other)) else { continue }
      places.insert(shared.start)
      places.insert(shared.end)
    }
    let ordered = places.sorted()
    var segments: [QueryEvent] = []
    for (start, end) in zip(ordered, ordered.dropFirst()) {
      let segment = try PeriodTransforms.replaced(event, Period(start, end), memory)
      if let other = latest(of: others, in: Period(start, end)) {
        let fields = keys.compactMap { key in
          other.data[key].map { (key, $0) }
        }.filter { replaces || segment.data[$0.0] == nil }
        if !fields.isEmpty { try segment.set(fields, memory) }
      }
      if let last = segments.last, last.end == segment.start, last.data == segment.data {
        try last.lengthen(by: segment.duration)
      } else {
        segments.append(segment)
      }
    }
    return segments
  }

  /// Of the events that last in a period the one that began last, of equals the one that ends
  /// last.
  private func latest(of events: [QueryEvent], in period: Period) -> QueryEvent? {
    var best: QueryEvent?
    for event in events where period.intersection(Period(event)) != nil {
      if let best, (event.start, event.end) <= (best.start, best.end) { continue }
      best = event
    }
    return best
  }
}

/// Events by start, with the latest end so far beside each, so that those which touch a period
/// are found without looking at all before it.
private struct OrderedEvents {
  private let events: [QueryEvent]
  private let latestEnds: [Int64]

  init(_ events: [QueryEvent]) {
    self.events = events.sorted { $0.start < $1.start }
    var latest = Int64.min
    latestEnds = self.events.map { event in
      latest = max(latest, event.end)
      return latest
    }
  }

  func touching(_ period: Period) -> [QueryEvent] {
    let first = events.indices.partitioningIndex { latestEnds[$0] > period.start }
    var found: [QueryEvent] = []
    for event in events[first...] {
      if event.start >= period.end { break }
      if event.end > period.start, period.intersection(Period(event)) != nil { found.append(event) }
    }
    return found
  }
}
