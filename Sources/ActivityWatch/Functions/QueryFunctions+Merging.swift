import Events

extension QueryFunctions {
  /// One event for each combination of values, lasting as long as all that have it.
  static func mergeByKeys(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let events = try given.events(0)
    let keys = try given.keys(1)
    try given.expect(2)
    if try given.list(1).isEmpty { return given.values[0] }
    var merged: [QueryEvent] = []
    var places: [[QueryValue]: Int] = [:]
    for event in events {
      var identity: [QueryValue] = []
      var data: [(String, QueryValue)] = []
      for key in keys {
        guard let value = event.data[key] else { continue }
        guard value.isHashableInPython(isTuple: true) else { throw given.invalid }
        identity.append(value)
        data.append((key, value))
      }
      if let place = places[identity] {
        try merged[place].lengthen(by: event.duration)
      } else {
        places[identity] = merged.count
        merged.append(
          try QueryEvent(
            id: nil, start: event.start, duration: event.duration,
            data: try QueryMembers(KeyOrdered(unordered: data), query.memory), query.memory))
      }
    }
    return try query.list(merged)
  }

  /// Neighbours with one value as one event, the events themselves in its `subevents`.
  ///
  /// As in aw-core, whether two are near is told from the end of the last event given.
  static func chunkByKey(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let events = try given.events(0)
    let key = try given.text(1)
    try given.expect(2)
    var chunks: [(event: QueryEvent, value: QueryValue, parts: [QueryValue])] = []
    for event in events {
      guard let value = event.data[key] else { break }
      if let last = chunks.last, let end = events.last?.end, last.value == value,
        event.start - end < 5_000_000
      {
        try last.event.lengthen(by: event.duration)
        chunks[chunks.count - 1].parts.append(.event(event))
      } else {
        let chunk = try QueryEvent(
          id: nil, start: event.start, duration: event.duration,
          data: try QueryMembers([:], query.memory), query.memory)
        chunks.append((chunk, value, [.event(event)]))
      }
    }
    for chunk in chunks {
      let parts = QueryValue.list(try QueryList(chunk.parts, query.memory))
      try chunk.event.set([(key, chunk.value), ("subevents", parts)], query.memory)
    }
    return try query.list(chunks.map(\.event))
  }

  static func mergeSubwatcher(_ query: ActivityQuery, _ given: QueryArguments)
    throws(QueryFailure) -> QueryValue
  {
    let events = try given.events(0)
    let others = try given.events(1)
    let keys = try given.keys(2)
    try given.expect(3...4)
    let conflict = try given.values.count > 3 ? given.text(3) : "base_wins"
    guard conflict == "base_wins" || conflict == "sub_wins" else {
      throw .function("conflict must be 'base_wins' or 'sub_wins', got '\(conflict)'")
    }
    let fields = SubwatcherFields(keys: keys, replaces: conflict == "sub_wins")
    return try query.list(try fields.merge(others, into: events, query))
  }
}

extension QueryValue {
  /// Whether Python takes the value as a part of a key: a list at the top counts as a tuple.
  fileprivate func isHashableInPython(isTuple: Bool) -> Bool {
    switch self {
    case .object, .event: false
    case .list(let list):
      isTuple && list.values.allSatisfy { $0.isHashableInPython(isTuple: false) }
    default: true
    }
  }
}
