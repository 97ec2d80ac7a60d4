import Foundation
import Testing

/// What was used most in a span of time.
@Suite struct SpanTests {
  private static func store() throws -> Store {
    let store = Store()
    var lines = ["a", "b", "c"].map {
      "{\"kind\":\"index\",\"item\":\"\($0)\",\"domain\":\"d.\($0)\",\"attributes\":{\"title\":\"T \($0)\"}}"
    }
    for (item, days) in [("a", [1, 2, 30]), ("b", [2, 3, 4, 28]), ("c", [30])] {
      lines += days.map {
        "{\"kind\":\"view\",\"item\":\"\(item)\",\"time\":\"2026-0\(1 + $0 / 20)-0\(1 + $0 % 9)T12:00:00Z\"}"
      }
    }
    try store.append(Data((lines.joined(separator: "\n") + "\n").utf8))
    return store
  }

  private static func top(_ store: Store, _ options: String...) throws -> [String] {
    let rows = try store.json(["top", "--utc"] + options, as: RankedRow.self)
    return rows.map { "\($0.item) \($0.views ?? 0) \(Int($0.score))" }
  }

  @Test func `only the uses of the span count, the most views first`() throws {
    let store = try Self.store()
    #expect(try Self.top(store, "--since", "2026-01", "--until", "2026-01") == ["b 3 3", "a 2 2"])
    #expect(try Self.top(store, "--since", "2026-02").sorted() == ["a 1 1", "b 1 1", "c 1 1"])
    #expect(try Self.top(store, "--until", "2026-01-02") == ["a 1 1"])
    #expect(try Self.top(store, "--until", "2025") == [])
    #expect(try Self.top(store, "--since", "2026-01", "--domain", "d.a").first == "a 3 3")
    #expect(try Self.top(store, "--since", "2026-01", "-n", "1") == ["b 4 4"])
    let ranked = try store.json(
      ["top", "--since", "2026-01", "--until", "2026-01", "--by", "recent"], as: RankedRow.self)
    #expect(ranked.map(\.item) == ["b", "a"])
    let wrong = try store.run("top", "--since", "2026-02", "--until", "2026-01")
    #expect(wrong.status == 64 && wrong.errors.contains("--since is after --until"))
  }

  @Test func `a search finds what was used in the span, on the line and in queries`() throws {
    let store = try Self.store()
    let span = ["--since", "2026-01-03", "--until", "2026-01-03"]
    let rows = try store.json(["search", "T", "--utc"] + span, as: RankedRow.self)
    #expect(rows.map(\.item).sorted() == ["a", "b"])
    let line = Data("{\"query\":\"T\",\"since\":\"2026-02\",\"until\":null}\n".utf8)
    let found = try store.run(["search", "--queries", "-", "--json", "--utc"] + span, input: line)
    let hits = try #require(found.objects().first?["hits"] as? [[String: Any]])
    #expect(Set(hits.compactMap { $0["item"] as? String }) == ["a", "b", "c"])
    for (wrong, reason) in [
      (#""since":"2027","until":"2026""#, "since is after until"), (#""until":"junk""#, "until: "),
      (#""since":true"#, "since has a value of the wrong type"),
    ] {
      let answer = try store.run(
        "search", "--queries", "-", input: Data("{\"query\":\"T\",\(wrong)}\n".utf8))
      #expect(answer.status == 65 && answer.errors.contains(reason))
    }
  }

  @Test func `a timeline shows the rows that the span touches, whole`() throws {
    let store = try Self.store()
    let span = ["--since", "2026-01-03T18:00", "--until", "2026-01-04"]
    let shown = try store.run(["timeline", "--utc"] + span).text.split(separator: "\n")
    #expect(
      shown.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "2026-01-03 2", "2026-01-04 1",
      ])
    let months = try store.run("timeline", "--by", "month", "--json", "--until", "2026-01-31")
    let counts = try months.objects().map { $0["events"] as? Int }
    #expect(counts == [5])
    #expect(try store.run("timeline", "--since", "2026-02", "--until", "2026-01").status == 64)
  }

  @Test func `a score too small for three decimals shows what it has`() throws {
    let line = try Self.store().run("top", "-n", "1", "--now", "2046-01-01").text
    let score = try #require(line.split(separator: "\t").dropFirst(2).first)
    #expect(score.contains("e-") && (Double(score) ?? 0) > 0, "\(line)")
  }
}
