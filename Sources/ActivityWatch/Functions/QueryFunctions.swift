enum QueryFunctions {
  typealias Body = @Sendable (ActivityQuery, QueryArguments) throws(QueryFailure) -> QueryValue

  static let named: [String: Body] = [
    "find_bucket": findBucket,
    "query_bucket": queryBucket,
    "query_bucket_eventcount": countBucket,
    "filter_keyvals": { query, given throws(QueryFailure) in
      try filterByValues(query, given, excludes: false)
    },
    "exclude_keyvals": { query, given throws(QueryFailure) in
      try filterByValues(query, given, excludes: true)
    },
    "filter_keyvals_regex": filterByPattern,
    "filter_period_intersect": { query, given throws(QueryFailure) in
      try transform(query, given, 2) { events, memory throws(QueryFailure) in
        try PeriodTransforms.intersection(events[0], events[1], memory)
      }
    },
    "period_union": { query, given throws(QueryFailure) in
      try transform(query, given, 2) { events, memory throws(QueryFailure) in
        try PeriodTransforms.union(events[0] + events[1], memory)
      }
    },
    "union_no_overlap": { query, given throws(QueryFailure) in
      try transform(query, given, 2) { events, memory throws(QueryFailure) in
        try PeriodTransforms.unionWithoutOverlap(events[0], events[1], memory)
      }
    },
    "concat": concat,
    "limit_events": limit,
    "sort_by_timestamp": { query, given throws(QueryFailure) in
      try transform(query, given, 1) { events, _ in
        events[0].sorted { $0.start < $1.start }
      }
    },
    "sort_by_duration": { query, given throws(QueryFailure) in
      try transform(query, given, 1) { events, _ in
        events[0].sorted { $0.duration > $1.duration }
      }
    },
    "sum_durations": sumDurations,
    "merge_events_by_keys": mergeByKeys,
    "chunk_events_by_key": chunkByKey,
    "merge_subwatcher_fields": mergeSubwatcher,
    "flood": flood,
    "split_url_events": { query, given throws(QueryFailure) in
      try transform(query, given, 1) { events, memory throws(QueryFailure) in
        try AddressParts.split(events[0], memory)
      }
    },
    "simplify_window_titles": simplify,
    "categorize": { query, given throws(QueryFailure) in
      try classify(query, given) { classes, events, memory throws(QueryFailure) in
        try classes.categorize(events, memory)
      }
    },
    "tag": { query, given throws(QueryFailure) in
      try classify(query, given) { classes, events, memory throws(QueryFailure) in
        try classes.tag(events, memory)
      }
    },
    "nop": { _, given throws(QueryFailure) in
      try given.expect(0)
      return .integer(1)
    },
  ]

  /// A function from so many lists of events to one.
  private static func transform(
    _ query: ActivityQuery, _ given: QueryArguments, _ count: Int,
    _ body: ([[QueryEvent]], QueryMemory) throws(QueryFailure) -> [QueryEvent]
  ) throws(QueryFailure) -> QueryValue {
    var lists: [[QueryEvent]] = []
    for index in 0..<count { _ = try given.list(index) }
    try given.expect(count)
    for index in 0..<count { lists.append(try given.events(index)) }
    return try query.list(try body(lists, query.memory))
  }

  private static func classify(
    _ query: ActivityQuery, _ given: QueryArguments,
    _ body: (EventClasses, [QueryEvent], QueryMemory) throws(QueryFailure) -> Void
  ) throws(QueryFailure) -> QueryValue {
    let events = try given.events(0)
    let classes = try EventClasses(try given.list(1))
    try given.expect(2)
    try body(classes, events, query.memory)
    return given.values[0]
  }
}

extension ActivityQuery {
  func list(_ events: [QueryEvent]) throws(QueryFailure) -> QueryValue {
    .list(try QueryList(events.map { .event($0) }, memory))
  }
}
