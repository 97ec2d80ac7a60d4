import Cairn
import CairnServer
import Foundation
import Testing

/// Order, counts and groups over HTTP.
@Suite struct ResultRouteTests {
  private static func fill(_ store: Store) throws {
    let schema = """
      {"cairnSchema": 1, "domains": {"": {"attributes": {
        "ex_year": {"type": "integer", "sortable": true, "facet": true},
        "ex_genre": {"type": "keyword", "multi": true, "facet": true}}}}}
      """
    _ = try store.setSchema(try store.readSchema(Array(schema.utf8)))
    try store.appendBlocking(
      (0..<30).map { number in
        var event = Event(kind: .index)
        event.item = "film \(number + 100)"
        event.attributes["title"] = .string("harbour \(number)")
        if number % 5 > 0 { event.attributes["ex_year"] = .integer(Int64(1990 + number % 5)) }
        event.attributes["ex_genre"] = number % 2 == 0 ? ["noir"] : ["noir", "drama"]
        return event
      })
  }

  private func items(_ rows: Any?) -> [String] {
    (rows as? [[String: Any]] ?? []).compactMap { $0["item"] as? String }
  }

  @Test(arguments: ["items?", "search?q=harbour&"])
  func `pages in an order agree with the whole list`(_ route: String) throws {
    let server = try TestServer(filledBy: Self.fill)
    let moment = try server.server.store.at()
    let list = "/api/v1/\(route)sort=ex_year:desc&limit=7&facet=ex_genre&facet=ex_year:1"
    let found = try server.rows(from: list) { _, page in
      let facets = try #require(page["facets"] as? [[String: Any]])
      #expect(facets.map { $0["facet"] as? String } == ["ex_genre", "ex_year"])
      #expect(facets[1]["missing"] as? Int == 6 && facets[1]["other"] as? Int == 18)
      try server.server.store.appendBlocking([
        Event(kind: .index, item: "film later \(UUID())", attributes: ["title": "harbour"])
      ])
    }
    var request = ItemRequest()
    request.order = AttributeOrder("ex_year", isDescending: true)
    let wanted = try moment.results(of: request).rows.map(\.id)
    #expect(items(found) == wanted)
  }

  @Test func `groups and lines are those of the command`() throws {
    let server = try TestServer(filledBy: Self.fill)
    let page = try server.object(
      try server.ask("GET", "/api/v1/items?groupBy=ex_year:2&sort=ex_year&limit=2&offset=1"))
    let groups = try #require(page["rows"] as? [[String: Any]])
    #expect(groups.map { $0["group"] as? Int } == [1992, 1993])
    #expect(groups.map { $0["count"] as? Int } == [6, 6])
    #expect(items(groups[0]["hits"]) == ["film 102", "film 107"])
    let lines = try server.ask(
      "GET", "/api/v1/items?sort=ex_year&facet=ex_genre&limit=0",
      headers: ["Accept": "application/x-ndjson"])
    #expect(lines.text.split(separator: "\n").count == 31)
    let body = #"{"queries":[{"query":"harbour","groupBy":"ex_year","facet":["ex_genre:1"]}]}"#
    let many = try server.object(try server.ask("POST", "/api/v1/search", body: body))
    let row = try #require((many["rows"] as? [[String: Any]])?.first)
    #expect((row["groups"] as? [Any])?.count == 5 && row["hits"] == nil)
    #expect((row["facets"] as? [Any])?.count == 1)
  }

  @Test func `many queries explain a hit as one does`() throws {
    let server = try TestServer(filledBy: Self.fill)
    let one = try server.object(
      try server.ask("GET", "/api/v1/search?q=harbour&limit=1&explain=true"))
    let body = #"{"queries":[{"query":"harbour","limit":1e0,"explain":true}]}"#
    let many = try server.object(try server.ask("POST", "/api/v1/search", body: body))
    let hit = try #require((one["rows"] as? [[String: Any]])?.first)
    let row = try #require((many["rows"] as? [[String: Any]])?.first)
    let found = try #require((row["hits"] as? [[String: Any]])?.first)
    #expect(found.keys.sorted() == hit.keys.sorted() && hit["sources"] != nil)
  }

  @Test(arguments: [
    "items?sort=ex_genre", "items?sort=ex_year:up", "items?facet=title", "items?facet=ex_year:x",
    "items?groupBy=ex_genre", "items?sort=ex_year&after=x", "search?q=harbour&sort=none",
    "search?q=harbour&groupBy=ex_genre", "items?offset=-1",
  ]) func `what cannot be is refused`(_ route: String) throws {
    let server = try TestServer(filledBy: Self.fill)
    #expect(try server.ask("GET", "/api/v1/\(route)").status == 400)
  }
}
