import ActivityWatch
import Events
import Testing

/// Queries that ask for too much are refused in words, in bounded time and memory.
@Suite struct HostileQueryTests {
  private func run(_ query: String, events: Int = 0, lasting length: Int64 = 1_000_000)
    throws(QueryFailure) -> QueryValue
  {
    try ActivityQuery.run(
      query, name: "", from: ActivityTime(microseconds: 0), to: ActivityTime(microseconds: 1 << 50),
      source: ManyEvents(count: events, length: length))
  }

  @Test func nestingIsBounded() throws {
    _ = try run("RETURN = " + String(repeating: "[", count: 60) + String(repeating: "]", count: 60))
    for open in ["[", "nop(", "{\"a\":"] {
      #expect(throws: QueryFailure.self) {
        try run("RETURN = " + String(repeating: open, count: 100_000))
      }
    }
    let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
    #expect(throws: QueryFailure.self) { try run("RETURN = " + deep) }
  }

  /// Each call left open would be looked at to the end of the text, again and again.
  @Test func openCallsCostBoundedTime() {
    #expect(throws: QueryFailure.self) {
      try run("RETURN = [" + String(repeating: "f(,", count: 100_000) + "]")
    }
  }

  @Test func doublingIsRefused() {
    let doubling = (0..<60).map { _ in "v = concat(v, v);" }.joined()
    #expect(throws: QueryFailure.self) {
      try run("v = query_bucket(\"b\");" + doubling + "RETURN = 1", events: 10)
    }
  }

  @Test func manyEventsAreRefusedBeforeTheyFillMemory() {
    #expect(throws: QueryFailure.self) {
      try run("RETURN = query_bucket(\"b\")", events: 10_000_000)
    }
  }

  @Test func whatIsLetGoCountsNoLonger() throws {
    let again = (0..<200).map { _ in "v = flood(v);" }.joined()
    _ = try run("v = query_bucket(\"b\");" + again + "RETURN = 1", events: 20_000)
  }

  /// What they add up to is counted from a start of any year, and must not overflow there.
  @Test func durationsThatAddUpToTooMuchAreRefused() {
    #expect(throws: QueryFailure.self) {
      try run(
        """
        v = merge_events_by_keys(query_bucket("b"), ["app"]);
        RETURN = period_union(v, v)
        """, events: 29, lasting: WatchedEvent.longest)
    }
  }

  @Test(arguments: ["(a+)+$", "(a|a)*$", "(.*)*b"]) func slowPatternsEnd(pattern: String) throws {
    let compiled = try ActivityPattern(pattern, ignoresCase: false)
    _ = try? compiled.isFound(in: String(repeating: "a", count: 40) + "!")
  }

  @Test(arguments: ["(", "[", "a{2,1}", "*", "(?P<x", "\\", "(?P=n)", "[z-a]"])
  func badPatternsAreRefused(pattern: String) {
    #expect(throws: ActivityPattern.Failure.syntax) {
      try ActivityPattern(pattern, ignoresCase: false)
    }
  }

  @Test(arguments: [
    ("[[a]", "["), ("a{", "a{"), ("a{,2}b", "aab"), ("[&&]", "&"), ("x}", "x}"), ("", "anything"),
    ("(?P<a_b>é)(?P=a_b)", "éé"), ("\\Aend\\Z", "end"), ("[]]", "]"), ("[^]]", "a"), ("$", "a\n"),
  ])
  func patternsOfPythonMeanTheSame(pattern: String, text: String) throws {
    #expect(try ActivityPattern(pattern, ignoresCase: false).isFound(in: text))
  }
}

/// One bucket with as many events as asked for, one every two seconds.
private struct ManyEvents: BucketSource {
  let count: Int
  let length: Int64

  var buckets: [String] { ["b"] }

  func hostname(of bucket: String) -> String? { bucket == "b" ? "h" : nil }

  func forEachEvent(
    in bucket: String, from: Int64, to: Int64,
    _ body: (WatchedEvent) throws(QueryFailure) -> Void
  ) throws(QueryFailure) {
    for index in 0..<count {
      try body(
        WatchedEvent(
          id: index, start: Int64(index) * 2_000_000, duration: length,
          data: ["app": .string("editor")]))
    }
  }

  func eventCount(in bucket: String, from: Int64, to: Int64) -> Int { count }
}
