import Foundation
import Testing

/// Order, counts and groups as the command gives them.
@Suite struct FacetCommandTests {
  private static let schema = """
    {"cairnSchema": 1, "domains": {"films": {"attributes": {
      "title": {"type": "text", "sortable": true},
      "ex_year": {"type": "integer", "sortable": true, "facet": true, "aliases": ["ex_yr"]},
      "ex_genre": {"type": "keyword", "multi": true, "facet": true}}}}}
    """

  private static func store() throws -> Store {
    let store = Store("facets")
    let file = try Scratch.file("schema.json", Data(schema.utf8))
    #expect(try store.run("schema", "set", file).status == 0)
    var lines = EventLines()
    for (index, (year, genres)) in [
      (1999, ["noir", "drama"]), (2001, ["noir"]), (1999, ["comedy"]), (nil, ["noir"]),
      (1980, []),
    ].enumerated() {
      var attributes: [String: Any] = ["title": "harbour film \(index)"]
      if let year { attributes["ex_year"] = year }
      if !genres.isEmpty { attributes["ex_genre"] = genres }
      try lines.add(
        ["kind": "index", "item": "f\(index)", "domain": "films", "attributes": attributes])
    }
    try store.append(lines.data)
    return store
  }

  private static func rows(_ store: Store, _ arguments: String...) throws -> [[String: Any]] {
    let result = try store.run(arguments + ["--json"])
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return try result.objects()
  }

  private static func items(_ rows: [[String: Any]]) -> [String] {
    rows.compactMap { $0["item"] as? String }
  }

  @Test func `sort, facet and group in items and search`() throws {
    let store = try Self.store()
    #expect(
      Self.items(try Self.rows(store, "items", "--sort", "ex_year"))
        == ["f4", "f0", "f2", "f1", "f3"])
    #expect(
      Self.items(try Self.rows(store, "search", "harbour", "--sort", "ex_yr:desc"))
        == ["f1", "f0", "f2", "f4", "f3"])
    #expect(
      Self.items(
        try Self.rows(store, "items", "--sort", "ex_year", "--limit", "2", "--offset", "1"))
        == ["f0", "f2"])
    #expect(
      Self.items(try Self.rows(store, "items", "--limit", "2", "--offset", "1")) == ["f1", "f2"])
    let counted = try Self.rows(
      store, "search", "harbour", "--limit", "1", "--facet", "ex_genre:1", "--facet", "ex_year")
    #expect(counted.count == 3 && counted[0]["item"] != nil)
    #expect(counted[1]["facet"] as? String == "ex_genre")
    #expect(counted[1]["other"] as? Int == 2 && counted[1]["missing"] as? Int == 1)
    let values = counted[1]["values"] as? [[String: Any]] ?? []
    #expect(values.count == 1 && values[0]["value"] as? String == "noir")
    #expect(values[0]["count"] as? Int == 3)
    let years = (counted[2]["values"] as? [[String: Any]] ?? []).map { $0["value"] as? Int }
    #expect(years == [1999, 1980, 2001])
    let groups = try Self.rows(
      store, "items", "--sort", "ex_year:desc", "--group-by", "ex_year:0", "--limit", "3")
    #expect(groups.map { $0["group"] as? Int } == [2001, 1999, 1980])
    #expect(groups.map { $0["count"] as? Int } == [1, 2, 1])
    #expect(Self.items(groups[1]["hits"] as? [[String: Any]] ?? []) == ["f0", "f2"])
  }

  @Test func `queries carry them as keys`() throws {
    let store = try Self.store()
    let lines = """
      {"query":"harbour","sort":"ex_year:desc","limit":2,"facet":["ex_genre:1","ex_year"]}
      {"query":"harbour","groupBy":"ex_year:2","facet":"ex_genre"}
      {"query":"harbour","facet":"title"}
      {"query":"harbour","sort":"up:down"}

      """
    let result = try store.run("search", "--queries", "-", "--json", input: Data(lines.utf8))
    #expect(result.status == 65)
    let answers = try result.objects()
    #expect(answers.count == 2)
    #expect(Self.items(answers[0]["hits"] as? [[String: Any]] ?? []) == ["f1", "f0"])
    #expect((answers[0]["facets"] as? [[String: Any]])?.count == 2)
    #expect(answers[1]["hits"] == nil)
    #expect((answers[1]["groups"] as? [[String: Any]])?.count == 4)
  }

  @Test func `what is not declared so ends with 64`() throws {
    let store = try Self.store()
    for arguments in [
      ["items", "--sort", "ex_genre"], ["items", "--facet", "title"], ["items", "--facet", "none"],
      ["items", "--group-by", "ex_genre"], ["search", "harbour", "--sort", "none:desc"],
      ["items", "--sort", "ex_year:up"], ["items", "--facet", "ex_year:x"],
      ["items", "--count", "--facet", "ex_year"],
    ] { #expect(try store.run(arguments).status == 64, "\(arguments)") }
    let order = try store.run(["search", "harbour", "--sort", "ex_year:up"])
    #expect(order.status == 64 && order.errors.contains("KEY[:asc|desc]"), "\(order.errors)")
  }
}
