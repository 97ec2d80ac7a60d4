import TestSupport
import Testing
import Text

struct TypoAutomatonTests {
  /// Optimal string alignment by the textbook, over code points.
  private func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var table = (0...left.count).map { row in
      (0...right.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 }
    }
    for row in 0..<left.count {
      for column in 0..<right.count {
        var best = table[row][column] + (left[row] == right[column] ? 0 : 1)
        best = min(best, table[row][column + 1] + 1, table[row + 1][column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, table[row - 1][column - 1] + 1)
        }
        table[row + 1][column + 1] = best
      }
    }
    return table[left.count][right.count]
  }

  private func best(_ pattern: String, _ word: String, prefix: Bool) -> Int {
    let left = Array(pattern.unicodeScalars)
    let right = Array(word.unicodeScalars)
    guard prefix else { return distance(left, right) }
    return (0...right.count).map { distance(left, Array(right.prefix($0))) }.min() ?? left.count
  }

  @Test(
    "one edit is a letter more, less or other, or two neighbours exchanged",
    arguments: [
      ("transport", "transport", 0), ("transport", "trnasport", 1), ("transport", "tansport", 1),
      ("transport", "ttransport", 1), ("transport", "transpart", 1), ("ab", "ba", 1),
      ("ca", "abc", 3), ("", "ab", 2), ("día", "dia", 1), ("東京", "京東", 1), ("abc", "", 3),
    ]) func edits(pattern: String, word: String, edits: Int)
  {
    var typo = TypoAutomaton(pattern: Array(pattern.utf8), maxEdits: 3, prefix: false)
    #expect(typo.match(Array(word.utf8)) == .within(edits: edits))
    #expect(distance(Array(pattern.unicodeScalars), Array(word.unicodeScalars)) == edits)
  }

  @Test(arguments: [false, true], [0, 1, 2])
  func `a walk down a sorted dictionary finds what comparing with every word finds`(
    prefix: Bool, maxEdits: Int
  ) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let letters = Array("abcdé東".unicodeScalars)
    var words = Set<String>()
    while words.count < 1_500 {
      var word = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...7, using: &random) {
        word.append(letters[Int.random(in: 0..<letters.count, using: &random)])
      }
      words.insert(String(word))
    }
    let dictionary = words.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    for pattern in ["abcd", "é東ab", "d", "dcbabcd", ""] {
      var typo = TypoAutomaton(pattern: Array(pattern.utf8), maxEdits: maxEdits, prefix: prefix)
      var found: [[UInt8]: Int] = [:]
      var index = 0
      while index < dictionary.count {
        switch typo.match(dictionary[index]) {
        case .within(let edits): found[dictionary[index]] = edits
        case .outside: break
        case .dead(let byteCount):
          let dead = dictionary[index].prefix(byteCount)
          while index + 1 < dictionary.count, dictionary[index + 1].starts(with: dead) {
            index += 1
          }
        }
        index += 1
      }
      let wanted = dictionary.reduce(into: [[UInt8]: Int]()) { result, word in
        let edits = best(pattern, String(decoding: word, as: UTF8.self), prefix: prefix)
        if edits <= maxEdits { result[word] = edits }
      }
      #expect(found == wanted, "seed \(seed), \(pattern)")
    }
  }

  @Test func `stepping back gives the state from before`() {
    var typo = TypoAutomaton(pattern: Array("kitten".utf8), maxEdits: 2, prefix: false)
    for scalar in "kit".unicodeScalars { typo.step(scalar.value) }
    #expect(typo.isAlive && typo.edits == nil)
    for scalar in "xyzxyz".unicodeScalars { typo.step(scalar.value) }
    #expect(!typo.isAlive)
    typo.rewind(to: 3)
    for scalar in "tens".unicodeScalars { typo.step(scalar.value) }
    #expect(typo.edits == 1)
  }

  @Test func `patterns and words longer than any limit do not trap`() {
    let long = [UInt8](repeating: 0x61, count: 3_000)
    var typo = TypoAutomaton(pattern: long, maxEdits: 200, prefix: false)
    _ = typo.match(long)
    #expect(typo.match([0xFF, 0xFE]) == .outside || typo.depth > 0)
  }
}
