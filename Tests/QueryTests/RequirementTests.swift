import Query
import Testing

/// Whether a record fulfils a requirement, by asking the evaluator for each condition alone.
enum RequirementChecker {
  static func holds(_ requirement: Requirement, _ record: [String: RecordValue]) -> Bool {
    switch requirement {
    case .nothing: true
    case .impossible: false
    case .all(let members): members.allSatisfy { holds($0, record) }
    case .any(let members): members.contains { holds($0, record) }
    case .constraint(let constraint):
      constraint.names.contains { holds(constraint.condition, $0, record) }
    }
  }

  private static func holds(
    _ condition: Constraint.Condition, _ name: String, _ record: [String: RecordValue]
  ) -> Bool {
    func asks(_ elements: [TextPattern.Element], _ options: TextPattern.Options) -> Bool {
      Expression.comparison(
        Comparison(.attribute(name), .equal, .text(TextPattern(elements, options)))
      ).matches(record, in: TramFixture.context)
    }
    switch condition {
    case .present:
      return Expression.comparison(Comparison(.attribute(name), .equal, .anything)).matches(
        record, in: TramFixture.context)
    case .equals(let text, let options): return asks([.literal(text)], options)
    case .hasPrefix(let text, let options): return asks([.literal(text), .anyRun], options)
    case .contains(let required):
      return required.words.allSatisfy { word in
        asks(
          (word.startsOpen ? [.anyRun] : []) + [.literal(word.text)]
            + (word.endsOpen ? [.anyRun] : []), [.ignoresCase, .ignoresDiacritics, .words])
      }
    case .lies(let bounds):
      switch record[name] {
      case .integer(let integer): return bounds.numbers?.contains(Double(integer)) ?? false
      case .number(let number): return bounds.numbers?.contains(number) ?? false
      case .dates(let dates): return dates.contains { bounds.dates.contains($0) }
      case .string, .date: return true
      default: return false
      }
    }
  }
}

struct RequirementTests {
  private func requirement(_ query: String) throws -> Requirement {
    try QueryParser.parse(query).requirement(in: TramFixture.context)
  }

  @Test func `Equality, prefix and presence name their attribute`() throws {
    #expect(
      try requirement("kind == \"note\"").constraints.first
        == Constraint(names: ["kind"], condition: .equals("note", [])))
    #expect(
      try requirement("url == \"https*\"c").constraints.first
        == Constraint(names: ["URL", "url"], condition: .hasPrefix("https", .ignoresCase)))
    #expect(
      try requirement("kind == *").constraints == [Constraint(names: ["kind"], condition: .present)]
    )
  }

  @Test func `Numbers and dates give bounds that are never too narrow`() throws {
    func bounds(_ query: String) throws -> ScalarBounds? {
      guard case .constraint(let constraint) = try requirement(query),
        case .lies(let bounds) = constraint.condition
      else { return nil }
      return bounds
    }
    #expect(try bounds("pageCount == 12")?.numbers == 12...12)
    #expect(try bounds("pageCount > 12")?.numbers == 12...(.infinity))
    #expect(try bounds("InRange(pageCount, -1, 2.5)")?.numbers == -1...2.5)
    #expect(
      try bounds("fileSize <= 9007199254740993")?.numbers?.contains(9_007_199_254_740_994) == true)
    let today = try bounds("dueDate == $time.today")
    #expect(today?.numbers == nil)
    #expect(today?.dates == Instant(seconds: 1_715_731_200)...Instant(seconds: 1_715_817_600))
    #expect(try requirement("InRange(pageCount, 3, 2)") == .impossible)
  }

  @Test func `Conjunctions gather, disjunctions keep apart, negation tells nothing`() throws {
    #expect(try requirement("!(a == 1)") == .nothing)
    #expect(try requirement("!(!(kind == *))") == requirement("kind == *"))
    #expect(try requirement("a != 1 && kind == *") == requirement("kind == *"))
    #expect(try requirement("a == 1 || b != 1") == .nothing)
    #expect(try requirement("title < \"x\" || kind == *") == requirement("kind == *"))
    #expect(try requirement("title < \"x\" && kind == *") == .impossible)
    guard case .any(let members) = try requirement("a == 1 || b == 1") else {
      Issue.record("a disjunction of two constraints is one")
      return
    }
    #expect(members.count == 2)
    #expect(try requirement("a == 1 && (b == 1 && c == 1 || d == 1)").constraints.count == 1)
  }

  @Test(arguments: [
    ("** == \"yellow tram\"cdw", ["=yellow=", "=tram="]), ("** == \"tra*\"cdw", ["=tra*"]),
    ("** == \"*ram\"cdw", ["*ram="]), ("* == \"*a b*\"cdw", ["*a=", "=b*"]),
    ("** == \"yel* tram\"cdwt", ["=yel*", "=tram="]), ("** == \"a*b\"w", ["=a*", "*b="]),
    ("** == \"C++\"w", ["=C="]), ("** == \"+a\"w", ["=a="]), ("** == \"?a\"w", ["*a="]),
    ("textContent == \"a+*\"", ["=a="]),
  ]) func `Text names the words a value must hold`(query: String, words: [String]) throws {
    let found = try requirement(query).constraints.flatMap { constraint -> [String] in
      guard case .contains(let text) = constraint.condition else { return [] }
      return text.words.map { "\($0.startsOpen ? "*" : "=")\($0.text)\($0.endsOpen ? "*" : "=")" }
    }
    #expect(found == words)
  }
}
