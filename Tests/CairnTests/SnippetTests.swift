import Cairn
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
}
