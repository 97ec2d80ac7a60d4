import Cairn
import Testing

/// What a filter sees of an item beyond the attributes written under their own names.
@Suite struct FilterTests {
  @Test func `a filter sees the domain, whether items are listed or searched`() async throws {
    try await withStore { store in
      try await store.append([
        index("1", title: "tram", domain: "a.b"), index("2", title: "tram", domain: "ab"),
        index("3", title: "tram"),
      ])
      let filter = #"domainIdentifier == "a" || domainIdentifier == "a.*""#
      #expect(try store.at().items(filter: filter).map(\.id) == ["1"])
      var request = SearchRequest("tram")
      request.filter = filter
      #expect(try store.at().search(request).map(\.item) == ["1"])
      request.filter = "domainIdentifier != *"
      #expect(try store.at().search(request).map(\.item) == ["3"])
    }
  }

  @Test func `a search finds what was used or changed in a span, however old it is`() async throws {
    try await withStore { store in
      try await store.append([
        index("old", title: "tram", domain: "a", at: 1_000),
        index("new", title: "tram", domain: "b", at: 5_000), view("old", at: 3_000),
        view("seen", at: 3_500), index("seen", title: "tram", domain: "b", at: 3_500),
        Event(kind: .impression, item: "new", time: Timestamp(seconds: 3_000)),
      ])
      func found(_ span: ClosedRange<Int64>, at sequence: UInt64 = 6) throws -> [String] {
        var request = SearchRequest("tram")
        request.within = Timestamp(seconds: span.lowerBound)...Timestamp(seconds: span.upperBound)
        return try store.at(.sequence(sequence)).search(request).map(\.item).sorted()
      }
      #expect(try found(2_000...4_000) == ["old", "seen"])
      #expect(try found(3_000...3_000) == ["old"])
      #expect(try found(0...1_000) == ["old"])
      #expect(try found(4_000...9_000) == ["new"])
      #expect(try found(3_001...3_499) == [])
      #expect(try found(2_000...4_000, at: 2) == [])
    }
  }

  @Test func `a span finds an item by what happened to its parts, few or many`() async throws {
    try await withStore { store in
      let page = Event(
        kind: .index, item: "page", time: Timestamp(seconds: 1_000), source: "web",
        attributes: ["title": "page", "contentDescription": "tram"],
        extras: ["items": .array([.string("a"), .string("b")])])
      let items = ["a", "b"].map { index($0, title: $0, at: 1_000) }
      let others = (0..<98).map { index("other \($0)", title: "quay", at: 1_000) }
      let later = (0..<50).map { view("other \($0)", at: 3_000) }
      try store.appendBlocking(items + others + [page, view("b", at: 2_000)] + later)
      func found(_ span: ClosedRange<Int64>, at sequence: UInt64 = 102) throws -> [String] {
        var request = SearchRequest("tram")
        request.within = Timestamp(seconds: span.lowerBound)...Timestamp(seconds: span.upperBound)
        return try store.at(.sequence(sequence)).search(request).map(\.item)
      }
      #expect(try found(2_000...2_500) == ["page"])
      #expect(try found(2_000...2_500, at: 101) == [])
      #expect(try found(2_000...4_000, at: 152) == ["page"])
      #expect(try found(2_001...4_000, at: 152) == [])
    }
  }

  @Test func `search and * find the text of custom keys declared so, and only of those`()
    async throws
  {
    try await withStore { store in
      try await store.append([
        index("1", title: "x", ["com_a": "harbour", CustomAttribute.searched("com_a"): "harbour"]),
        index("2", title: "x", ["com_a": "harbour"]),
      ])
      #expect(try store.at().search("harbour").map(\.item) == ["1"])
      #expect(try store.at().items(filter: #"* == "harbour""#).map(\.id) == ["1"])
      #expect(try store.at().items(filter: #"com_a == "harbour""#).map(\.id) == ["1", "2"])
    }
  }

  @Test func `dates of custom keys compare with seconds since 2001 and with times`() async throws {
    try await withStore { store in
      let name = CustomAttribute.date("com_due")
      try await store.append([
        index("1", title: "x", [name: "2024-05-15T00:00:00Z"]),
        index("2", title: "x", [name: ["2024-05-14T00:00:00Z", "2001-01-01T00:00:01Z"]]),
      ])
      #expect(try store.at().items(filter: "com_due == 737424000").map(\.id) == ["1"])
      #expect(try store.at().items(filter: "com_due <= 1").map(\.id) == ["2"])
      #expect(try store.at().items(filter: "com_due < $time.now").map(\.id) == ["1", "2"])
      #expect(try store.at().items(filter: "com_due == *").count == 2)
      #expect(CustomAttribute.key(ofDates: name) == "com_due")
      #expect(CustomAttribute.key(ofDates: "com_due") == nil)
    }
  }
}
