import Foundation
import Testing

/// Old versions of items let go, by command.
@Suite struct HorizonCommandTests {
  private static func store() throws -> Store {
    let store = Store("horizon")
    var lines = ""
    let old = Date().timeIntervalSince1970 - 40 * 86_400
    for number in 1...40 {
      let recorded = number <= 30 ? old + Double(number) : old + Double(number) + 39 * 86_400
      lines += """
        {"kind":"index","item":"i\(number % 4)","domain":"d\(number % 2)","recorded":\(recorded),\
        "attributes":{"title":"tram \(number)"}}\n
        """
    }
    let result = try store.run(["append", "-"], input: Data(lines.utf8))
    #expect(result.status == 0, "\(result.errors)")
    return store
  }

  @Test func `stats tell of a horizon, apply moves it, earlier points are refused`() throws {
    let store = try Self.store()
    let stats = try #require(try store.run(["stats", "--horizon", "7", "--json"]).objects().first)
    let horizon = try #require(stats["horizon"] as? [String: Any])
    #expect(Set(horizon.keys) == ["days", "sequence", "versions", "bytes"])
    #expect(horizon["sequence"] as? Int == 30 && horizon["versions"] as? Int == 26)
    #expect(try store.run(["retention", "add", "--versions"]).status == 64)
    #expect(
      try store.run(["retention", "add", "--versions", "--days", "7", "--kind", "view"]).status
        == 64)
    let before = try store.run(["items", "--as-of", "30", "--json"])
    let log = try store.run(["log", "--json"])
    let rule = try #require(
      try store.run(["retention", "add", "--versions", "--days", "7", "--json"]).objects().first)
    #expect(rule["versions"] as? Bool == true && rule["days"] as? Int == 7)
    #expect(try store.run(["retention", "apply", "--json"]).status == 64)
    let plan = try #require(
      try store.run(["retention", "apply", "--dry-run", "--json"]).objects().first?["horizon"]
        as? [String: Any])
    #expect(plan["versions"] as? Int == 26)
    #expect(try store.run(["items", "--as-of", "3"]).status == 0)
    let applied = try store.run(["retention", "apply", "--yes", "--json"])
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try store.run(["items", "--as-of", "30", "--json"]).text == before.text)
    #expect(try store.run(["log", "--json"]).text == log.text)
    let ways = [
      ["items", "--as-of", "29"], ["show", "i1", "--as-of", "29"],
      ["search", "tram", "--as-of", "1"],
      ["top", "--as-of", "2"], ["stats", "--as-of", "29"], ["diff", "29", "40"],
      ["snapshot", "create", "s", "--as-of", "29"], ["revert", "--to", "29", "--dry-run"],
    ]
    for way in ways {
      let refused = try store.run(way)
      #expect(refused.status == 1, "\(way)")
      #expect(refused.errors.contains("replay --to P --into DIR"), "\(way): \(refused.errors)")
      #expect(refused.errors.split(separator: "\n").count == 1, "\(way)")
      #expect(refused.errors.hasPrefix("cairn: old versions are kept"), "\(refused.errors)")
    }
    let past = store.path + "-past"
    #expect(try store.run(["replay", "--to", "29", "--into", past]).status == 0)
    defer { try? FileManager.default.removeItem(atPath: past) }
    let then = try Store(at: past).run(["items", "--json"])
    #expect(then.status == 0 && then.text.contains("tram 29"))
    #expect(try store.run(["verify", "--deep"]).status == 0)
    #expect(try store.run(["replay", "--verify"]).status == 0)
    let rebuilt = try store.run(["rebuild", "--json"]).objects()
    #expect(rebuilt.allSatisfy { $0["equal"] as? Bool == true })
    #expect(try store.run(["items", "--as-of", "29"]).status == 1)
  }
}
