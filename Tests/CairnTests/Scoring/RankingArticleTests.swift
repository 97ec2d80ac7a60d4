import Foundation
import Ranking
import TestSupport
import Testing

/// Holds the article about ranking against the code it describes.
@Suite("The article about ranking") struct RankingArticleTests {
  private static let article = Checkout.root.appending(path: "Sources/Cairn/Cairn.docc/Ranking.md")

  @Test func `prints the tables that the code gives`() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let printed = try Self.printed(text)
    if printed != text, ProcessInfo.processInfo.environment["CAIRN_WRITE_ARTICLES"] != nil {
      try printed.write(to: Self.article, atomically: true, encoding: .utf8)
      return
    }
    let (old, new) = (text.split(separator: "\n"), printed.split(separator: "\n"))
    let isSame = printed == text
    let difference = zip(old, new).first { $0 != $1 }.map { "\($0) is now \($1)" } ?? "its length"
    #expect(isSame, "run with CAIRN_WRITE_ARTICLES=1; first difference: \(difference)")
  }

  @Test func `names every constant`() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    for type in ["FoldConstants", "ScoreConstants"] {
      let names = try #require(Self.values[type]).keys
      #expect(names.filter { !text.contains("| `\($0)` |") }.isEmpty)
    }
  }

  @Test func `a search and a fold read the constants that are printed`() {
    #expect(UseWeight.view(deliberate: true, dwellSeconds: nil) == 2)
    #expect(UseWeight.incidental == 0.1)
    #expect(Frecency.halfLives == [3_600, 21_600, 129_600, 777_600, 4_665_600, 27_993_600])
    #expect(TierScore(guardsMisspelt: true).all == [-10, 2, 4, 6, 48])
    #expect(TierScore(guardsMisspelt: false).all == [0, 2, 4, 6, 48])
  }

  /// Values by type and name.
  private static let values: [String: [String: String]] = [
    "FoldConstants": values(FoldConstants.current),
    "ScoreConstants": values(ScoreConstants.current),
  ]

  private static func values(_ constants: Any) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: Mirror(reflecting: constants).children.map {
        ($0.label ?? "", "\($0.value)")
      })
  }

  /// The article with each table between its marks printed anew.
  private static func printed(_ text: String) throws -> String {
    var lines: [String] = []
    var isInTable = false
    for line in text.components(separatedBy: "\n") {
      if line == "<!-- end -->" { isInTable = false }
      if !isInTable { lines.append(line) }
      guard line.hasPrefix("<!-- table: ") else { continue }
      let words = line.split(separator: " ")
      isInTable = true
      lines += try table(of: String(words[3]), in: String(words[2]))
    }
    return lines.joined(separator: "\n")
  }

  /// The properties of a type, what they are worth, and what their comments say.
  private static func table(of type: String, in path: String) throws -> [String] {
    let source = try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
    let values = values[type]
    var rows =
      values == nil
      ? ["| Property | What it is |", "|---|---|"]
      : ["| Constant | Value | What it is |", "|---|--:|---|"]
    var comment: [Substring] = []
    var isInside = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains("struct \(type):") { isInside = true }
      if line == "}" { isInside = false }
      guard isInside else { continue }
      let code = line.drop { $0 == " " }
      if code.hasPrefix("///") {
        comment.append(code.dropFirst(3).drop { $0 == " " })
        continue
      }
      defer { comment = [] }
      guard line.prefix(while: { $0 == " " }).count == 2, let name = property(code) else {
        continue
      }
      let summary = comment.prefix { !$0.isEmpty }.joined(separator: " ")
      guard let values else {
        rows.append("| `\(name)` | \(summary) |")
        continue
      }
      rows.append("| `\(name)` | \(try #require(values[name])) | \(summary) |")
    }
    return rows
  }

  /// The name of a stored property.
  private static func property(_ code: Substring) -> String? {
    guard let start = code.firstRange(of: "var "), !code.contains("static") else { return nil }
    return String(code[start.upperBound...].prefix { $0.isLetter || $0.isNumber })
  }
}
