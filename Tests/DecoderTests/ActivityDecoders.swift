import Events

@testable import ActivityWatch

/// What watchers send, and what pages ask in ActivityWatch's language.
enum ActivityDecoders {
  static let queries: [[UInt8]] = [
    """
    events = flood(query_bucket(find_bucket("a_", "h")));
    RETURN = {"a": merge_events_by_keys(events, ["app", 'title']), "d": sum_durations(events)};
    """,
    #"""
    e = query_bucket("a_h"); not_afk = filter_keyvals(e, "app", ["b", 1, True]);
    RETURN = [period_union(e, not_afk), filter_period_intersect(e, not_afk), NAME, STARTTIME]
    """#,
    #"""
    e = split_url_events(query_bucket('a_h'));
    e = categorize(e, [[["W", "x"], {"type": "regex", "regex": "a|(?i)B+", "ignore_case": true}]]);
    e = tag(e, [["t", {"type": "none"}]]);
    RETURN = limit_events(sort_by_duration(chunk_events_by_key(e, "app")), 2);
    """#,
    #"e = simplify_window_titles(query_bucket("a_h"), "title"); RETURN = concat(e, []);"#,
    #"RETURN = union_no_overlap(query_bucket("a_h"), exclude_keyvals(query_bucket("a_h"), "app", []))"#,
    #"RETURN=merge_subwatcher_fields(query_bucket("a_h"),query_bucket("a_h"),["app"],["title"])"#,
  ].map { Array($0.utf8) }

  /// A bucket with a few events that overlap, lie apart and end before they begin.
  private struct Bucket: BucketSource {
    let buckets = ["a_h"]

    func hostname(of bucket: String) -> String? { bucket == "a_h" ? "h" : nil }

    func forEachEvent(
      in bucket: String, from: Int64, to: Int64,
      _ body: (WatchedEvent) throws(QueryFailure) -> Void
    ) throws(QueryFailure) {
      for (number, length) in ([0, 900_000, 7_000_000, -5_000, 2_500_000] as [Int64]).enumerated() {
        try body(
          WatchedEvent(
            id: number, start: Int64(5 - number) * 1_500_000, duration: length,
            data: [
              "app": .string(number % 2 == 0 ? "b" : "é"), "title": .string("● \(number) x"),
              "url": .string("https://www.a.b/c?d=\(number)#e"), "n": .number("1e3"),
            ]))
      }
    }

    func eventCount(in bucket: String, from: Int64, to: Int64) -> Int { 5 }
  }

  static func query(_ bytes: [UInt8]) throws {
    let memory = QueryMemory()
    // Little is left, so that no input takes long.
    try memory.hold(QueryMemory.limit - 1 << 20)
    let value = try? ActivityQuery.run(
      String(decoding: bytes, as: UTF8.self), name: "n", from: ActivityTime(microseconds: 0),
      to: ActivityTime(microseconds: 60_000_000), source: Bucket(), memory: memory)
    var text: [UInt8] = []
    guard let value, (try? value.append(to: &text, within: memory)) != nil else { return }
    let json = try? JSONValue(parsing: text.span)
    try DecoderFault.require(json != nil, "an answer is no JSON")
  }

  static let events: [[UInt8]] = [
    #"{"timestamp":"2026-01-02T03:04:05.678901+02:00","duration":1.5,"data":{"app":"a"}}"#,
    #"{"id":7,"timestamp":"2026-01-02 03:04","duration":-0.0000015,"data":{}}"#,
    #"{"id":null,"timestamp":"20260102T030405Z","duration":null,"data":null}"#,
    #"{"timestamp":"9999-12-31T23:59:59.999+23:59","duration":315576000000,"data":{"n":1e400}}"#,
    #"(?P<a>b+)(?P=a)|(?i)[^\]a-z]{2,3}?\A\w\Z(?<!x)#c"#, "2026-02",
  ].map { Array($0.utf8) }

  static func event(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let pattern = try? ActivityPattern(text, ignoresCase: bytes.count % 2 == 0) {
      _ = try? pattern.isFound(in: "abb a1 ]é")
    }
    _ = ActivityTime(text)?.isoformat
    guard let json = try? JSONValue(parsing: bytes.span), let event = try? WatchedEvent(json: json)
    else { return }
    var written: [UInt8] = []
    event.append(to: &written)
    let again = try WatchedEvent(json: try JSONValue(parsing: written.span))
    try DecoderFault.require(again == event, "an event changes when it is written again")
    _ = event.merged(with: again, pulsetime: .max)
  }
}
