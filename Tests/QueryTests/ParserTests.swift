import Query
import Testing

struct ParserTests {
  @Test(arguments: [
    #"title="a""#, #"title = "a""#, #"title=="a""#, #"title=='a'"#, "\ttitle\n==\r'a' ",
    #"(title == "a")"#, #"((title == "a"))"#, #"kMDItem == "a" || title == "a""#,
  ]) func `Every spelling of a comparison is read`(query: String) throws {
    #expect(try keeps(query, ["title": .string("a")]))
    #expect(try !keeps(query, ["title": .string("b")]))
  }

  @Test(arguments: [
    #"title == "a"cd"#, #"title == "a"dc"#, #"title ==[cd] "a""#, #"title == [cd]"a""#,
    #"title =[d]'a'c"#, #"title ==[ cdc ]"a""#, #"title==[c] "a"d"#,
  ]) func `Every spelling of the modifiers gives the same tree`(query: String) throws {
    let expected = Expression.comparison(
      Comparison(
        .attribute("title"), .equal,
        .text(TextPattern(literal: "a", [.ignoresCase, .ignoresDiacritics]))))
    #expect(try QueryParser.parse(query) == expected)
  }

  @Test func `Conjunctions bind tighter than disjunctions and merge into lists`() throws {
    func term(_ name: String) -> Expression {
      .comparison(Comparison(.attribute(name), .equal, .scalar(.integer(1))))
    }
    let cases: [(String, Expression)] = [
      ("a == 1 || b == 1 && c == 1", .any([term("a"), .all([term("b"), term("c")])])),
      ("(a == 1 || b == 1) && c == 1", .all([.any([term("a"), term("b")]), term("c")])),
      ("a == 1 && (b == 1 && c == 1)", .all([term("a"), term("b"), term("c")])),
      ("(a == 1 || b == 1) || c == 1", .any([term("a"), term("b"), term("c")])),
      ("!a == 1 && b == 1", .all([.not(term("a")), term("b")])),
      ("!(a == 1 && b == 1)", .not(.all([term("a"), term("b")]))),
      ("!(!(a == 1))", .not(.not(term("a")))),
    ]
    for (query, tree) in cases { #expect(try QueryParser.parse(query) == tree) }
  }

  @Test(arguments: [
    ("", QueryError.Code.emptyQuery, 0..<0), ("  ", .emptyQuery, 2..<2),
    ("title = = \"x\"", .expectedValue, 8..<9), ("title == \"x", .unterminatedString, 9..<11),
    ("title == 'x\"", .unterminatedString, 9..<12), ("title == \"x\\", .unterminatedString, 9..<12),
    ("title == \"x\\\"", .unterminatedString, 9..<13), ("title", .expectedOperator, 5..<5),
    ("title \"x\"", .expectedOperator, 6..<7), ("title ! = 1", .expectedOperator, 6..<7),
    ("title = = 1", .expectedValue, 8..<9), ("title < = 1", .expectedValue, 8..<9),
    ("title ==", .expectedValue, 8..<8), ("title == x", .expectedValue, 9..<10),
    ("title == é", .expectedValue, 9..<11), ("== 1", .expectedAttribute, 0..<1),
    ("1 == 1", .expectedAttribute, 0..<1), ("tïtle == 1", .expectedOperator, 1..<3),
    ("*** == 1", .expectedOperator, 2..<3), ("title == \"x\"m", .unknownModifier, 12..<13),
    ("title == \"x\"cdm", .unknownModifier, 14..<15),
    ("title == \"x\"C", .unknownModifier, 12..<13), ("title ==[] \"x\"", .unknownModifier, 9..<10),
    ("title ==[x] \"x\"", .unknownModifier, 9..<10),
    ("title ==[c \"x\"", .expectedPunctuation, 11..<12),
    ("title == \"x\" c", .unexpectedText, 13..<14), ("title == *c", .unexpectedText, 10..<11),
    ("title == \"x\" \"y\"", .unexpectedText, 13..<14), ("a == 1 b == 2", .unexpectedText, 7..<8),
    ("a == 1)", .unexpectedText, 6..<7), ("a == 1 & b == 1", .unexpectedText, 7..<8),
    ("a == 1 & & b == 1", .unexpectedText, 7..<8), ("a == 1 &&", .expectedAttribute, 9..<9),
    ("a == 1 || || b == 1", .expectedAttribute, 10..<11), ("&& a == 1", .expectedAttribute, 0..<1),
    ("(a == 1", .expectedPunctuation, 7..<7), ("()", .expectedAttribute, 1..<2),
    ("!", .expectedAttribute, 1..<1), ("!!a == 1", .expectedAttribute, 1..<2),
    ("NOT a == 1", .expectedOperator, 4..<5), ("a == 1.", .malformedNumber, 5..<7),
    ("a == .5", .expectedValue, 5..<6), ("a == 1e", .malformedNumber, 5..<7),
    ("a == 12x", .malformedNumber, 5..<8), ("a == --1", .malformedNumber, 5..<6),
    ("a == 1e999", .malformedNumber, 5..<10), ("a == 1.2.3", .malformedNumber, 5..<9),
    ("a == 0x10", .malformedNumber, 5..<7), ("a == $now", .malformedTime, 5..<9),
    ("a == $time", .malformedTime, 5..<10), ("a == $time.tomorrow", .malformedTime, 5..<19),
    ("a == $time.today(", .malformedTime, 17..<17), ("a == $time.today()", .malformedTime, 17..<17),
    ("a == $time.today(1", .expectedPunctuation, 18..<18),
    ("a == $time.today(1.5)", .malformedTime, 17..<20),
    ("a == $time.today(99999999999999999999)", .malformedTime, 17..<37),
    ("a == $time.yesterday(1)", .malformedTime, 5..<20),
    ("a == $time.last_week(1)", .malformedTime, 5..<20), ("a == $time.iso", .malformedTime, 5..<14),
    ("a == $time.iso()", .malformedTime, 15..<15),
    ("a == $time.iso(2024-05-15", .expectedPunctuation, 25..<25),
    ("InRange(a, 1)", .expectedPunctuation, 12..<13),
    ("InRange(a 1, 2)", .expectedPunctuation, 10..<11),
    ("InRange(a, 1, \"x\")", .expectedScalar, 14..<15),
    ("InRange(a, 1, 2", .expectedPunctuation, 15..<15),
    ("InRange(, 1, 2)", .expectedAttribute, 8..<9),
    ("InRange(a, 1, 2, 3)", .expectedPunctuation, 15..<16),
    ("inRange(a, 1, 2)", .expectedOperator, 7..<8), ("a == 1 \0", .unexpectedText, 7..<8),
    ("\0", .expectedAttribute, 0..<1),
  ]) func `An error has a code and the bytes it is about`(
    query: String, code: QueryError.Code, range: Range<Int>
  ) throws {
    let error = try #require(throws: QueryError.self) { try QueryParser.parse(query) }
    #expect(error.code == code)
    #expect(error.range == range)
    #expect(error.description.contains("byte \(range.lowerBound)"))
  }

  @Test func `Messages never repeat the query`() throws {
    for query in [
      "secret", "secret == secret", "a == \"secret", "a == $time.secret", "a == 1 secret",
    ] {
      let error = try #require(throws: QueryError.self) { try QueryParser.parse(query) }
      #expect(!error.description.contains("secret"))
    }
  }

  @Test func `A range may be named like an attribute, and an attribute like a range`() throws {
    #expect(try keeps("InRange == 1", ["InRange": .integer(1)]))
    #expect(try keeps("InRange ( InRange , 1 , 2 )", ["InRange": .integer(2)]))
  }

  @Test func `The limits hold to the last byte, parenthesis and term`() throws {
    let limits = QueryLimits.standard
    func code(_ query: String) -> QueryError.Code? {
      do {
        _ = try QueryParser.parse(query)
        return nil
      } catch { return error.code }
    }
    func nested(_ depth: Int, _ opening: String = "(") -> String {
      String(repeating: opening, count: depth) + "a == 1" + String(repeating: ")", count: depth)
    }
    #expect(code(nested(limits.depthMax)) == nil)
    #expect(code(nested(limits.depthMax + 1)) == .tooDeep)
    #expect(code(nested(limits.depthMax, "!(")) == nil)
    #expect(code(nested(limits.depthMax + 1, "!(")) == .tooDeep)
    let terms = Array(repeating: "a == 1", count: limits.termCountMax)
    #expect(code(terms.joined(separator: " && ")) == nil)
    #expect(code((terms + ["a == 1"]).joined(separator: " || ")) == .tooManyTerms)
    let room = String(repeating: "x", count: limits.byteCountMax - #"a == """#.utf8.count)
    #expect(code("a == \"\(room)\"") == nil)
    #expect(code("a == \"\(room)x\"") == .tooLong)
  }
}
