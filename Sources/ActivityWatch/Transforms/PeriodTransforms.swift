import Events

/// What aw-core does with the periods of two lists of events.
enum PeriodTransforms {
  /// The parts of events in which a filter event lasts: `filter_period_intersect`.
  static func intersection(_ events: [QueryEvent], _ filters: [QueryEvent], _ memory: QueryMemory)
    throws(QueryFailure) -> [QueryEvent]
  {
    let events = events.sorted { $0.start < $1.start }
    let filters = filters.sorted { $0.start < $1.start }
    var result: [QueryEvent] = []
    var index = 0
    var filter = 0
    while index < events.count, filter < filters.count {
      let period = Period(events[index])
      let other = Period(filters[filter])
      if let shared = period.intersection(other) {
        result.append(try replaced(events[index], shared, memory))
        if period.end <= other.end { index += 1 } else { filter += 1 }
      } else if period.end <= other.start {
        index += 1
      } else if other.end <= period.start {
        filter += 1
      } else {
        index += 1
        filter += 1
      }
    }
    return result
  }

  /// Periods in which any event lasts, without data: `period_union`.
  ///
  /// An event that touches no other loses its data wherever it is shown, as in aw-core.
  static func union(_ events: [QueryEvent], _ memory: QueryMemory) throws(QueryFailure)
    -> [QueryEvent]
  {
    var merged: [QueryEvent] = []
    for event in events.sorted(by: { $0.start < $1.start }) {
      guard let last = merged.last, !Period(event).isApart(from: Period(last)) else {
        merged.append(event)
        continue
      }
      let period = Period(min(event.start, last.start), max(event.end, last.end))
      merged[merged.count - 1] = try replaced(last, period, memory)
    }
    for event in merged { event.data = try QueryMembers([:], memory) }
    return merged
  }

  /// The first events whole, and of the second what they leave: `union_no_overlap`.
  static func unionWithoutOverlap(
    _ first: [QueryEvent], _ second: [QueryEvent], _ memory: QueryMemory
  ) throws(QueryFailure) -> [QueryEvent] {
    var result: [QueryEvent] = []
    var index = 0
    // The second list from its end, so that what is left of an event goes back in front.
    var rest: [QueryEvent] = []
    for event in second.reversed() { rest.append(try event.copy(memory)) }
    while index < first.count, let other = rest.last {
      let event = first[index]
      if !Period(event).intersects(Period(other)) {
        if event.start <= other.start {
          result.append(try event.copy(memory))
          index += 1
        } else {
          result.append(other)
          rest.removeLast()
        }
      } else if event.start <= other.start {
        result.append(try event.copy(memory))
        index += 1
        rest.removeLast()
        if let later = try split(other, at: event.end, memory).1 { rest.append(later) }
      } else {
        let (earlier, later) = try split(other, at: event.start, memory)
        rest.removeLast()
        result.append(earlier)
        if let later { rest.append(later) }
      }
    }
    for event in first[index...] { result.append(try event.copy(memory)) }
    return result + rest.reversed()
  }

  private static func split(_ event: QueryEvent, at place: Int64, _ memory: QueryMemory)
    throws(QueryFailure) -> (QueryEvent, QueryEvent?)
  {
    guard event.start < place, place < event.end else { return (event, nil) }
    return (
      try replaced(event, Period(event.start, place), memory),
      try replaced(event, Period(place, event.end), memory)
    )
  }

  static func replaced(_ event: QueryEvent, _ period: Period, _ memory: QueryMemory)
    throws(QueryFailure) -> QueryEvent
  {
    try QueryEvent(
      id: event.id, start: period.start, duration: period.end - period.start, data: event.data,
      memory)
  }
}
