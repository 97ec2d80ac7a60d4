import TestSupport
import Testing
import Values

struct TruthTableTests {
  @Test(arguments: TruthTable.rows)
  func `Each row of the specification's truth table holds`(query: String, names: String) throws {
    #expect(try TramFixture.matches(query) == names)
  }

  @Test(arguments: [#"title = = "x""#, #"title == "x"#, "", " \n\t "])
  func `The invalid row of the truth table is error -2002`(query: String) {
    #expect(throws: CairnError.self) { try TramFixture.matches(query) }
  }

  @Test(arguments: [
    (#""Paris""#, "Paris", true), (#""Paris""#, "I love Paris", false),
    (#""Paris""#, "paris", false), (#""Paris"c"#, "paris", true),
    (#""Paris"c"#, "I love Paris", false), (#""Paris"wc"#, "I love Paris", true),
    (#""Paris"wc"#, "paris-france.jpg", true), (#""Paris"wc"#, "Comparison", false),
    (#""Window"w"#, "MyWindowClass", true), (#""Window"w"#, "Broken Window", true),
    (#""Window"w"#, "NSWindow", false), (#""Frédéric"cd"#, "Frederic", true),
    (#""paris*""#, "parisol", true), (#""paris*""#, "comparison", false),
    (#""*paris*""#, "comparison", true),
  ]) func `Apple's published pairs hold`(pattern: String, value: String, expected: Bool) throws {
    #expect(try title(value, matches: pattern) == expected)
  }

  @Test(arguments: [
    ("a", true, true, true, false, true), ("a.b", false, true, true, false, false),
    ("ab", false, false, false, true, false),
  ]) func `A domain and everything below it is two comparisons`(
    domain: String, a: Bool, ab: Bool, abc: Bool, joined: Bool, dotless: Bool
  ) throws {
    let query = #"domainIdentifier == "\#(domain)" || domainIdentifier == "\#(domain).*""#
    let stored = [("a", a), ("a.b", ab), ("a.b.c", abc), ("ab", joined), ("a.bc", dotless)]
    for (value, expected) in stored {
      #expect(try keeps(query, ["domainIdentifier": .string(value)]) == expected)
    }
    #expect(try !keeps(query, [:]))
  }
}
