import Query
import Testing
import Values

struct ParserTests {
  @Test(arguments: [
    #"title="a""#, #"title = "a""#, #"title=="a""#, #"title=='a'"#, "\ttitle\n==\r'a' ",
    #"(title == "a")"#, #"((title == "a"))"#, #"kMDItem == "a" || title == "a""#,
  ]) func `Every spelling of a comparison is read`(query: String) throws {
    #expect(try keeps(query, ["title": .string("a")]))
    #expect(try !keeps(query, ["title": .string("b")]))
  }

  @Test func `A name has letters and digits of any script`() throws {
    #expect(try keeps("größe > 3", ["größe": .integer(12)]))
    #expect(try keeps(#"タグ2 == "猫" && हिन्दी = 1"#, ["タグ2": .string("猫"), "हिन्दी": .integer(1)]))
    for query in ["my-key > 3", "a.b = 1", "3größe = 1", "“a” = 1"] {
      #expect(throws: CairnError.self) { try QueryParser.parse(query) }
    }
  }

  @Test(arguments: [
    #"title == "a"cd"#, #"title == "a"dc"#, #"title ==[cd] "a""#, #"title == [cd]"a""#,
    #"title =[d]'a'c"#, #"title ==[ cdc ]"a""#, #"title==[c] "a"d"#,
  ]) func `Every spelling of the modifiers gives the same tree`(query: String) throws {
    let expected = Expression.comparison(
      Comparison(
        .attribute("title"), .equal,
        .text(TextPattern([.literal("a")], [.ignoresCase, .ignoresDiacritics]))))
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
    ("", Fault.emptyQuery, 0), ("  ", .emptyQuery, 2),
    ("title = = \"x\"", .expectedValue, 8), ("title == \"x", .unterminatedString, 9),
    ("title == 'x\"", .unterminatedString, 9), ("title == \"x\\", .unterminatedString, 9),
    ("title == \"x\\\"", .unterminatedString, 9), ("title", .expectedOperator, 5),
    ("title \"x\"", .expectedOperator, 6), ("title ! = 1", .expectedOperator, 6),
    ("title = = 1", .expectedValue, 8), ("title < = 1", .expectedValue, 8),
    ("title ==", .expectedValue, 8), ("title == x", .expectedValue, 9),
    ("title == \u{201C}x\u{201D}", .curvedQuote, 9), ("title == é", .expectedValue, 9),
    ("== 1", .expectedAttribute, 0),
    ("1 == 1", .expectedAttribute, 0), ("t“ == 1", .expectedOperator, 1),
    ("*** == 1", .expectedOperator, 2), ("title == \"x\"m", .unknownModifier, 12),
    ("title == \"x\"cdm", .unknownModifier, 14),
    ("title == \"x\"C", .unknownModifier, 12), ("title ==[] \"x\"", .unknownModifier, 9),
    ("title ==[x] \"x\"", .unknownModifier, 9),
    ("title ==[c \"x\"", .expectedPunctuation, 11),
    ("title == \"x\" c", .unexpectedText, 13), ("title == *c", .unexpectedText, 10),
    ("title == \"x\" \"y\"", .unexpectedText, 13), ("a == 1 b == 2", .unexpectedText, 7),
    ("a == 1)", .unexpectedText, 6), ("a == 1 & b == 1", .unexpectedText, 7),
    ("a == 1 & & b == 1", .unexpectedText, 7), ("a == 1 &&", .expectedAttribute, 9),
    ("a == 1 || || b == 1", .expectedAttribute, 10), ("&& a == 1", .expectedAttribute, 0),
    ("(a == 1", .expectedPunctuation, 7), ("()", .expectedAttribute, 1),
    ("!", .expectedAttribute, 1), ("!!a == 1", .expectedAttribute, 1),
    ("NOT a == 1", .expectedOperator, 4), ("a == 1.", .malformedNumber, 5),
    ("a == .5", .expectedValue, 5), ("a == 1e", .malformedNumber, 5),
    ("a == 12x", .malformedNumber, 5), ("a == --1", .malformedNumber, 5),
    ("a == 1e999", .malformedNumber, 5), ("a == 1.2.3", .malformedNumber, 5),
    ("a == 0x10", .malformedNumber, 5), ("a == $now", .malformedTime, 5),
    ("a == $time", .malformedTime, 5), ("a == $time.tomorrow", .malformedTime, 5),
    ("a == $time.today(", .malformedTime, 17), ("a == $time.today()", .malformedTime, 17),
    ("a == $time.today(1", .expectedPunctuation, 18),
    ("a == $time.today(1.5)", .malformedTime, 17),
    ("a == $time.today(99999999999999999999)", .malformedTime, 17),
    ("a == $time.yesterday(1)", .malformedTime, 5),
    ("a == $time.last_week(1)", .malformedTime, 5), ("a == $time.iso", .malformedTime, 5),
    ("a == $time.iso()", .malformedTime, 15),
    ("a == $time.iso(2024-05-15", .expectedPunctuation, 25),
    ("InRange(a, 1)", .expectedPunctuation, 12),
    ("InRange(a 1, 2)", .expectedPunctuation, 10),
    ("InRange(a, 1, \"x\")", .expectedScalar, 14),
    ("InRange(a, 1, 2", .expectedPunctuation, 15),
    ("InRange(, 1, 2)", .expectedAttribute, 8),
    ("InRange(a, 1, 2, 3)", .expectedPunctuation, 15),
    ("inRange(a, 1, 2)", .expectedOperator, 7), ("a == 1 \0", .unexpectedText, 7),
    ("\0", .expectedAttribute, 0),
  ]) func `An error has a code and the bytes it is about`(
    query: String, fault: Fault, offset: Int
  ) throws {
    let error = try #require(throws: CairnError.self) { try QueryParser.parse(query) }
    #expect(error.code == .badQuery)
    #expect(fault.matches(error.message))
    #expect(error.offset == offset)
    #expect(error.description.hasSuffix("(byte \(offset))"))
  }

  @Test func `Messages never repeat the query`() throws {
    for query in [
      "secret", "secret == secret", "a == \"secret", "a == $time.secret", "a == 1 secret",
    ] {
      let error = try #require(throws: CairnError.self) { try QueryParser.parse(query) }
      #expect(!error.description.contains("secret"))
    }
  }

  @Test func `A range may be named like an attribute, and an attribute like a range`() throws {
    #expect(try keeps("InRange == 1", ["InRange": .integer(1)]))
    #expect(try keeps("InRange ( InRange , 1 , 2 )", ["InRange": .integer(2)]))
  }

  @Test func `The limits hold to the last byte, parenthesis and term`() throws {
    func fault(_ query: String) -> Fault? {
      do {
        _ = try QueryParser.parse(query)
        return nil
      } catch { return [.tooLong, .tooDeep, .tooManyTerms].first { $0.matches(error.message) } }
    }
    func nested(_ depth: Int, _ opening: String = "(") -> String {
      String(repeating: opening, count: depth) + "a == 1" + String(repeating: ")", count: depth)
    }
    #expect(fault(nested(QueryLimits.depthMax)) == nil)
    #expect(fault(nested(QueryLimits.depthMax + 1)) == .tooDeep)
    #expect(fault(nested(QueryLimits.depthMax, "!(")) == nil)
    #expect(fault(nested(QueryLimits.depthMax + 1, "!(")) == .tooDeep)
    let terms = Array(repeating: "a == 1", count: QueryLimits.termCountMax)
    #expect(fault(terms.joined(separator: " && ")) == nil)
    #expect(fault((terms + ["a == 1"]).joined(separator: " || ")) == .tooManyTerms)
    let room = String(repeating: "x", count: QueryLimits.byteCountMax - #"a == """#.utf8.count)
    #expect(fault("a == \"\(room)\"") == nil)
    #expect(fault("a == \"\(room)x\"") == .tooLong)
  }
}
