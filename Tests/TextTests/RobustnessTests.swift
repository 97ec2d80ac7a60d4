import TestSupport
import Testing
import Text

struct RobustnessTests {
  private static let alphabets: [ClosedRange<UInt32>] = [
    0x00...0x7F, 0x30...0x7A, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x590...0x6FF,
    0x900...0x97F, 0xE00...0xEFF, 0x1000...0x11FF, 0x1780...0x17FF, 0x1E00...0x20FF,
    0x2190...0x27BF, 0x2E80...0x30FF, 0x3130...0x33FF, 0x4E00...0x4FFF, 0xAC00...0xAD00,
    0xF900...0xFFFF, 0x1D400...0x1D7FF, 0x1F1E6...0x1F9FF, 0xE0000...0xE01EF, 0...0x10FFFF,
  ]

  private static func text(_ random: inout SeededGenerator, scalars: Int) -> [UInt8] {
    var view = String.UnicodeScalarView()
    var alphabet = alphabets[0]
    for _ in 0..<scalars {
      if Int.random(in: 0..<4, using: &random) == 0 {
        alphabet = alphabets[Int.random(in: 0..<alphabets.count, using: &random)]
      }
      if let scalar = Unicode.Scalar(UInt32.random(in: alphabet, using: &random)) {
        view.append(scalar)
      }
    }
    return Array(String(view).utf8)
  }

  @Test func `no bytes make the analyzer trap, and every token lies in its text`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let analyzer = Analyzer()
    var buffer = TokenBuffer()
    for round in 0..<3_000 {
      var text = Self.text(&random, scalars: Int.random(in: 0...40, using: &random))
      if round % 3 == 0 {
        for _ in 0..<Int.random(in: 0...6, using: &random) where !text.isEmpty {
          text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
      }
      analyzer.analyze(text, into: &buffer)
      var last: UInt32 = 0
      for token in buffer.tokens {
        #expect(!token.byteRange.isEmpty && token.byteCount <= TextLimits.termByteCount)
        #expect(!token.sourceRange.isEmpty && token.sourceRange.upperBound <= text.count)
        #expect(token.position >= last && token.position <= buffer.positionCount, "seed \(seed)")
        last = token.position
      }
      _ = analyzer.analyzeQuery(String(decoding: text, as: UTF8.self), using: &buffer)
    }
  }

  @Test func `folding what is folded changes nothing`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var buffer = TokenBuffer()
    for _ in 0..<6_000 {
      let text = Self.text(&random, scalars: Int.random(in: 0...12, using: &random))
      let once = Analyzer().fold(text, using: &buffer)
      let twice = Analyzer().fold(once, using: &buffer)
      #expect(once == twice, "seed \(seed): \(text)")
    }
  }

  @Test func `the source of a word gives the word again`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let analyzer = Analyzer()
    var buffer = TokenBuffer()
    var again = TokenBuffer()
    for _ in 0..<3_000 {
      let text = Self.text(&random, scalars: Int.random(in: 0...30, using: &random))
      analyzer.analyze(text, into: &buffer)
      for token in buffer.tokens where token.space == .word && !token.traits.contains(.dictionary) {
        analyzer.analyze(Array(text[token.sourceRange]), into: &again)
        let first = again.tokens.first.map { again.term($0) }
        #expect(first == buffer.term(token), "seed \(seed)")
      }
    }
  }

  @Test func `texts with a space between are cut as each alone`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let analyzer = Analyzer()
    var buffer = TokenBuffer()
    for _ in 0..<1_000 {
      let texts = (0..<2).map { _ in Self.text(&random, scalars: 10) }
      let alone = texts.map { text in
        analyzer.analyze(text, into: &buffer)
        return buffer.tokens.map { buffer.term($0) }
      }
      analyzer.analyze(texts[0] + [0x20] + texts[1], into: &buffer)
      #expect(buffer.tokens.map { buffer.term($0) } == alone[0] + alone[1], "seed \(seed)")
    }
  }

  @Test(.enabled(if: SharedData.has("bad-input/blns")))
  func `naughty strings are analyzed and asked for`() throws {
    for line in try SharedData.lines("bad-input/blns/blns.txt") {
      let query = Analyzer().analyzeQuery(line)
      var buffer = TokenBuffer()
      Analyzer().analyze(Array(line.utf8), into: &buffer)
      #expect(query.isEmpty == buffer.tokens.isEmpty, "\(line)")
    }
  }

  @Test(
    "a letter under thousands of marks takes no longer than as much text", .timeLimit(.minutes(5)),
    arguments: ["か\u{3099}", "क\u{93C}", "a\u{301}", "ก\u{E48}", "ᄀ\u{1161}", "=\u{338}"])
  func marks(letter: String) {
    let scalars = Array(letter.unicodeScalars)
    let text =
      Array(String(scalars[0]).utf8)
      + Array(repeatElement(Array(String(scalars[1]).utf8), count: 50_000).joined())
    var buffer = TokenBuffer()
    Analyzer().analyze(text, into: &buffer)
    for token in buffer.tokens { #expect(token.sourceRange.upperBound <= text.count) }
    let once = Analyzer().fold(text, using: &buffer)
    #expect(Analyzer().fold(once, using: &buffer) == once)
  }

  @Test func `overlong words keep their beginning and stay apart`() {
    let word = String(repeating: "añ", count: 400)
    var buffer = TokenBuffer()
    Analyzer().analyze(Array("\(word) \(word)x \(word.uppercased())".utf8), into: &buffer)
    let terms = buffer.tokens.map { buffer.term($0) }
    #expect(terms.count == 3)
    #expect(terms[0].count <= TextLimits.termByteCount && terms[0].starts(with: Array("anan".utf8)))
    #expect(terms[0] == terms[2] && terms[0] != terms[1])
    #expect(buffer.tokens[1].sourceRange.count == word.utf8.count + 1)
  }
}
