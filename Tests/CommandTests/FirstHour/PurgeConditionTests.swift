import Foundation
import Testing

/// Erasing a person: by who acted, what was typed, when, and all of these together.
@Suite struct PurgeConditionTests {
  private static let history = """
    {"kind":"index","item":"a","domain":"web","attributes":{"title":"Alpha","authorNames":["Jane Roe"]},"time":"2026-01-01T00:00:00Z","actor":"ann"}
    {"kind":"index","item":"b","domain":"web","attributes":{"title":"Beta"},"time":"2026-01-02T00:00:00Z","actor":"ann"}
    {"kind":"view","item":"b","time":"2026-01-03T00:00:00Z","actor":"83.149.9.216","session":"s1","device":"phone","source":"web"}
    {"kind":"view","item":"b","time":"2026-01-04T00:00:00Z","actor":"83.149.9.216","session":"s2","source":"web"}
    {"kind":"select","item":"b","query":"Jane ROE salary","time":"2026-01-05T00:00:00Z","actor":"bob"}
    {"kind":"view","item":"b","time":"2026-01-06T00:00:00Z","actor":"bob","session":"s1"}
    {"kind":"view","item":"a","time":"2026-01-07T00:00:00Z","actor":"bob","device":"phone"}
    {"kind":"view","item":"b","time":"2026-01-08T00:00:00Z","actor":"ann"}

    """

  private static func store() throws -> Store {
    let store = Store()
    try store.append(Data(history.utf8))
    return store
  }

  @Test(arguments: [
    (["--actor", "83.149.9.216"], [3, 4]), (["--session", "s1"], [3, 6]),
    (["--device", "phone"], [3, 7]), (["--source", "web"], [3, 4]),
    (["--query", "jane roe"], [5]), (["--filter", "authorNames == \"Jane Roe\""], [1, 7]),
    (["--kind", "view", "--actor", "bob"], [6, 7]), (["--events", "2,6-7"], [2, 6, 7]),
    (["--since", "2026-01-05", "--until", "2026-01-06"], [5, 6]),
    (["--actor", "bob", "--before", "2026-01-06"], [5]),
    (["--actor", "bob", "--item", "b", "--kind", "view"], [6]), (["--actor", "nobody"], []),
  ]) func `conditions choose the events for which all hold`(conditions: [String], expected: [Int])
    throws
  {
    let store = try Self.store()
    let listed = try store.run(["purge", "--dry-run", "--list", "--json"] + conditions).objects()
    #expect(listed.dropLast().compactMap { $0["sequence"] as? Int } == expected)
    #expect(listed.last?["events"] as? Int == expected.count)
    let done = try store.run(["purge", "--yes", "--all-of-it", "--json"] + conditions)
    #expect(done.status == 0, "\(done.errors)")
    let left = try store.run("log", "--json").objects().filter { $0["kind"] as? String != "purge" }
    #expect(left.compactMap { $0["sequence"] as? Int } == (1...8).filter { !expected.contains($0) })
    #expect(try store.run("verify", "--deep").status == 0)
  }

  @Test func `what would take more than half is asked for by name`() throws {
    let store = try Self.store()
    let refused = try store.run("purge", "--since", "2026-01-02", "--yes")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--all-of-it"))
    #expect(try store.headNow() == 8)
    #expect(try store.run("purge", "--since", "2026-01-02", "--yes", "--all-of-it").status == 0)
  }

  @Test func `a purge up to a time in the future is asked for by name`() throws {
    let store = try Self.store()
    let refused = try store.run("purge", "--before", "2199-01-01", "--yes")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("in the future"))
    #expect(refused.errors.split(separator: "\n").count == 1)
    #expect(try store.headNow() == 8)
    #expect(try store.run("purge", "--before", "2199-01-01", "--yes", "--all-of-it").status == 0)
  }

  @Test func `domains and items go with --yes as they always did`() throws {
    let store = try Self.store()
    #expect(try store.run("purge", "--item", "b", "--yes").status == 0)
    let other = try Self.store()
    #expect(try other.run("purge", "--domain", "web", "--yes").status == 0)
  }

  @Test(arguments: [
    ["purge"], ["purge", "--list", "--actor", "a"], ["purge", "--actor", ""],
    ["purge", "--mentioning", " ", "--dry-run"], ["purge", "--query", "\t", "--dry-run"],
    ["purge", "--before", "2026", "--until", "2026"], ["purge", "--events", "3-1"],
    ["purge", "--events", "0"], ["purge", "--actor", "a", "--block"],
    ["purge", "--filter", "title = x", "--yes"], ["purge", "--actor", "ann"],
  ]) func `a line that makes no sense changes nothing`(line: [String]) throws {
    let store = try Self.store()
    #expect(try store.run(line).status == 64)
    #expect(try store.headNow() == 8)
  }

  @Test func `a filter that cannot be read is named before anybody is asked`() throws {
    let refused = try Self.store().run("purge", "--filter", "title = x")
    #expect(refused.status == 64)
    #expect(refused.errors.hasPrefix("cairn: --filter: "), "\(refused.errors)")
  }
}
