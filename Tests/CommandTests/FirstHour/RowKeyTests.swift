import Foundation
import TestSupport
import Testing

/// The page that lists the keys of `--json`, held against what commands print.
@Suite struct RowKeyTests {
  /// What the page says of one command.
  struct Documented: Equatable {
    var always: Set<String>
    var sometimes: Set<String>
  }

  /// What needs a terminal, a second machine, time or a broken rule.
  private static let unasked: Set = [
    "find", "watch", "witness key", "witness cosign", "witness logs", "schema check",
  ]
  /// Commands that articles of their own tell of.
  private static let elsewhere: Set = ["inspect", "weblink", "mcp", "serve"]

  private static func page() throws -> [String: Documented] {
    let article = Checkout.root.appending(path: "Sources/Cairn/Cairn.docc/Rows.md")
    var found: [String: Documented] = [:]
    for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n") {
      guard line.hasPrefix("| `") else { continue }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      try #require(cells.count == 5, "\(line)")
      let keys = cells[2...3].map { Set($0.matches(of: /`(\w+)`/).map { String($0.1) }) }
      for name in cells[1].matches(of: /`([^`]+)`/) {
        let documented = Documented(always: keys[0], sometimes: keys[1])
        let before = found.updateValue(documented, forKey: String(name.1))
        #expect(before == nil, "\(name.1) stands twice")
      }
    }
    return found
  }

  /// Lines whose rows are looked at, in an order in which all have some.
  private static func lines(_ folder: String) throws -> [[String]] {
    let year = #""year": {"type": "integer", "sortable": true, "facet": true}"#
    let schema = try SchemaMigrationTests.schema(year)
    let other = try SchemaMigrationTests.schema(year + #", "genre": {"type": "keyword"}"#)
    let events = try Scratch.file("events", Data("{\"kind\":\"view\",\"item\":\"a\"}\n".utf8))
    let history = try Scratch.file("history", Data("#1700000000\nls -la\n".utf8))
    let home = Scratch.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try Data("#1700000001\nmake\n".utf8).write(to: URL(filePath: home + "/.bash_history"))
    let queries = try Scratch.file("queries", Data("{\"query\":\"apple\"}\n".utf8))
    let recording = [
      ["init"], ["index", "a", "--domain", "films", "--title", "Apple pie", "--set", "year:=1999"],
      ["index", "b", "--domain", "home", "--title", "Pear", "--keyword", "k"],
      ["schema", "set", schema], ["schema", "show"], ["schema", "history"],
      ["schema", "diff", other],
      ["view", "a", "--actor", "ann", "--session", "s", "--device", "d"],
      ["view", "a", "--dwell", "3", "--latency", "1", "--deliberate", "--visits", "2"],
      ["update", "a", "--set", "year:=2000"],
      ["select", "app", "a", "--position", "1", "--shown", "a,b"],
      ["impression", "app", "--shown", "b"], ["less", "b"], ["delete", "--dry-run", "b"],
      ["append", events], ["import", "--list"], ["import", "--dry-run", "bash", history],
      ["import", "bash", history], ["import", "auto", home, "--yes"],
    ]
    let asking = [
      ["items"], ["items", "--count"], ["items", "--facet", "year"],
      ["items", "--group-by", "year"], ["show", "a"], ["search", "apple"],
      ["search", "apple", "--explain"], ["search", "apple", "--facet", "year"],
      ["search", "apple", "--group-by", "year"], ["search", "apple", "--fields", "year"],
      ["search", "--queries", queries], ["suggest", "app"], ["top"], ["top", "--explain"],
      ["log"], ["stats"], ["stats", "--sizes", "--horizon", "3"], ["timeline"],
      ["diff", "0", "head"], ["evaluate"],
    ]
    let keeping = [
      ["snapshot", "create", "first"], ["snapshot", "list"], ["replay"], ["replay", "--verify"],
      ["replay", "--trace", "a"], ["replay", "--into", folder + "/copy"],
      ["replay", "--until-differs", folder + "/copy"], ["rebuild"], ["rebuild", "--status"],
      ["migrate", "--status"], ["verify"], ["doctor"], ["undo", "--dry-run"], ["undo"],
      ["revert", "--to", "2"], ["retention", "add", "--kind", "view", "--days", "3"],
      ["retention", "list"], ["retention", "apply", "--dry-run"], ["retention", "apply", "--yes"],
      ["checkpoint"], ["checkpoint", "--key"], ["prove", "inclusion", "1"],
      ["prove", "consistency", "1", "3"], ["export"],
      ["export", "--format", "tiles", folder + "/tiles"], ["backup", folder + "/backup"],
      ["restore", folder + "/backup", "--into", folder + "/restored"],
      ["purge", "--dry-run", "--item", "b"],
      ["purge", "--yes", "--item", "b", "--receipt", folder + "/receipt"],
      ["purges", "export", folder + "/list"], ["purges", "blocks"],
      ["purges", "blocks", "--domain", "films"], ["purges", "blocks", "--item", "b"],
      ["purges", "apply", folder + "/list", "--yes"], ["log", "--erased"],
      ["snapshot", "delete", "first"], ["schema", "undo"], ["delete", "a"],
    ]
    return recording + asking + keeping
  }

  /// Compares rows with the command of the page that has most words of the line.
  private static func compare(
    _ line: [String], _ result: ProcessResult, with page: [String: Documented]
  ) throws -> String {
    let rows = try result.objects()
    #expect(!rows.isEmpty, "\(line): \(result.errors)")
    let names = page.keys.filter { line.starts(with: $0.split(separator: " ").map(String.init)) }
    let longest = names.max { $0.count < $1.count }
    let name = try #require(longest, "no row is about \(line)")
    let known = try #require(page[name])
    for row in rows {
      let keys = Set(row.keys)
      #expect(known.always.isSubset(of: keys), "\(line): \(keys)")
      #expect(keys.isSubset(of: known.always.union(known.sometimes)), "\(line): \(keys)")
    }
    return name
  }

  @Test func `every key that a command prints is on the page, and every command`() throws {
    let page = try Self.page()
    let folder = Scratch.path("rows")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let store = Store()
    var asked: Set<String> = []
    for line in try Self.lines(folder) {
      asked.insert(try Self.compare(line, try store.run(line + ["--json"]), with: page))
    }
    let key = try store.run("checkpoint", "--key").text.split(separator: "\n").joined()
    for file in ["tiles", "receipt"] {
      let line = ["check", "\(folder)/\(file)", "--key", key, "--json"]
      asked.insert(try Self.compare(line, try Shell.run(Store.binary, line), with: page))
    }
    #expect(asked.union(Self.unasked) == Set(page.keys))
    let first = Set(page.keys.map { $0.prefix { $0 != " " } })
    for line in try Shell.run(Store.binary, "--help").text.split(separator: "\n") {
      guard let name = line.prefixMatch(of: #/  ([a-z]+)/#)?.1 else { continue }
      #expect(first.contains(name) || Self.elsewhere.contains(String(name)), "\(name)")
    }
  }
}
