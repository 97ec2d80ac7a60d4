import Foundation
import TestSupport
import Testing

/// Ratings as views and tags as keywords, counted by somebody else.
@Suite(.enabled(if: SharedData.has("movielens"), "needs ../shared/data/movielens and zstd"))
struct `Twenty years of film ratings` {
  struct Line: Decodable {
    var ts: Int
    var op: String
    var id: String
    var domain: String?
    var title: String?
    var keywords: [String]?
    var contentURL: String?
    var actor: String?
    var rating: Double?
    var addKeyword: String?
  }

  struct Oracle: Decodable {
    struct Point: Decodable {
      var asof_ts: Int
      var views: Int
      var events_total_with_index: Int
      var distinct_items_viewed: Int
      var top20_by_views_tie_id: [[IDOrCount]]
      var last20_viewed: [[IDOrCount]]
      var views_per_item_sha256: String
      var views_per_decade_domain: [String: Int]
      var keywords_of: [String: [String]]
    }

    var points: [Point]
  }

  enum IDOrCount: Decodable, Equatable {
    case id(String)
    case count(Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let count = try? container.decode(Int.self) {
        self = .count(count)
      } else {
        self = .id(try container.decode(String.self))
      }
    }
  }

  private static let shared = Lazy<Store> {
    var keywords: [String: [String]] = [:]
    var lines = EventLines()
    for line in try events() { try lines.add(event(line, &keywords)) }
    let store = Store("movielens")
    try store.append(lines.data)
    return store
  }

  private static func events() throws -> [Line] {
    try SharedData.rows("movielens/movielens-open.events.jsonl.zst", as: Line.self)
  }

  private static func event(_ line: Line, _ keywords: inout [String: [String]]) -> [String: Any] {
    var event: [String: Any] = [
      "kind": line.op, "item": line.id, "time": line.ts, "recorded": line.ts,
    ]
    event["actor"] = line.actor
    event["rating"] = line.rating
    event["domain"] = line.domain.map(GitStream.dotted)
    var attributes: [String: Any] = [:]
    attributes["title"] = line.title
    attributes["contentURL"] = line.contentURL
    if let all = line.keywords { keywords[line.id] = all }
    if let added = line.addKeyword, !keywords[line.id, default: []].contains(added) {
      keywords[line.id, default: []].append(added)
    }
    if line.keywords != nil || line.addKeyword != nil { attributes["keywords"] = keywords[line.id] }
    if !attributes.isEmpty { event["attributes"] = attributes }
    return event
  }

  private static func number(_ item: String) -> Int { Int(item.dropFirst("movie:".count)) ?? 0 }

  private static func time(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
  }

  @Test func `counts, top twenty, last use and decades agree with the oracle`() throws {
    let store = try Self.shared.get()
    let oracle = try SharedData.json("movielens/movielens-open.oracle.json", as: Oracle.self)
    for point in SharedData.points(oracle.points) {
      let asOf = Self.time(point.asof_ts)
      let rows = try store.json(
        ["top", "--by", "count", "--limit", "0", "--as-of", asOf], as: RankedRow.self)
      #expect(rows.count == point.distinct_items_viewed, "as of \(asOf)")
      #expect(rows.reduce(0) { $0 + ($1.views ?? 0) } == point.views, "as of \(asOf)")
      let byNumber = rows.sorted { Self.number($0.item) < Self.number($1.item) }
      let lines = byNumber.map { "\($0.item)\t\($0.views ?? 0)\t\($0.lastViewedSeconds ?? 0)\n" }
      #expect(sha256(lines.joined()) == point.views_per_item_sha256, "as of \(asOf)")
      let top = byNumber.sorted {
        ($1.views ?? 0, Self.number($0.item)) < ($0.views ?? 0, Self.number($1.item))
      }
      #expect(
        top.prefix(20).map { [IDOrCount.id($0.item), .count($0.views ?? 0)] }
          == point.top20_by_views_tie_id, "as of \(asOf)")
      var decades: [String: Int] = [:]
      for row in rows {
        let domain = GitStream.slashed(row.domain ?? "").split(separator: "/").prefix(2)
        decades[domain.joined(separator: "/"), default: 0] += row.views ?? 0
      }
      #expect(decades == point.views_per_decade_domain, "as of \(asOf)")
      let stats = try store.stats(asOf: asOf)
      #expect(stats.events == point.events_total_with_index, "as of \(asOf)")
    }
  }

  @Test func `what was viewed last comes first, and ties have one order`() throws {
    let store = try Self.shared.get()
    let oracle = try SharedData.json("movielens/movielens-open.oracle.json", as: Oracle.self)
    for point in SharedData.points(oracle.points) {
      let asOf = Self.time(point.asof_ts)
      let rows = try store.json(
        ["top", "--by", "recent", "--limit", "0", "--as-of", asOf], as: RankedRow.self)
      let keys = rows.map { (-($0.lastViewedSeconds ?? 0), $0.item) }
      let inOrder = zip(keys, keys.dropFirst()).allSatisfy { one, two in
        one.0 < two.0 || one.0 == two.0 && one.1.utf8.lexicographicallyPrecedes(two.1.utf8)
      }
      #expect(inOrder, "as of \(asOf)")
      let byNumber = rows.sorted {
        ($1.lastViewedSeconds ?? 0, Self.number($0.item)) < (
          $0.lastViewedSeconds ?? 0, Self.number($1.item)
        )
      }
      #expect(
        byNumber.prefix(20).map { [IDOrCount.id($0.item), .count($0.lastViewedSeconds ?? 0)] }
          == point.last20_viewed, "as of \(asOf)")
    }
  }

  @Test func `keywords grow by tags and are those of their time`() throws {
    let store = try Self.shared.get()
    let oracle = try SharedData.json("movielens/movielens-open.oracle.json", as: Oracle.self)
    for point in oracle.points.suffix(3) + oracle.points.prefix(30).suffix(2) {
      for (item, keywords) in point.keywords_of {
        let row = try #require(
          try store.json(["show", item, "--as-of", Self.time(point.asof_ts)], as: ItemRow.self)
            .first)
        #expect(Set(row.attributes?["keywords"]?.strings ?? []) == Set(keywords), "\(item)")
      }
    }
  }

  /// The titles alone: the oracle's index knew no keywords.
  private static let titles = Lazy<Store> {
    var lines = EventLines()
    for line in try events() {
      guard line.op == "index", let title = line.title else { continue }
      try lines.add(["kind": "index", "item": line.id, "attributes": ["title": title]])
    }
    let store = Store("titles")
    try store.append(lines.data)
    return store
  }

  @Test func `170 of 170 title queries find exactly what another engine finds`() throws {
    struct Query: Decodable {
      var kind: String
      var from: [String]
      var fts5_query: String
      var hits: Int
      var ids_sha256: String

      /// For `fold` the word as it is written in a title, else the words of the query.
      var text: String {
        if kind == "fold" { return from[0] }
        return fts5_query.split(separator: "\"").filter { !["*", " AND "].contains($0) }.joined(
          separator: " ")
      }
    }
    let store = try Self.titles.get()
    let wanted = try SharedData.rows("movielens/title-search.fts5.jsonl", as: Query.self)
    var queries = EventLines()
    for query in wanted {
      try queries.add([
        "query": query.text, "match": query.kind == "phrase" ? "phrase" : "all",
        "exact": query.kind != "prefix", "limit": 0,
      ])
    }
    let answers = try store.json(
      ["search", "--queries", "-"], as: QueryAnswer.self, input: queries.data)
    try #require(answers.count == wanted.count && wanted.count == 170)
    for (answer, query) in zip(answers, wanted) {
      let found = Set(answer.hits.map { Self.number($0.item) })
      #expect(found.count == query.hits, "\(query.kind) \(query.fts5_query)")
      let lines = found.sorted().map { "\($0)\n" }
      #expect(sha256(lines.joined()) == query.ids_sha256, "\(query.kind) \(query.fts5_query)")
    }
  }
}
