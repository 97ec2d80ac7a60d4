import Foundation
import Testing

/// What commands tell on request: counts, sizes, single attributes of hits.
@Suite struct SizeAndFieldTests {
  private static let history = """
    {"kind":"index","item":"a","domain":"work","attributes":{"title":"harbour survey","url":"https://a.example"}}
    {"kind":"index","item":"b","domain":"work.maps","attributes":{"title":"tide table","pages":[3,4]}}
    {"kind":"index","item":"c","attributes":{"title":"dusk"},"expires":"2001-01-01T00:00:00Z"}
    {"kind":"delete","item":"a"}
    {"kind":"index","item":"a","domain":"work","attributes":{"title":"harbour survey","url":"https://a.example"}}

    """

  private func withHistory(_ body: (Store) throws -> Void) throws {
    let store = Store("sizes")
    try store.append(Data(Self.history.utf8))
    try body(store)
  }

  @Test func `items are counted without being listed`() throws {
    try withHistory { store in
      for (arguments, count) in [
        ([], 2), (["--domain", "work"], 2), (["--domain", "work.maps"], 1), (["--as-of", "4"], 1),
        (["--filter", "pages == 4"], 1), (["--domain", "play"], 0),
      ] as [([String], Int)] {
        let text = try store.run(["items", "--count"] + arguments)
        #expect(text.status == 0)
        #expect(text.text == "\(count)\n", "\(arguments)")
        let row = try store.run(["items", "--count", "--json"] + arguments).objects()
        #expect(row.first?["items"] as? Int == count, "\(arguments)")
        #expect(try store.run(["items", "--json"] + arguments).objects().count == count)
      }
    }
  }

  @Test func `the sizes of tables and free pages are those of the files`() throws {
    try withHistory { store in
      let row = try #require(try store.run("stats", "--sizes", "--json").objects().first)
      let tables = try #require(row["tables"] as? [[String: Any]])
      let byFile = Dictionary(grouping: tables) { $0["file"] as? String ?? "" }
      #expect(byFile.keys.sorted() == ["log.mdb", "view-1.mdb"])
      for (file, tables) in byFile {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(store.path)/\(file)")
        let size = (attributes[.size] as? NSNumber)?.intValue
        #expect(tables.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } == size, "\(file)")
        #expect(tables.last?["table"] is NSNull)
      }
      let events = byFile["log.mdb"]?.first { $0["table"] as? String == "events" }
      #expect(events?["rows"] as? Int == 5)
      #expect(try store.run("stats", "--sizes").text.contains("view-1.mdb"))
    }
  }

  @Test func `queries explain a hit as a search does`() throws {
    try withHistory { store in
      let found = try store.run("search", "tide", "--explain", "--json").objects()
      let hit = try #require(found.first)
      let line = Data("{\"query\":\"tide\",\"explain\":true}\n".utf8)
      let queries = try store.run(["search", "--queries", "-", "--json"], input: line)
      let hits = try #require(queries.objects().first?["hits"] as? [[String: Any]])
      #expect(hits.first?.keys.sorted() == hit.keys.sorted() && hit["sources"] != nil)
      let text = try store.run(["search", "--queries", "-"], input: line).text
      #expect(text.contains("from app: event 2"))
    }
  }

  @Test func `hits show the attributes that are named and no others`() throws {
    try withHistory { store in
      let all = try #require(try store.run("search", "tide", "--json").objects().first)
      #expect(all["attributes"] == nil && all["title"] as? String == "tide table")
      let named = ["search", "tide", "--fields", "pages,none"]
      let hit = try #require(try store.run(named + ["--json"]).objects().first)
      let attributes = try #require(hit["attributes"] as? [String: Any])
      #expect(attributes.keys.sorted() == ["pages"])
      #expect(attributes["pages"] as? [Int] == [3, 4])
      #expect(hit["snippet"] == nil && hit["item"] as? String == "b")
      #expect(try store.run(named).text.contains("pages: 3, 4"))
      let queries = try store.run(
        ["search", "--queries", "-", "--fields", "url", "--json"],
        input: Data("{\"query\":\"harbour\"}\n".utf8))
      let hits = try #require(queries.objects().first?["hits"] as? [[String: Any]])
      #expect((hits.first?["attributes"] as? [String: String]) == ["url": "https://a.example"])
      let lines = """
        {"query":"harbour","fields":"url,snippet"}
        {"query":"harbour","fields":null}
        {"query":"harbour","fields":","}

        """
      let own = try store.run(
        ["search", "--queries", "-", "--fields", "pages", "--json"], input: Data(lines.utf8))
      #expect(own.status == 65)
      let found = try own.objects().map { ($0["hits"] as? [[String: Any]])?.first ?? [:] }
      #expect(found.count == 2 && found[1]["attributes"] == nil)
      #expect((found[0]["attributes"] as? [String: String]) == ["url": "https://a.example"])
      #expect(found[0].keys.contains("snippet"))
    }
  }
}
