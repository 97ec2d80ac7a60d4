import Cairn
import Testing

/// Endings looked through, words offered, words shown.
struct FamilyTests {
  private func items(
    _ text: String, _ moment: Moment, _ language: SearchLanguage? = nil,
    mode: SearchRequest.Mode = .all, isExact: Bool = false
  ) throws -> [String] {
    var request = SearchRequest(text)
    request.language = language
    request.mode = mode
    request.isExact = isExact
    return try moment.search(request).map(\.item)
  }

  @Test(arguments: [
    ("en", "happiness ", "happy", "hippo"), ("en", "hoping ", "hope", "hopper"),
    ("de", "Häuser ", "Haus", "Hausse"), ("fr", "chevaux ", "cheval", "cher"),
    ("es", "naciones ", "nación", "nacer"), ("ru", "книгами ", "книга", "книжка"),
  ]) func `a word finds its family where endings are looked through, and only there`(
    code: String, query: String, relative: String, stranger: String
  ) async throws {
    try await withStore { store in
      try await store.append([index("1", title: relative), index("2", title: stranger)])
      let language = try #require(SearchLanguage(code))
      let moment = try store.at()
      #expect(try items(query, moment, language) == ["1"])
      #expect(try items(query, moment, isExact: true) == [])
      #expect(try items(query, moment, language, isExact: true) == [])
      #expect(try items(query, moment, language, mode: .phrase) == [])
    }
  }

  @Test func `where few items have a word, its family comes in, in the language of the texts`()
    async throws
  {
    try await withStore { store in
      try await store.append([
        index("1", title: "der Ball und das Haus"), index("2", title: "der Hausse und nicht das"),
        index("3", title: "the happy sailor and the sea"),
        index("4", title: "the hippo of the river and its mud"),
        index("5", title: "of the tide with the moon"),
      ])
      let now = try store.at()
      #expect(try items("happiness ", now) == ["3"])
      #expect(try items("Häuser ", now) == [])
      #expect(try items("happiness ", now, isExact: true) == [])
      #expect(try items("happiness ", now, mode: .phrase) == [])
      var request = SearchRequest("happiness ")
      request.findsLanguage = false
      #expect(try now.search(request).isEmpty)
      (request.findsLanguage, request.limit) = (true, 1)
      #expect(try now.search(request).map(\.item) == ["3"])
      // The past has the language of then.
      #expect(try items("Häuser ", try store.at(.sequence(2))) == ["1"])
      try await store.append((0..<5).map { index("h\($0)", title: "happiness \($0)") })
      #expect(try items("happiness ", try store.at()).count == 5)
      #expect(try items("Häuser ", try store.at(.sequence(2))) == ["1"])
    }
  }

  @Test func `the word itself comes before its family, and a past point has that of then`()
    async throws
  {
    try await withStore { store in
      try await store.append([
        index("1", title: "connections of pipes"), index("2", title: "connected pipes here"),
        index("3", title: "connection of pipes"),
      ])
      let english = try #require(SearchLanguage("en"))
      let now = try items("connection ", try store.at(), english)
      #expect(now.first == "3")
      #expect(now.sorted() == ["1", "2", "3"])
      let then = try items("connection ", try store.at(.sequence(2)), english)
      #expect(then.sorted() == ["1", "2"])
    }
  }

  @Test func `a rare word has the frequent one beside it offered, as of each point`() async throws {
    try await withStore { store in
      let others = (0..<12).map { index("b\($0)", title: "transport \($0)") }
      try await store.append([index("a", title: "trnasport")] + others)
      let request = SearchRequest("trnasport plan")
      #expect(try store.at().correction(of: request) == "transport plan")
      #expect(try store.at(.sequence(5)).correction(of: request) == nil)
      #expect(try store.at().correction(of: SearchRequest("transport")) == nil)
      #expect(try store.at().correction(of: SearchRequest("")) == nil)
    }
  }

  @Test func `the words found are marked in the snippet`() async throws {
    try await withStore { store in
      let text = "Ünder the bridges, 東京都庁 and a bridge of bridging planks"
      try await store.append([index("a", title: "x", ["textContent": .string(text)])])
      func marked(_ query: String, _ code: String?) throws -> [String] {
        var request = SearchRequest(query)
        request.language = code.flatMap { SearchLanguage($0) }
        let hit = try #require(try store.at().search(request).first)
        let scalars = Array((hit.snippet ?? "").unicodeScalars)
        return hit.highlights.map { range in
          var piece = String.UnicodeScalarView()
          piece.append(contentsOf: scalars[range])
          return String(piece)
        }
      }
      #expect(try marked("bridge ", nil) == ["bridge"])
      #expect(try marked("bridge", nil) == ["bridges", "bridge"])
      #expect(try marked("bridge ", "en") == ["bridges", "bridge", "bridging"])
      #expect(try marked("東京都", nil) == ["東京都"])
      #expect(try marked("under", nil) == ["Ünder"])
    }
  }
}
