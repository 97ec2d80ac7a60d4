import Cairn
import TestSupport
import Testing

/// The piece of a text that a hit shows.
@Suite struct SnippetTests {
  private func snippet(_ text: String, _ query: String) async throws -> String {
    try await withStore { store in
      try await store.append([index("a", title: "t", ["textContent": .string(text)])])
      return try #require(try store.at().search(query).first?.snippet)
    }
  }

  @Test func `a text that goes on where looking ends is cut between characters, and says so`()
    async throws
  {
    let filler = String(repeating: "x", count: 65_524)
    let found = try await snippet(filler + " needle 好好好 more words follow", "needle")
    #expect(found == "… needle 好 …")
  }

  @Test func `a text that is shown whole has no ellipsis`() async throws {
    #expect(try await snippet("a needle 好好好", "needle") == "a needle 好好好")
  }

  private static let filler = String(repeating: "and so on ", count: 30)

  @Test(arguments: [
    ("\"red fox\"", "a red dress", "the red fox ran"),
    ("red fox", "a red dress", "a fox that is red"),
    ("\"red fox\"", "a fox in red", "the red fox ran"), ("red", "a red dress", "the red fox ran"),
    ("\"红狐狸\"", "红色", "看见红狐狸了"),
  ]) func `the piece with a phrase, else with most words, is shown`(
    query: String, first: String, second: String
  ) async throws {
    let found = try await snippet(first + ". " + Self.filler + second, query)
    let isFirst = query == "red"
    #expect(found.contains(isFirst ? first : second))
    #expect(!found.contains(isFirst ? second : first))
  }

  @Test func `one word is found wherever it stands in a long text`() async throws {
    let units = ["and so on ", "é̂tude ", "好好好", "ไทยดี ", "🇩🇪 ", "x", "word\n"]
    var random = SeededGenerator(seed: 3)
    let events = (0..<60).map { number in
      let before = (0..<Int.random(in: 0...120, using: &random)).map { _ in
        units.randomElement(using: &random) ?? ""
      }
      let text = before.joined() + " Needle one. " + Self.filler + "needle two."
      return index("i\(number)", title: "t", ["textContent": .string(text)])
    }
    try await withStore { store in
      try await store.append(events)
      let found = try store.at().search("needle", limit: nil)
      #expect(found.count == 60)
      #expect(found.allSatisfy { $0.snippet?.contains("Needle one.") ?? false })
    }
  }

  @Test func `a word longer than a piece is shown where it begins`() async throws {
    let long = String(repeating: "x", count: 200)
    let found = try await snippet("\(long) \(Self.filler) x \(long)", String(long.prefix(180)))
    #expect(found.hasPrefix("xxx"))
  }
}
