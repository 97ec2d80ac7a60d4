extension QueryFunctions {
  static func filterByValues(excludes: Bool) -> Body {
    { query, given throws(QueryFailure) in
      let events = try given.events(0)
      let key = try given.text(1)
      let wanted = Set(try given.list(2))
      try given.expect(3)
      return try query.list(
        events.filter { event in
          (event.data[key].map(wanted.contains) ?? false) != excludes
        })
    }
  }

  static func filterByPattern(_ query: ActivityQuery, _ given: QueryArguments)
    throws(QueryFailure) -> QueryValue
  {
    let events = try given.events(0)
    let key = try given.text(1)
    let pattern = try ActivityPattern(query: try given.text(2), ignoresCase: false)
    try given.expect(3)
    var kept: [QueryEvent] = []
    for event in events {
      guard let value = event.data[key] else { continue }
      guard case .text(let text) = value else { throw given.invalid }
      if try pattern.isFound(inQuery: text) { kept.append(event) }
    }
    return try query.list(kept)
  }

  static func concat(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let values = try given.list(0) + (try given.list(1))
    try given.expect(2)
    return .list(try QueryList(values, query.memory))
  }

  static func limit(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let values = try given.list(0)
    let count = try given.integer(1)
    try given.expect(2)
    return .list(try QueryList(Array(values.prefix(count)), query.memory))
  }

  static func sumDurations(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let events = try given.events(0)
    try given.expect(1)
    var sum: Int64 = 0
    for event in events { sum = try QueryEvent.sum(sum, event.duration) }
    return .duration(sum)
  }

  static func flood(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let events = try given.events(0)
    try given.expect(1...2)
    var seconds = 5
    if given.values.count > 1 {
      switch given.values[1] {
      case .integer(let value): seconds = value
      case .boolean(let value): seconds = value ? 1 : 0
      default: throw given.invalid
      }
    }
    let (pulsetime, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { throw .function("The pulsetime of flood is too large.") }
    return try query.list(try Flood.fill(events, pulsetime, query.memory))
  }

  static func simplify(_ query: ActivityQuery, _ given: QueryArguments) throws(QueryFailure)
    -> QueryValue
  {
    let events = try given.events(0)
    let key = try given.text(1)
    try given.expect(2)
    return try query.list(try WindowTitles.simplify(events, key, query.memory))
  }
}
