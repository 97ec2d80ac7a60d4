import TestSupport
import Text

@testable import TextIndex

/// Small random texts and queries in which everything meets everything.
struct RandomText {
  var random: SeededGenerator
  /// Weights that fields are given.
  var weights: [Float] = []

  /// Some that make little of a field, and much; and 1.
  static let someWeights: [Float] = [1, 1, 0.01, 0.3, 2, 7.25, 100, 1e-6, .leastNormalMagnitude]

  private static let words = [
    "a", "an", "the", "cat", "cart", "carts", "card", "car", "scan", "transport", "transports",
    "transposed", "trnasport", "isolation", "isolated", "kernel", "kernels", "kern", "file",
    "files", "filed", "system", "systems", "permission", "node.js", "fooBar", "foo", "bar",
    "iPhone15Pro", "HTTPServer", "server", "x86", "naïve", "naive", "Straße", "strasse", "Łódź",
    "lodz", "東京",
    "東京都庁", "京都", "測試工具箱", "工具", "京", "한국어", "ภาษาไทย", "🙂", "42", "2024",
  ]

  mutating func word() -> String {
    // A skewed choice: some words are everywhere, some nowhere.
    let count = Self.words.count
    let bound = Int.random(in: 1...count, using: &random)
    return Self.words[Int.random(in: 0..<bound, using: &random)]
  }

  mutating func text(_ most: Int) -> String {
    let count = Int.random(in: 0...most, using: &random)
    return (0..<count).map { _ in word() }.joined(
      separator: Bool.random(using: &random) ? " " : ", ")
  }

  mutating func fields() -> Fixture.Fields {
    var fields: Fixture.Fields = []
    if Int.random(in: 0..<10, using: &random) > 0 { fields.append((.title, text(4))) }
    if Int.random(in: 0..<6, using: &random) == 0 { fields.append((.title, text(3))) }
    for _ in 0..<Int.random(in: 0..<3, using: &random) { fields.append((.keywords, text(2))) }
    if Bool.random(using: &random) { fields.append((.description, text(8))) }
    if Bool.random(using: &random) { fields.append((.text, text(30))) }
    if Int.random(in: 0..<40, using: &random) == 0 {
      // So often the same words that their positions find no room beside the postings.
      let some = [word(), word(), word()]
      let words = (0..<1_000).map { _ in some[Int.random(in: 0..<3, using: &random)] }
      fields.append((.text, words.joined(separator: " ")))
    }
    guard !weights.isEmpty else { return fields }
    return fields.map { kind, text in
      (kind, Fixture.weighted(text, weights[Int.random(in: weights.indices, using: &random)]))
    }
  }

  mutating func events(_ count: Int, items: UInt32) -> [(item: UInt32, fields: Fixture.Fields?)] {
    (0..<count).map { _ in
      let item = UInt32.random(in: 0..<items, using: &random)
      return (item, Int.random(in: 0..<7, using: &random) == 0 ? nil : fields())
    }
  }

  mutating func query() -> String {
    var parts: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var word = word()
      switch Int.random(in: 0..<8, using: &random) {
      case 0: word = String(word.prefix(Int.random(in: 1...max(1, word.count), using: &random)))
      case 1: word = misspelt(word)
      case 2: word = "\"\(word) \(self.word())\""
      default: break
      }
      parts.append(word)
    }
    return parts.joined(separator: " ") + (Int.random(in: 0..<5, using: &random) == 0 ? " " : "")
  }

  private mutating func misspelt(_ word: String) -> String {
    var letters = Array(word)
    guard letters.count > 2 else { return word }
    let at = Int.random(in: 1..<letters.count, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: letters.remove(at: at)
    case 1: letters.insert("q", at: at)
    default: letters.swapAt(at, at - 1)
    }
    return String(letters)
  }

  mutating func request(head: UInt64) -> TextIndex.Request {
    var request = TextIndex.Request(query: Analyzer().analyzeQuery(query()))
    request.mode = [.all, .all, .any, .any, .phrase][Int.random(in: 0..<5, using: &random)]
    request.exact = Int.random(in: 0..<4, using: &random) == 0
    request.typoTolerant = !request.exact && Int.random(in: 0..<4, using: &random) > 0
    request.prefixLast = !request.exact && Bool.random(using: &random)
    let languages: [[StemLanguage]] = [[], [.english], [.german], [.english, .german]]
    request.stemmer = languages[Int.random(in: 0..<4, using: &random)].reduce(nil) {
      Stemmer($1, besides: $0)
    }
    request.limit = [1, 3, 10, 50, nil][Int.random(in: 0..<5, using: &random)]
    if Int.random(in: 0..<3, using: &random) == 0 {
      request.asOf = UInt64.random(in: 0...head + 1, using: &random)
    }
    return request
  }
}
