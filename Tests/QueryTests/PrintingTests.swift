import Query
import TestSupport
import Testing

struct PrintingTests {
  @Test(arguments: [
    (#"title='a'"#, #"title == "a""#), (#"title==[tdwc]"a""#, #"title == "a"cdwt"#),
    (#"((a==1))&&(b==2)"#, "a == 1 && b == 2"),
    ("(a==1||b==2)&&c==3", "(a == 1 || b == 2) && c == 3"),
    ("a==1||(b==2&&c==3)", "a == 1 || b == 2 && c == 3"), ("! a==1", "!(a == 1)"),
    ("!(a==1||b==2)&&c==3", "!(a == 1 || b == 2) && c == 3"),
    (#"a=='x\'y"z\*\?\\'"#, #"a == "x\'y\"z\*\?\\""#), (#"a=="\n\é""#, #"a == "né""#),
    (#"a=="x**?*""#, #"a == "x*?*""#), (#"a=="*"cd"#, "a == *"), ("a!=*", "a != *"),
    ("InRange(a,-1,+2.50)", "InRange(a, -1, 2.5)"), ("a<1e3", "a < 1000.0"),
    ("a>=00012", "a >= 12"), ("a==$time.today( -3 )", "a == $time.today(-3)"),
    ("a==$time.now", "a == $time.now"),
    ("a==$time.iso(2024-05-15T12:30:00.500+02:00)", "a == $time.iso(2024-05-15T10:30:00.5Z)"),
    (#"**=="x"&&*!="y""#, #"** == "x" && * != "y""#), (#"a=="""#, #"a == """#),
  ]) func `An expression has one canonical text`(query: String, canonical: String) throws {
    let expression = try QueryParser.parse(query)
    #expect(expression.description == canonical)
    #expect(try QueryParser.parse(canonical) == expression)
  }

  @Test(arguments: [UInt64(11), 12, 13])
  func `Random expressions print to text that reads as the same tree`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<700 {
      let query = RandomQuery.make(&random)
      let text = query.rendered(&random)
      let expression = try QueryParser.parse(text)
      let canonical = expression.description
      #expect(try QueryParser.parse(canonical) == expression, "seed \(seed)")
      #expect(try QueryParser.parse(canonical).description == canonical, "seed \(seed)")
    }
  }

  @Test func `Numbers print so that nothing is lost`() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let expression = Expression.comparison(
        Comparison(.attribute("a"), .equal, .scalar(.number(number))))
      #expect(try QueryParser.parse(expression.description) == expression)
    }
    for integer in [Int64.min, -1, 0, .max] {
      let expression = Expression.comparison(
        Comparison(.attribute("a"), .equal, .scalar(.integer(integer))))
      #expect(try QueryParser.parse(expression.description) == expression)
    }
  }

  @Test func `Empty lists print as what they mean`() throws {
    let record: [String: RecordValue] = ["title": .string("x")]
    for (expression, expected) in [(Expression.all([]), true), (.any([]), false)] {
      #expect(expression.matches(record, in: TramFixture.context) == expected)
      for text in [expression.description, "\(Expression.not(expression))"] {
        let isNegated = text.hasPrefix("!")
        #expect(try keeps(text, record) == (expected != isNegated))
        #expect(try keeps(text, [:]) == (expected != isNegated))
      }
    }
  }
}
