import Query
import Values

/// The four items of the specification's truth table and its clock.
enum TramFixture {
  /// Wednesday 2024-05-15 10:30:00 UTC.
  static let now = Instant(seconds: 1_715_769_000)

  static let context = EvaluationContext(now: now)

  static let items: [(name: String, record: [String: RecordValue])] = [
    (
      "i1",
      [
        "title": .string("Lisbon Tram 28"), "keywords": .strings(["tram", "portugal"]),
        "authorNames": .strings(["Zoë Bär"]), "pageCount": .integer(12),
        "contentModificationDate": .string("2024-05-15T08:00:00Z"),
        "textContent": .string("Ride the yellow tram uphill"),
      ]
    ),
    (
      "i2",
      [
        "title": .string("MyTramPlanner"), "pageCount": .integer(40),
        "contentModificationDate": .string("2024-05-14T09:00:00Z"),
      ]
    ),
    (
      "i3",
      [
        "title": .string("Trampoline park"), "keywords": .strings(["sport"]),
        "pageCount": .integer(5), "contentModificationDate": .string("2024-04-30T12:00:00Z"),
      ]
    ),
    (
      "i4",
      [
        "title": .string("NSTram"), "pageCount": .integer(3),
        "contentModificationDate": .string("2023-12-31T23:00:00Z"),
      ]
    ),
  ]

  /// The names of the items a query keeps, separated by blanks.
  static func matches(_ query: String) throws(CairnError) -> String {
    let expression = try QueryParser.parse(query)
    var evaluator = Predicate(expression, in: context).evaluator()
    var names: [String] = []
    for item in items where evaluator.matches(item.record) { names.append(item.name) }
    return names.joined(separator: " ")
  }
}

extension Expression {
  /// Whether the filter keeps one record.
  func matches(
    _ record: borrowing some AttributeRecord & ~Copyable & ~Escapable, in context: EvaluationContext
  ) -> Bool {
    var evaluator = Predicate(self, in: context).evaluator()
    return evaluator.matches(record)
  }
}

/// Whether `query` keeps a record.
func keeps(
  _ query: String, _ record: [String: RecordValue],
  in context: EvaluationContext = TramFixture.context
) throws(CairnError) -> Bool { try QueryParser.parse(query).matches(record, in: context) }

/// Whether `title == "pattern"modifiers` keeps an item with this title.
func title(_ title: String, matches pattern: String) throws(CairnError) -> Bool {
  try keeps("title == \(pattern)", ["title": .string(title)])
}
