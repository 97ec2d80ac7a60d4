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

  @Test(arguments: ["v = [v];", "v = {\"a\": v};"])
  func valuesInValuesAreBounded(step: String) {
    #expect(throws: QueryFailure.self) {
      try run("v = [1];" + String(repeating: step, count: 100_000) + "RETURN = v")
    }
  }

  /// What little memory holds may be without end when it is written out, or compared.
  @Test func whatIsSharedCountsWhereverItStands() throws {
    let step = "v = [v, v, v, v];"
    _ = try run("v = [1];" + String(repeating: step, count: 6) + "RETURN = v")
    #expect(throws: QueryFailure.self) {
      try run("v = [1];" + String(repeating: step, count: 30) + "RETURN = v")
    }
    let classes = "[[v, {\"type\": \"regex\", \"regex\": \"e\"}]]"
    #expect(throws: QueryFailure.self) {
      try run("v = query_bucket(\"b\"); RETURN = tag(v, \(classes))", events: 2)
    }
    // What several periods give is one answer.
    let value = try run("RETURN = 1")
    var bytes = [UInt8](repeating: 0x20, count: 257 << 20)
    #expect(throws: QueryFailure.self) { try value.append(to: &bytes) }
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

  /// Where few events stand in long lists, what a function works with is most of what it needs.
  @Test func whatFunctionsWorkWithCounts() throws {
    let long =
      "v = query_bucket(\"b\");" + String(repeating: "v = concat(v, v);", count: 21)
    #expect(throws: QueryFailure.self) { try run(long + "RETURN = concat(v, v)", events: 1) }
    // It is let go when the function is done.
    let again = String(repeating: "v = limit_events(v, 9999999);", count: 3)
    _ = try run(long + again + "RETURN = 1", events: 1)
  }

  @Test func manyEventsAreRefusedBeforeTheyFillMemory() {
    let source = ManyEvents(count: 10_000_000, length: 1_000_000)
    #expect(throws: QueryFailure.self) {
      try ActivityQuery.run(
        "RETURN = query_bucket(\"b\")", name: "", from: ActivityTime(microseconds: 0),
        to: ActivityTime(microseconds: 1 << 50), source: source)
    }
    #expect(source.given.count == 0)
  }

  /// Measured of the allocator: 263 bytes for each event with one short text.
  @Test func eventsCountAsWhatTheyTake() throws {
    let memory = QueryMemory()
    _ = try ActivityQuery.run(
      "RETURN = query_bucket(\"b\")", name: "", from: ActivityTime(microseconds: 0),
      to: ActivityTime(microseconds: 1 << 50),
      source: ManyEvents(count: 10_000, length: 1_000_000), memory: memory)
    #expect((2_630_000...3_400_000).contains(memory.most))
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

  @Test func namesThatOnlyLookAlikeStayTwo() throws {
    let value = try run("RETURN = {\"\u{e9}\": 1, \"e\u{301}\": 2};")
    var bytes: [UInt8] = []
    try value.append(to: &bytes)
    #expect(bytes == Array("{\"e\u{301}\":2,\"\u{e9}\":1}".utf8))
  }

  /// Each member put in its place by itself would move all that are there.
  @Test func aLongDictionaryInReverseOrderIsRead() throws {
    let members = (0..<100_000).reversed().map { "\"\($0)\":1" } + ["\"7\":2"]
    let value = try run("RETURN = {" + members.joined(separator: ",") + "}")
    var bytes: [UInt8] = []
    try value.append(to: &bytes)
    #expect(bytes.firstRange(of: Array(",\"7\":2,\"70\":1,".utf8)) != nil)
    #expect(bytes.count == 988_891)
  }

  @Test func fieldsAreMergedOnlyAsANameSays() {
    #expect(throws: QueryFailure.self) {
      try run("v = []; RETURN = merge_subwatcher_fields(v, v, [\"app\"], [\"sub_wins\"])")
    }
  }

  @Test(arguments: ["\\w", "[\\W]"]) func setsOfLettersAreCounted(set: String) throws {
    _ = try ActivityPattern(String(repeating: set, count: 100), ignoresCase: true)
    #expect(throws: ActivityPattern.Failure.syntax) {
      try ActivityPattern(String(repeating: set, count: 2_000), ignoresCase: true)
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
    ("\\w", "\u{b2}"), ("\\W", "\u{301}"), ("[\\W.]", "\u{200d}"), ("^[\\w-.]+$", "é-.2_"),
    ("^a{,}$", "aaa"), ("{}", "{}"), ("a\\v", "a\u{b}"), ("a[\\b]", "a\u{8}"),
  ])
  func patternsOfPythonMeanTheSame(pattern: String, text: String) throws {
    for ignoresCase in [false, true] {
      #expect(try ActivityPattern(pattern, ignoresCase: ignoresCase).isFound(in: text))
    }
  }

  @Test(arguments: [
    ("^\\w+$", "e\u{301}"), ("[^\\W.]", "\u{200d}"), ("\\W", "\u{2167}"), ("\\v", "a\n"),
    ("[\\b]", "b"),
  ])
  func setsAreThoseOfPython(pattern: String, text: String) throws {
    #expect(try !ActivityPattern(pattern, ignoresCase: false).isFound(in: text))
  }
}

/// One bucket with as many events as asked for, one every two seconds.
private struct ManyEvents: BucketSource {
  final class Given { var count = 0 }

  let count: Int
  let length: Int64
  let given = Given()

  var buckets: [String] { ["b"] }

  func hostname(of bucket: String) -> String? { bucket == "b" ? "h" : nil }

  func forEachEvent(
    in bucket: String, from: Int64, to: Int64,
    _ body: (WatchedEvent) throws(QueryFailure) -> Void
  ) throws(QueryFailure) {
    for index in 0..<count {
      given.count += 1
      try body(
        WatchedEvent(
          id: index, start: Int64(index) * 2_000_000, duration: length,
          data: ["app": .string("editor")]))
    }
  }

  func eventCount(in bucket: String, from: Int64, to: Int64) -> Int { count }
}
