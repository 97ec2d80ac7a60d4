import Testing
import Values

struct TruthTableTests {
  @Test(arguments: [
    (#"title == "Lisbon Tram 28""#, "i1"), (#"title == "Tram""#, ""),
    (#"title == "Tram"w"#, "i1 i2"), (#"title == "tram"w"#, ""), (#"title == "tram"wc"#, "i1 i2"),
    (#"title == "tram*"c"#, "i3"), (#"title == "tram*"cw"#, "i1 i2 i3"),
    (#"title == "*Planner""#, "i2"), (#"title == "*ram*""#, "i1 i2 i3 i4"),
    (#"authorNames == "Zoe Bar"c"#, ""), (#"authorNames == "Zoe Bar"cd"#, "i1"),
    (#"keywords == "portugal""#, "i1"), (#"InRange(pageCount, 5, 12)"#, "i1 i3"),
    (#"pageCount > 12 && !(title == "*park")"#, "i2"),
    (#"title == "Tram"w || pageCount <= 5"#, "i1 i2 i3 i4"),
    (#"title == "NSTram" || title == "MyTramPlanner" && pageCount > 100"#, "i4"),
    (#"(title == "NSTram" || title == "MyTramPlanner") && pageCount > 100"#, ""),
    (#"** == "uphill"cdw"#, "i1"), (#"* == "uphill"cdw"#, ""), (#"** == "tram yellow"cdwt"#, "i1"),
    (#"** == "tram yellow"cdw"#, ""), (#"contentModificationDate == $time.today"#, "i1"),
    (#"contentModificationDate >= $time.yesterday"#, "i1 i2"),
    (#"InRange(contentModificationDate, $time.today(-20), $time.today)"#, "i1 i2 i3"),
    (#"contentModificationDate < $time.this_year"#, "i4"),
    (#"contentModificationDate >= 737424000"#, "i1"), (#"pageCount == 12"#, "i1"),
    (#"title == "Lisbon*" && keywords != "sport""#, "i1"), (#"authorNames == *"#, "i1"),
  ]) func `Each row of the specification's truth table holds`(query: String, names: String) throws {
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
