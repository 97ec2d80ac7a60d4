import Cairn
import TestSupport
import Testing

@Suite struct TimeExpressionTests {
  /// A Monday.
  private static let now = Timestamp(rfc3339: "2026-11-23T10:30:15.5Z") ?? .earliest

  private static func read(_ text: String, _ direction: TimeExpression.Direction = .back)
    throws(CairnError) -> TimeExpression
  { try TimeExpression(text, now: now, zone: .utc, direction: direction) }

  @Test(
    arguments: [
      ("2026", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59.999999999Z"),
      ("2024-02", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59.999999999Z"),
      ("2026-12", "2026-12-01T00:00:00Z", "2026-12-31T23:59:59.999999999Z"),
      ("2026-11-20", "2026-11-20T00:00:00Z", "2026-11-20T23:59:59.999999999Z"),
      ("2026-11-20T10", "2026-11-20T10:00:00Z", "2026-11-20T10:59:59.999999999Z"),
      ("2026-11-20 10:00", "2026-11-20T10:00:00Z", "2026-11-20T10:00:59.999999999Z"),
      ("2026-11-20T10:00:07", "2026-11-20T10:00:07Z", "2026-11-20T10:00:07.999999999Z"),
      ("2026-11-20T10:00+01:00", "2026-11-20T09:00:00Z", "2026-11-20T09:00:59.999999999Z"),
      ("2026-11-20T10:00:07.25", "2026-11-20T10:00:07.250Z", "2026-11-20T10:00:07.250Z"),
      (
        "2026-11-20T10:00:07.1234567899", "2026-11-20T10:00:07.123456789Z",
        "2026-11-20T10:00:07.123456789Z"
      ),
      // As git, Ruby and PostgreSQL print a time, and with what a copy brings along.
      ("2026-11-20 10:00:07 +0200", "2026-11-20T08:00:07Z", "2026-11-20T08:00:07.999999999Z"),
      ("2026-11-20 10:00:07.5 +02", "2026-11-20T08:00:07.500Z", "2026-11-20T08:00:07.500Z"),
      ("2026-11-20 10:00:07 UTC", "2026-11-20T10:00:07Z", "2026-11-20T10:00:07.999999999Z"),
      ("yesterday 9:05 +02:00", "2026-11-22T07:05:00Z", "2026-11-22T07:05:59.999999999Z"),
      ("10:15 UTC", "2026-11-23T10:15:00Z", "2026-11-23T10:15:59.999999999Z"),
      (" 2026-11-20\t10:00\n", "2026-11-20T10:00:00Z", "2026-11-20T10:00:59.999999999Z"),
      ("2026-11-20T10:00:07+02:00", "2026-11-20T08:00:07Z", "2026-11-20T08:00:07Z"),
      ("1763881200", "2025-11-23T07:00:00Z", "2025-11-23T07:00:00Z"),
      ("1763881200.5", "2025-11-23T07:00:00.500Z", "2025-11-23T07:00:00.500Z"),
      ("1763881200.1", "2025-11-23T07:00:00.100Z", "2025-11-23T07:00:00.100Z"),
      (
        "1763881200.1234567899", "2025-11-23T07:00:00.123456789Z",
        "2025-11-23T07:00:00.123456789Z"
      ),
      ("-0.25", "1969-12-31T23:59:59.750Z", "1969-12-31T23:59:59.750Z"),
      (".5", "1970-01-01T00:00:00.500Z", "1970-01-01T00:00:00.500Z"),
      ("1.5e9", "2017-07-14T02:40:00Z", "2017-07-14T02:40:00Z"),
      ("1.5000000000e9", "2017-07-14T02:40:00Z", "2017-07-14T02:40:00Z"),
      ("0", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
      ("now", "2026-11-23T10:30:15.500Z", "2026-11-23T10:30:15.500Z"),
      ("today", "2026-11-23T00:00:00Z", "2026-11-23T23:59:59.999999999Z"),
      ("Yesterday", "2026-11-22T00:00:00Z", "2026-11-22T23:59:59.999999999Z"),
      ("yesterday 14:30", "2026-11-22T14:30:00Z", "2026-11-22T14:30:59.999999999Z"),
      ("monday at 9:05", "2026-11-23T09:05:00Z", "2026-11-23T09:05:59.999999999Z"),
      ("last monday", "2026-11-16T00:00:00Z", "2026-11-16T23:59:59.999999999Z"),
      ("last sun", "2026-11-22T00:00:00Z", "2026-11-22T23:59:59.999999999Z"),
      ("tuesday", "2026-11-17T00:00:00Z", "2026-11-17T23:59:59.999999999Z"),
      ("10:15", "2026-11-23T10:15:00Z", "2026-11-23T10:15:59.999999999Z"),
      ("3pm", "2026-11-23T15:00:00Z", "2026-11-23T15:59:59.999999999Z"),
      ("3:05 PM", "2026-11-23T15:05:00Z", "2026-11-23T15:05:59.999999999Z"),
      ("yesterday at 12 am", "2026-11-22T00:00:00Z", "2026-11-22T00:59:59.999999999Z"),
      ("2026-11-20 12pm", "2026-11-20T12:00:00Z", "2026-11-20T12:59:59.999999999Z"),
      ("this week", "2026-11-23T00:00:00Z", "2026-11-29T23:59:59.999999999Z"),
      ("last week", "2026-11-16T00:00:00Z", "2026-11-22T23:59:59.999999999Z"),
      ("last month", "2026-10-01T00:00:00Z", "2026-10-31T23:59:59.999999999Z"),
      ("last year", "2025-01-01T00:00:00Z", "2025-12-31T23:59:59.999999999Z"),
    ]) func `a beginning of a time or a name of a day is a span`(
      text: String, start: String, end: String
    ) throws
  {
    let meant = try Self.read(text)
    #expect(meant.start.rfc3339 == start)
    #expect(meant.end.rfc3339 == end)
  }

  @Test(arguments: [
    ("2h", "2026-11-23T08:30:15.500Z"), ("-90d", "2026-08-25T10:30:15.500Z"),
    ("3 days ago", "2026-11-20T10:30:15.500Z"), ("an hour ago", "2026-11-23T09:30:15.500Z"),
    ("one day ago", "2026-11-22T10:30:15.500Z"),
    ("1h30m", "2026-11-23T09:00:15.500Z"), ("1 week 2 days ago", "2026-11-14T10:30:15.500Z"),
    ("a month ago", "2026-10-23T10:30:15Z"), ("1y", "2025-11-23T10:30:15Z"),
    ("+30d", "2026-12-23T10:30:15.500Z"), ("in 2 weeks", "2026-12-07T10:30:15.500Z"),
    ("90 s", "2026-11-23T10:28:45.500Z"),
  ]) func `a distance counts from now`(text: String, expected: String) throws {
    let meant = try Self.read(text)
    #expect(meant.start == meant.end)
    let fraction = expected.contains(".") ? expected : expected.dropLast() + ".500Z"
    #expect(meant.start.rfc3339 == fraction)
  }

  @Test func `a distance without a direction leads forward where that is wanted`() throws {
    #expect(try Self.read("30d", .forward).start.rfc3339 == "2026-12-23T10:30:15.500Z")
    #expect(try Self.read("30d ago", .forward).start.rfc3339 == "2026-10-24T10:30:15.500Z")
  }

  @Test func `a month keeps within the month it comes to`() throws {
    let march = try #require(Timestamp(rfc3339: "2024-03-31T12:00:00Z"))
    let meant = try TimeExpression("1 month ago", now: march, zone: .utc)
    #expect(meant.start.rfc3339 == "2024-02-29T12:00:00Z")
  }

  @Test(arguments: [
    ("1763881200000", "milliseconds; write seconds: 1763881200"),
    ("1763881200000000", "microseconds; write seconds: 1763881200"),
    ("1763881200000000000", "nanoseconds; write seconds: 1763881200"),
    ("20261120", "write a date with its hyphens"), ("1e300", "beyond the year 2200"),
    ("3M", "months or minutes?"), ("-3M", "months or minutes?"),
    ("1y 6M ago", "months or minutes?"), ("2026-02-29", "the calendar has no such day"),
    ("2026-13-01 10:00", "no such day"), ("1000000d", "too far from now"),
    ("1000000y", "too far from now"), ("99999999d ago", "too far from now"),
  ]) func `what cannot be meant so is refused by name`(text: String, reason: String) {
    let error = #expect(throws: CairnError.self) { try Self.read(text) }
    #expect(error?.message.contains(reason) == true)
  }

  @Test(
    arguments: [
      "", " ", "tomorrowish", "2026-13", "2026-02-30", "2026-11-20T25:00", "last", "ago", "3",
      "3 days 4",
      "d", "2 parsecs", "yesterday x", "-", "13pm", "0am", "3pm utc", "pm", "3 x pm", "3pm ago",
      "99999999999999999999 days", "2026-", "10:60",
      "last 3 days", "+2h ago", "in -2h", "2026-11-20 10:00 CET", "2026-11-20 10:00 +", "10:15 ago",
      " 5", "2026 ",
      "1000000y", "٣ days", "2026-11-20T10:00+99:00",
    ].filter { $0 != "3" }) func `anything else is refused`(text: String)
  {
    #expect(throws: CairnError.self) { try Self.read(text) }
  }

  @Test func `a store is asked at what people write`() async throws {
    try await withStore { store in
      for name in ["a", "b", "c"] { try await store.append(Event(kind: .index, item: name)) }
      try store.createSnapshot("first", at: .sequence(1))
      #expect(try store.at("head").sequence == 3)
      #expect(try store.at("HEAD~2").sequence == 1)
      #expect(try store.at("2").sequence == 2)
      #expect(try store.at("first").sequence == 1)
      #expect(try store.at("today", zone: .utc).sequence == 3)
      #expect(try store.at("yesterday", zone: .utc).sequence == 0)
      for text in ["head~4", "head~x", "4", " 2 ", "second", "tomorrow"] {
        expectError(.noSuchPoint) { try store.at(text) }
      }
      for name in ["now", "yesterday", "head", "head~1", "2h", "2026-11", "12", "last week"] {
        expectError(.badArgument) { try store.createSnapshot(name) }
      }
    }
  }
}
