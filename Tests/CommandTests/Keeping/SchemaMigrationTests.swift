import Foundation
import Testing

/// Changes of schema among the migrations, and in what a store tells of itself.
@Suite struct SchemaMigrationTests {
  static func schema(_ attributes: String) throws -> String {
    let text = #"{"cairnSchema": 1, "domains": {"films": {"attributes": {\#(attributes)}}}}"#
    return try Scratch.file("schema.json", Data(text.utf8))
  }

  private static func states(_ store: Store) throws -> [String: String] {
    var states: [String: String] = [:]
    for row in try store.run("migrate", "--status", "--json").objects() {
      guard let id = row["id"] as? String, id.hasPrefix("schema/") else { continue }
      #expect(row["kind"] as? String == "schema")
      states[id] = row["state"] as? String
    }
    return states
  }

  @Test func `each version is a row, and the last one applied can be taken back`() throws {
    let store = Store("schema-migrations")
    let files = [
      try Self.schema(#""ex_a": {"type": "integer"}"#),
      try Self.schema(#""ex_a": {"type": "integer", "default": 3}"#),
    ]
    for file in files { #expect(try store.run("schema", "set", file).status == 0) }
    #expect(try Self.states(store) == ["schema/1": "applied", "schema/2": "applied"])
    #expect(try store.run("migrate", "--rollback", "schema/1").status == 1)
    let plan = try store.run("migrate", "--rollback", "--dry-run", "--json").objects()
    #expect(plan.first?["id"] as? String == "schema/2")
    #expect(try Self.states(store) == ["schema/1": "applied", "schema/2": "applied"])
    let row = try store.run("migrate", "--rollback", "schema/2", "--json").objects()
    #expect(row.first?["state"] as? String == "undone")
    #expect((row.first?["lost"] as? [String])?.isEmpty == true)
    #expect(try Self.states(store) == ["schema/1": "applied", "schema/2": "undone"])
    #expect(try store.run("migrate", "--rollback").status == 0)
    #expect(try Self.states(store) == ["schema/1": "undone", "schema/2": "undone"])
    #expect(try store.run("migrate", "--rollback").status == 1)
  }

  @Test func `a file of any size that is too large is refused in the form of all others`() throws {
    let store = Store("schema-large")
    let path = try Scratch.file("large.json", Data(count: 17 << 20))
    for words in [["set", path], ["set", "--dry-run", path], ["set", "/dev/zero"]] {
      let result = try store.run(["schema"] + words)
      #expect(result.status == 65)
      #expect(result.errors.hasPrefix("\(words.last ?? ""): /: json: "), "\(result.errors)")
    }
  }

  @Test func `nothing stored steers the terminal where faults and rules are listed`() throws {
    let store = Store("schema-check")
    let event =
      #"{"kind":"index","item":"a\u001b[31m\nb","domain":"films","attributes":{"ex_a":"x"}}"#
    try store.append(Data(event.utf8))
    let found = try store.run("schema", "check", Self.schema(#""ex_a": {"type": "integer"}"#))
    #expect(found.status == 1)
    #expect(found.text == "a [31m b  ex_a: type\n")
    let added = try store.run("retention", "add", "--events", "5", "--domain", "a\u{1B}[31m")
    #expect(added.status == 0)
    #expect(try store.run("retention", "list").text.contains(" in a [31m: keep 5"))
  }

  @Test func `a list is added to by an older name as well`() throws {
    let store = Store("schema-lists")
    let file = try Self.schema(
      #""ex_a": {"type": "keyword", "multi": true, "aliases": ["ex_old"]}"#)
    for words in [
      ["schema", "set", file], ["index", "a", "--domain", "films", "--set", "ex_old=x"],
      ["update", "a", "--add", "ex_old=y"],
      ["update", "a", "--add", "ex_a=z", "--remove", "ex_old=x"],
    ] { #expect(try store.run(words).status == 0, "\(words)") }
    let row = try #require(try store.run("items", "--json").objects().first)
    #expect((row["attributes"] as? [String: Any])?["ex_a"] as? [String] == ["y", "z"])
  }

  @Test func `a plan says what the change then takes, of words that were not indexed before`()
    throws
  {
    let store = Store("schema-plan")
    let lines = (0..<400).map { item in
      let words = (0..<20).map { "w\(item)x\($0)" }.joined(separator: " ")
      let attributes = #""attributes":{"ex_a":"\#(words)"}"#
      return #"{"kind":"index","item":"\#(item)","domain":"films",\#(attributes)}"#
    }
    try store.append(Data(lines.joined(separator: "\n").utf8))
    let file = try Self.schema(#""ex_a": {"type": "text", "searchable": true}"#)
    func change(_ more: String...) throws -> (events: Int, bytes: Int) {
      let result = try store.run(["schema", "set", file, "--json"] + more)
      let row = try #require(try result.objects().first)
      return (try #require(row["events"] as? Int), try #require(row["bytes"] as? Int))
    }
    let plan = try change("--dry-run")
    let done = try change()
    #expect(plan.events == 400 && done.events == 400)
    #expect(plan.bytes > done.bytes / 2 && plan.bytes < done.bytes * 2, "\(plan) \(done)")
  }

  @Test func `a domain that a schema moved is no slip of a purge that takes it`() throws {
    let store = Store("schema-purge")
    try store.append(Data(#"{"kind":"index","item":"a","domain":"movies"}"#.utf8))
    let step = #"{"domain": "movies", "op": "move", "to": "films"}"#
    let text = #"{"cairnSchema": 1, "domains": {}, "upcasters": [\#(step)]}"#
    let file = try Scratch.file("schema.json", Data(text.utf8))
    #expect(try store.run("schema", "set", file).status == 0)
    for domain in ["movies", "films"] {
      let plan = try store.run("purge", "--domain", domain, "--dry-run")
      #expect(plan.status == 0 && plan.errors.isEmpty, "\(plan.errors)")
      #expect(plan.text.hasPrefix("would erase 1 event "), "\(plan.text)")
    }
  }

  @Test func `stats names the schema in force then`() throws {
    let store = Store("schema-stats")
    try store.append(Data(#"{"kind":"index","item":"a","attributes":{"title":"A"}}"#.utf8))
    func schema(_ arguments: String...) throws -> [String: Int]? {
      let row = try #require(try store.run(["stats", "--json"] + arguments).objects().first)
      return row["schema"] as? [String: Int]
    }
    #expect(try schema() == nil)
    #expect(
      try store.run("schema", "set", Self.schema(#""ex_a": {"type": "integer"}"#)).status == 0)
    #expect(try schema() == ["version": 1, "sequence": 2])
    #expect(try schema("--as-of", "1") == nil)
  }
}
