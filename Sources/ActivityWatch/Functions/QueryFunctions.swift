enum QueryFunctions {
  typealias Body = @Sendable (ActivityQuery, QueryArguments) throws(QueryFailure) -> QueryValue

  static let named: [String: Body] = [
    "find_bucket": findBucket,
    "query_bucket": queryBucket,
    "query_bucket_eventcount": countBucket,
    "filter_keyvals": filterByValues(excludes: false),
    "exclude_keyvals": filterByValues(excludes: true),
    "filter_keyvals_regex": filterByPattern,
    "filter_period_intersect": transform(2) { events, memory throws(QueryFailure) in
      try PeriodTransforms.intersection(events[0], events[1], memory)
    },
    "period_union": transform(2) { events, memory throws(QueryFailure) in
      try PeriodTransforms.union(events[0] + events[1], memory)
    },
    "union_no_overlap": transform(2) { events, memory throws(QueryFailure) in
      try PeriodTransforms.unionWithoutOverlap(events[0], events[1], memory)
    },
    "concat": concat,
    "limit_events": limit,
    "sort_by_timestamp": transform(1) { events, _ in events[0].sorted { $0.start < $1.start } },
    "sort_by_duration": transform(1) { events, _ in
      events[0].sorted { $0.duration > $1.duration }
    },
    "sum_durations": sumDurations,
    "merge_events_by_keys": mergeByKeys,
    "chunk_events_by_key": chunkByKey,
    "merge_subwatcher_fields": mergeSubwatcher,
    "flood": flood,
    "split_url_events": transform(1) { events, memory throws(QueryFailure) in
      try AddressParts.split(events[0], memory)
    },
    "simplify_window_titles": simplify,
    "categorize": classify { classes, events, memory throws(QueryFailure) in
      try classes.categorize(events, memory)
    },
    "tag": classify { classes, events, memory throws(QueryFailure) in
      try classes.tag(events, memory)
    },
    "nop": { _, given throws(QueryFailure) in
      try given.expect(0)
      return .integer(1)
    },
  ]

  /// A function from so many lists of events to one.
  private static func transform(
    _ count: Int,
    _ body: @escaping @Sendable ([[QueryEvent]], QueryMemory) throws(QueryFailure) -> [QueryEvent]
  ) -> Body {
    { query, given throws(QueryFailure) in
      for index in 0..<count { _ = try given.list(index) }
      try given.expect(count)
      var lists: [[QueryEvent]] = []
      for index in 0..<count { lists.append(try given.events(index)) }
      return try query.list(try body(lists, query.memory))
    }
  }

  /// A function that labels the events it is given.
  private static func classify(
    _ body:
      @escaping @Sendable (EventClasses, [QueryEvent], QueryMemory) throws(QueryFailure) -> Void
  ) -> Body {
    { query, given throws(QueryFailure) in
      let events = try given.events(0)
      let classes = try EventClasses(try given.list(1))
      try given.expect(2)
      try body(classes, events, query.memory)
      return given.values[0]
    }
  }
}

extension ActivityQuery {
  func list(_ events: [QueryEvent]) throws(QueryFailure) -> QueryValue {
    .list(try QueryList(events.map { .event($0) }, memory))
  }
}
