import Query
import Testing
import Values

struct SemanticsTests {
  private static let record: [String: RecordValue] = [
    "title": .string("Alpha"), "pageCount": .integer(7), "rating": .number(2.5),
    "allDay": .bool(true), "keywords": .strings(["red", "blue"]),
    "dueDate": .date(Instant(seconds: 1_715_731_200)),
    "importantDates": .dates([Instant(seconds: 0), Instant(seconds: 1_715_731_200)]),
    "com_example_when": .string("2024-05-15T00:00:00Z"), "thumbnailData": .other,
    "textContent": .string("One gamma, two gammas!"), "version": .string(""),
    "URL": .string("https://example.org/a"),
  ]

  @Test(arguments: [
    // Negation also holds where the attribute is missing.
    ("comment != \"x\"", true), ("comment == \"x\"", false), ("keywords != \"red\"", false),
    ("keywords != \"green\"", true), ("pageCount != 7", false), ("title != 7", true),
    ("comment != *", true), ("title != *", false),
    // Presence.
    ("comment == *", false), ("title == \"*\"", true), ("pageCount == \"*\"", true),
    ("thumbnailData == *", true), ("pageCount == \"*\"cd", true), ("title == \"\\*\"", false),
    ("version == *", true), ("version == \"\"", true), ("title == \"\"", false),
    ("title == \"\"w", false), ("title == \"**\"", true), ("pageCount > *", false),
    // Types that do not meet are false, not errors.
    ("title == 7", false), ("title < \"Z\"", false), ("title > \"A\"", false),
    ("pageCount == \"7\"", false), ("pageCount == \"7*\"", false), ("title == $time.today", false),
    ("pageCount == $time.now", false), ("thumbnailData == 1", false),
    ("InRange(title, 0, 9)", false), ("InRange(comment, 0, 9)", false),
    ("dueDate == \"2024*\"", false), ("comment < 9", false), ("comment >= 0", false),
    // Numbers.
    ("pageCount = 7", true), ("pageCount == 7.0", true), ("pageCount >= 7e0", true),
    ("pageCount < 7.5", true), ("rating > 2", true), ("rating <= 2.5", true),
    ("InRange(rating, 2.5, 2.5)", true), ("InRange(pageCount, 8, 6)", false), ("allDay == 1", true),
    ("allDay == 0", false), ("pageCount > -7", true),
    // Dates.
    ("dueDate == 737424000", true), ("dueDate == 737424000.5", false),
    ("dueDate == $time.today", true), ("dueDate < $time.tomorrow", nil),
    ("importantDates == $time.today", true), ("importantDates < 0", true),
    ("com_example_when == $time.today", true), ("com_example_when == 737424000", false),
    ("com_example_when == \"2024*\"", true),
    ("dueDate == $time.iso(2024-05-15T02:00:00+02:00)", true),
    // Fields.
    ("* == \"alpha\"c", true), ("* == \"red\"", true), ("* == \"gamma\"", false),
    ("** == \"gamma\"", true), ("textContent == \"gamma\"", true),
    ("textContent == \"two gammas!\"", true), ("textContent == \"gam\"", false),
    ("textContent == \"gam*\"", true), ("textContent == \"One gamma, two gammas!\"", true),
    ("** == \"alpha gamma\"ct", true), ("** == \"alp gamma\"ct", false),
    ("** == \"alpha gamma\"cwt", true), ("* == \"https*\"", false), ("* == *", true),
    ("* != \"nowhere\"", true),
    // Names.
    ("url == \"https*\"", true), ("URL == \"https*\"", true), ("kMDItemTitle == \"Alpha\"", true),
    ("kMDItemURL == *", true), ("Title == \"Alpha\"", false), ("InRange == \"x\"", false),
    ("kMDItemKeywords == \"red\"", true),
  ]) func `What the rules say about a record holds`(query: String, expected: Bool?) throws {
    if let expected {
      #expect(try keeps(query, Self.record) == expected)
    } else {
      #expect(throws: CairnError.self) { try keeps(query, Self.record) }
    }
  }

  @Test func `Custom keys are searched and are dates only when declared so`() throws {
    let record: [String: RecordValue] = [
      "com_example_notes": .string("Sunrise"), "com_example_when": .string("2024-05-15T00:00:00Z"),
    ]
    let declared = EvaluationContext(
      now: TramFixture.now, searchedKeys: ["com_example_notes"], dateKeys: ["com_example_when"])
    #expect(try !keeps("* == \"Sunrise\"", record))
    #expect(try keeps("* == \"Sunrise\"", record, in: declared))
    #expect(try !keeps("com_example_when == 737424000", record))
    #expect(try keeps("com_example_when == 737424000", record, in: declared))
  }

  @Test func `Whole numbers compare exactly beyond what a Double holds`() throws {
    let record: [String: RecordValue] = ["fileSize": .integer(9_007_199_254_740_993)]
    #expect(try keeps("fileSize == 9007199254740993", record))
    #expect(try !keeps("fileSize == 9007199254740992", record))
    #expect(try keeps("fileSize > 9007199254740992.0", record))
    #expect(try keeps("fileSize < 1e300 && fileSize > -1e300", record))
    #expect(try !keeps("rating == 1 || rating < 1 || rating >= 1", ["rating": .number(.nan)]))
    #expect(try keeps("rating > 9223372036854775807", ["rating": .number(1e19)]))
  }

  @Test func `A stored spelling is found under every other`() throws {
    #expect(try keeps("ISOSpeed == 100", ["isoSpeed": .integer(100)]))
    #expect(try keeps("isoSpeed == 100", ["ISOSpeed": .integer(100)]))
    #expect(try keeps("local == 1", ["isLocal": .bool(true)]))
  }
}
