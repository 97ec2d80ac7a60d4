import TestSupport
import Testing
import Text

/// The files of Unicode 15 against what the analyzer makes of their characters.
@Suite(.enabled(if: SharedData.has("bad-input/unicode-15.0"))) struct UnicodeDataTests {
  private let analyzer = Analyzer()

  private func string(_ field: Substring) -> String {
    var view = String.UnicodeScalarView()
    for part in field.split(separator: " ") {
      if let value = UInt32(part, radix: 16), let scalar = Unicode.Scalar(value) {
        view.append(scalar)
      }
    }
    return String(view)
  }

  @Test func `a word never reaches over a word boundary of UAX 29`() throws {
    var buffer = TokenBuffer()
    var lines = 0
    for line in try SharedData.lines("bad-input/unicode-15.0/WordBreakTest.txt") {
      let test = line.prefix { $0 != "#" }
      guard test.contains("÷") else { continue }
      lines += 1
      var text: [UInt8] = []
      var boundaries = Set<Int>()
      for part in test.split(whereSeparator: \.isWhitespace) {
        if part == "÷" { boundaries.insert(text.count) }
        if let value = UInt32(part, radix: 16), let scalar = Unicode.Scalar(value) {
          text += Array(String(Character(scalar)).utf8)
        }
      }
      analyzer.analyze(text, into: &buffer)
      for token in buffer.tokens where token.space == .word {
        let inside = token.sourceRange.dropFirst().filter { boundaries.contains($0) }
        #expect(inside.isEmpty, "\(line)")
      }
    }
    #expect(lines > 1_800)
  }

  @Test func `every case pair of Unicode folds to one form`() throws {
    var buffer = TokenBuffer()
    var pairs = 0
    for line in try SharedData.lines("bad-input/unicode-15.0/CaseFolding.txt") {
      let fields = line.split(separator: ";").map { $0.drop { $0 == " " } }
      guard fields.count >= 3, fields[1] == "C" || fields[1] == "F" else { continue }
      pairs += 1
      let from = analyzer.fold(Array(string(fields[0]).utf8), using: &buffer)
      let to = analyzer.fold(Array(string(fields[2]).utf8), using: &buffer)
      #expect(from == to, "\(line)")
    }
    #expect(pairs > 1_400)
  }

  @Test func `all normal forms of a text fold to the same words`() throws {
    var buffer = TokenBuffer()
    var lines = 0
    for line in try SharedData.lines("bad-input/unicode-15.0/NormalizationTest.txt.zst") {
      let fields = line.split(separator: ";", maxSplits: 5).prefix(5)
      guard fields.count == 5, !line.hasPrefix("#") else { continue }
      lines += 1
      let forms = fields.map { analyzer.fold(Array(string($0).utf8), using: &buffer) }
      #expect(forms[0] == forms[1] && forms[1] == forms[2], "\(line)")
      #expect(forms[3] == forms[4], "\(line)")
    }
    #expect(lines > 18_000)
  }
}
