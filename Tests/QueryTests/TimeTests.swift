import Query
import Testing
import Values

struct TimeTests {
  /// The interval an expression denotes, found by asking which instants it equals.
  private func interval(_ time: String, around dates: (String, String)) throws -> [Bool] {
    let start = try seconds(dates.0)
    let end = try seconds(dates.1)
    return try [start - 1, start, end - 1, end].map {
      try keeps("dueDate == \(time)", ["dueDate": .date(Instant(seconds: $0))])
    }
  }

  /// Unix seconds of a day, by the parser of the query language.
  private func seconds(_ day: String) throws -> Int64 {
    guard case .comparison(let comparison) = try QueryParser.parse("a == $time.iso(\(day))"),
      case .scalar(.time(.instant(let instant))) = comparison.value
    else { return 0 }
    return instant.seconds
  }

  @Test(arguments: [
    ("$time.today", "2024-05-15", "2024-05-16"), ("$time.today(-10)", "2024-05-05", "2024-05-06"),
    ("$time.today(1)", "2024-05-16", "2024-05-17"), ("$time.yesterday", "2024-05-14", "2024-05-15"),
    ("$time.this_week", "2024-05-13", "2024-05-20"),
    ("$time.last_week", "2024-05-06", "2024-05-13"),
    ("$time.this_week(-2)", "2024-04-29", "2024-05-06"),
    ("$time.this_month", "2024-05-01", "2024-06-01"),
    ("$time.this_month(-1)", "2024-04-01", "2024-05-01"),
    ("$time.this_month(-3)", "2024-02-01", "2024-03-01"),
    ("$time.this_month(-5)", "2023-12-01", "2024-01-01"),
    ("$time.this_month(8)", "2025-01-01", "2025-02-01"),
    ("$time.this_year", "2024-01-01", "2025-01-01"),
    ("$time.this_year(1)", "2025-01-01", "2026-01-01"),
    ("$time.this_year(-24)", "2000-01-01", "2001-01-01"),
  ]) func `Each time denotes its half-open interval`(time: String, start: String, end: String)
    throws
  {
    let answers = try interval(time, around: (start, end))
    #expect(answers == [false, true, true, false])
  }

  @Test(arguments: [
    ("$time.now", 0), ("$time.now(-3600)", -3_600), ("$time.now(+90)", 90),
    ("$time.iso(2024-05-15T10:30:00Z)", 0), ("$time.iso(2024-05-15t12:30:00+02:00)", 0),
    ("$time.iso( 2024-05-15T10:30Z )", 0), ("$time.iso(2024-05-15 10:30:01)", 1),
    ("$time.iso(2024-05-15T10:29:60Z)", 0), ("$time.iso(2024-05-15T0530-0500)", nil),
    ("$time.iso(2024-05-15T05:30:00-05)", 0), ("$time.iso(2024-05-15)", -37_800), ("737461800", 0),
    ("737461800.0", 0),
  ]) func `An instant is one second and no other`(time: String, offset: Int64?) throws {
    guard let offset else {
      #expect(throws: CairnError.self) { try QueryParser.parse("dueDate == \(time)") }
      return
    }
    for shift: Int64 in [-1, 0, 1] {
      let date = Instant(seconds: TramFixture.now.seconds + offset + shift)
      #expect(try keeps("dueDate == \(time)", ["dueDate": .date(date)]) == (shift == 0))
    }
  }

  /// Exactly one of `<`, `==`, `>` holds, and `<=` and `>=` join them.
  @Test(arguments: [
    "$time.today", "$time.this_week", "$time.this_year", "$time.now", "$time.now(-5)", "737424000",
  ]) func `Every date is before, in or after an interval`(time: String) throws {
    let midnight: Int64 = 1_715_731_200
    let hour: Int64 = 3_600
    let dates =
      stride(from: midnight - 80 * hour, to: midnight + 200 * hour, by: 3_600) + [
        TramFixture.now.seconds, TramFixture.now.seconds - 5, 0, .min, .max,
      ]
    for date in dates {
      let record: [String: RecordValue] = ["dueDate": .date(Instant(seconds: date))]
      func holds(_ relation: String) throws -> Bool {
        try keeps("dueDate \(relation) \(time)", record)
      }
      let relations = try [holds("<"), holds("=="), holds(">")]
      #expect(relations.count(where: { $0 }) == 1)
      #expect(try holds("<=") == (relations[0] || relations[1]))
      #expect(try holds(">=") == (relations[1] || relations[2]))
      #expect(try holds("!=") == !relations[1])
      #expect(try keeps("InRange(dueDate, \(time), \(time))", record) == relations[1])
    }
  }

  @Test func `The past ten days end with today`() throws {
    let query = "InRange(dueDate, $time.today(-10), $time.today)"
    let days: [(String, Bool)] = [
      ("2024-05-04T23:59:59Z", false), ("2024-05-05T00:00:00Z", true),
      ("2024-05-15T23:59:59.999999999Z", true), ("2024-05-16T00:00:00Z", false),
    ]
    for (day, expected) in days { #expect(try keeps(query, ["dueDate": .string(day)]) == expected) }
  }

  @Test(arguments: ["now", "today", "this_week", "this_month", "this_year"])
  func `Offsets beyond all calendars mean further than any date`(name: String) throws {
    let record: [String: RecordValue] = ["dueDate": .date(TramFixture.now)]
    for context in [
      TramFixture.context, EvaluationContext(now: Instant(seconds: .max)),
      EvaluationContext(now: Instant(seconds: .min)),
    ] {
      #expect(
        try keeps("dueDate < $time.\(name)(9223372036854775807)", record, in: context)
          || context.now.seconds < 0)
      #expect(
        try keeps("dueDate > $time.\(name)(-9223372036854775808)", record, in: context)
          || context.now.seconds > 1 << 40)
    }
  }

  @Test func `Fractions of a second count to the nanosecond`() throws {
    let record: [String: RecordValue] = ["dueDate": .string("2024-05-15T10:30:00.250Z")]
    #expect(try keeps("dueDate > $time.now", record))
    #expect(try keeps("dueDate == $time.iso(2024-05-15T10:30:00.25Z)", record))
    #expect(try keeps("dueDate == 737461800.25", record))
    #expect(try keeps("dueDate < $time.iso(2024-05-15T10:30:00.250000001Z)", record))
    let context = EvaluationContext(
      now: Instant(seconds: TramFixture.now.seconds, nanoseconds: 250_000_000))
    #expect(try keeps("dueDate == $time.now", record, in: context))
  }

  @Test(arguments: [
    "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-05-15T24:00:00Z",
    "2024-05-15T10:60:00Z", "2024-05-15T10:00:61Z", "2024-5-15T10:00:00Z", "2024-05-15T10:00:00.Z",
    "2024-05-15T10:00:00+24:00", "yesterday", "",
  ]) func `A text that is no date never meets one`(text: String) throws {
    let record: [String: RecordValue] = ["dueDate": .string(text)]
    #expect(try !keeps("dueDate > 0 || dueDate <= 0 || dueDate == $time.now", record))
    #expect(throws: CairnError.self) { try QueryParser.parse("dueDate == $time.iso(\(text))") }
  }

  @Test func `Only a full date-time makes an undeclared text a date`() throws {
    #expect(
      try keeps("com_x_day > $time.today(-1)", ["com_x_day": .string("2024-05-15T00:00:00Z")]))
    #expect(try !keeps("com_x_day > $time.today(-1)", ["com_x_day": .string("2024-05-15")]))
    #expect(try keeps("dueDate > $time.today(-1)", ["dueDate": .string("2024-05-15")]))
  }
}
