import Query
import TestSupport
import Testing
import Values

struct HostileInputTests {
  private static let seeds = [
    #"title == "Lisbon Tram 28"cdwt && !(pageCount > 12 || InRange(rating, -1.5e3, 2))"#,
    #"** == 'it\'s *?'cd || contentModificationDate >= $time.this_week(-2)"#,
    #"a = 1 && b != "x\"y\\" && c ==[cd] "é*が" && d < $time.iso(2024-05-15T10:30:00.5+02:00)"#,
  ]

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

  @Test(arguments: [UInt64(31), 32, 33, 34])
  func `Mutated queries parse to a tree that evaluates, or are errors with a place`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let record = TramFixture.items[0].record
    for round in 0..<4_000 {
      var bytes = Array(random.pick(Self.seeds).utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) { Self.mutate(&bytes, &random) }
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        let expression = try QueryParser.parse(text)
        _ = expression.matches(record, in: TramFixture.context)
      } catch {
        #expect(
          (0...text.utf8.count).contains(error.offset ?? -1), "seed \(seed), round \(round)")
      }
    }
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let tokens = [
      "(", ")", "\"", "'", "\\", "*", "?", "&&", "||", "!", "==", "$time.", "[c]", "\0", "-", "9",
      "é",
    ]
    let index = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where index < bytes.count: bytes[index] = UInt8.random(in: 0...255, using: &random)
    case 1 where index < bytes.count: bytes.remove(at: index)
    case 2: bytes.insert(contentsOf: random.pick(tokens).utf8, at: index)
    case 3:
      let end = min(bytes.count, index + Int.random(in: 0...20, using: &random))
      bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
    default: bytes.removeSubrange(index..<min(bytes.count, index + 5))
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
