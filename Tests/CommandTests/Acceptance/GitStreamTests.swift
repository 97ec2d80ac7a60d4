import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SharedData.has("git-streams"), "needs ../shared/data/git-streams and zstd"))
struct `Real git histories, at commits all along` {
  @Test(arguments: GitStream.all) func `items as of a sequence are the tree of that commit`(
    stream: GitStream
  ) throws {
    let store = try stream.store()
    for point in SharedData.points(try stream.oracle().points) {
      try Self.check(store, point, asOf: "\(point.asof_seq)")
    }
  }

  @Test(arguments: GitStream.all) func `items as of a commit's time are the tree of that commit`(
    stream: GitStream
  ) throws {
    let store = try stream.store()
    for point in SharedData.points(try stream.oracle().points.filter(\.ts_unambiguous)) {
      let time = Date(timeIntervalSince1970: Double(point.asof_ts)).formatted(.iso8601)
      try Self.check(store, point, asOf: time)
    }
  }

  private static func check(_ store: Store, _ point: GitStream.Oracle.Point, asOf: String) throws {
    let items = try store.json(["items", "--as-of", asOf], as: ItemRow.self)
    #expect(items.count == point.live, "as of \(asOf)")
    #expect(items.map(\.item) == inByteOrder(items.map(\.item)), "as of \(asOf)")
    #expect(digest(ofIDs: items.map(\.item)) == point.ids_sha256, "as of \(asOf)")
    let versions = items.map { "\($0.item)\t\($0.attributes?["blob"]?.string ?? "")" }
    #expect(digest(ofIDs: versions) == point.id_blob_sha256, "as of \(asOf)")
    let top = items.map { row in
      row.domain.flatMap { GitStream.slashed($0).split(separator: "/").first.map(String.init) }
        ?? ""
    }
    let counts = Dictionary(top.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(counts == point.top_level_counts, "as of \(asOf)")
  }

  @Test func `900 of 900 queries find exactly the items that another engine finds`() throws {
    let store = try GitStream(name: "tldr-first9000").store()
    let oracle = try SharedData.json(
      "git-streams/tldr-first9000.search-oracle.json", as: GitStream.SearchOracle.self)
    var queries = EventLines()
    var expected: [(query: String, sequence: Int, hits: Int, digest: String)] = []
    for point in oracle.points {
      for query in point.queries {
        let words = query.fts5_query.split(separator: "\"").map(String.init).filter {
          !$0.isEmpty && ![" AND ", " OR "].contains($0)
        }
        try queries.add([
          "query": words.joined(separator: " "), "exact": true, "limit": 0,
          "match": query.fts5_query.contains(" OR ") ? "any" : "all", "asOf": "\(point.asof_seq)",
        ])
        expected.append((query.fts5_query, point.asof_seq, query.hits, query.ids_sha256))
      }
    }
    let answers = try store.json(
      ["search", "--queries", "-"], as: QueryAnswer.self, input: queries.data)
    try #require(answers.count == 900 && expected.count == 900)
    for (answer, wanted) in zip(answers, expected) {
      #expect(answer.hits.count == wanted.hits, "\(wanted.query) as of \(wanted.sequence)")
      #expect(
        digest(ofIDs: answer.hits.map(\.item)) == wanted.digest,
        "\(wanted.query) as of \(wanted.sequence)")
    }
  }

  @Test func `nothing was there before the first event, and the head is not the future`() throws {
    let store = try GitStream(name: "zoxide").store()
    #expect(try store.json(["items", "--as-of", "0"], as: ItemRow.self).isEmpty)
    #expect(try store.json(["items", "--as-of", "1971-01-01T00:00:00Z"], as: ItemRow.self).isEmpty)
    let head = try store.stats().head
    #expect(try store.run("items", "--as-of", "\(head + 1)").status == 1)
    #expect(try store.run("items", "--as-of", "2999-01-01T00:00:00Z").status == 1)
    #expect(
      try store.json(["items", "--as-of", "\(head)"], as: ItemRow.self).map(\.item)
        == store.json(["items"], as: ItemRow.self).map(\.item))
  }
}
