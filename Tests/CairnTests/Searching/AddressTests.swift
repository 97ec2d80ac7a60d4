import Cairn
import Testing

/// Addresses that are pasted into a search.
@Suite struct AddressTests {
  @Test(arguments: [
    ("https://github.com/apple/swift", ["swift"]),
    ("https://github.com/apple", ["swift"]),
    ("https://me:pw@github.com:443/apple/swift?tab=readme#top", []),
    ("https://me@github.com:443/apple/swift", ["swift"]),
    ("https://www.bahn.de", ["bahn"]),
    ("https://www.bahn.de/", ["bahn"]),
    ("de.wikipedia.org/wiki/M%C3%BCnchen", ["wiki"]),
    ("https://de.wikipedia.org/wiki/M%C3%BCnchen", ["wiki"]),
    ("\"https://github.com/apple/swift\"", ["swift"]),
    ("timetable https://www.bahn.de", ["bahn"]),
    ("100% https", []), ("%zz", []), ("://", []),
  ]) func `an address finds the page by its host and path`(text: String, expected: [String])
    async throws
  {
    try await withStore { store in
      let pages = [
        ("swift", "Swift", "github.com/apple/swift"), ("bahn", "Timetable", "www.bahn.de/"),
        ("wiki", "City", "de.wikipedia.org/wiki/München"),
      ]
      try await store.append(
        pages.map {
          index($0.0, title: $0.1, ["alternateNames": .array([.string($0.2)])])
        })
      #expect(try store.at().search(text).map(\.item) == expected)
    }
  }

  @Test(arguments: [
    "\"see https://example.org/a?q=50%25\"", "“https://example.org/a?q=50%25 now”",
    "\"now https://example.org", "see \"https://example.org/a\"", "see https://example.org/a",
  ]) func `an address within a phrase is looked for as it was written`(text: String) async throws {
    try await withStore { store in
      try await store.append([
        index("note", title: "see https://example.org/a?q=50%25 now https://example.org"),
        index("other", title: "now see elsewhere"),
      ])
      #expect(try store.at().search(text).map(\.item) == ["note"])
    }
  }

  @Test func `nor is one of words that are a phrase together changed`() async throws {
    try await withStore { store in
      try await store.append([index("note", title: "see https://example.org/a now")])
      for (text, expected) in [
        ("see https://example.org/a", ["note"]), ("https://example.org/a", ["note"]),
        ("see example.org/a", []),
      ] {
        var request = SearchRequest(text)
        request.mode = .phrase
        #expect(try store.at().search(request).map(\.item) == expected, "\(text)")
      }
    }
  }
}
