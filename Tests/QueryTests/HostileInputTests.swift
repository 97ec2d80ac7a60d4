import Query
import Testing
import Values

struct HostileInputTests {
  @Test(arguments: ["(", "!(", "((!", "!", "a == 1 && (", "InRange(", "a == \"", "a == 1 || "])
  func `Endless openings are an error and never a trap`(opening: String) {
    for count in [1, 127, 128, 129, 1_000, 20_000, 200_000] {
      let text = String(repeating: opening, count: count)
      #expect(throws: CairnError.self) { try QueryParser.parse(text) }
      // Closed or not, what can be read is read.
      _ = try? QueryParser.parse(text + "a == 1")
      _ = try? QueryParser.parse(text + "a == 1" + String(repeating: ")", count: count))
    }
  }

  @Test(.timeLimit(.minutes(5))) func `Values up to a megabyte take no more than linear time`()
    throws
  {
    let cases = [
      (String(repeating: "a", count: 1 << 20), "*" + String(repeating: "a", count: 20_000) + "b*"),
      (String(repeating: "ab", count: 1 << 16), String(repeating: "a*", count: 5_000) + "c"),
      (String(repeating: "a\0", count: 1 << 16), "*?b"),
      (String(repeating: "e\u{301}", count: 1 << 14), "*\u{301}\u{308}*"),
      (String(repeating: "\u{301}\u{323}", count: 1 << 15), "*\u{323}\u{301}b*"),
      (String(repeating: "京", count: 1 << 15), "京都"),
    ]
    for (value, pattern) in cases {
      // The longest only once: unoptimised code takes seconds for it.
      for modifiers in value.utf8.count < 1 << 20 ? ["", "w"] : ["w"] {
        #expect(try !keeps("title == \"\(pattern)\"\(modifiers)", ["title": .string(value)]))
      }
    }
  }

  @Test func `A full query of terms evaluates`() throws {
    let terms = (0..<1_024).map { "title != \"x\($0)\"" }.joined(separator: " && ")
    #expect(try keeps(terms, ["title": .string("y")]))
    #expect(try !keeps(terms, ["title": .string("x1023")]))
  }

  @Test func `A character of thousands of marks is put in order`() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 2_000)
    let ordered =
      String(repeating: "\u{323}", count: 2_000) + String(repeating: "\u{301}", count: 2_000)
    #expect(try title("a" + marks, matches: "\"a\(ordered)\""))
    #expect(try title("a" + marks, matches: "\"a\"d"))
  }
}
