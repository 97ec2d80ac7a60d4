import Foundation
import Testing

/// Going back, as new events.
@Suite struct UndoTests {
  private static func store() throws -> Store {
    let store = Store()
    for line in [
      ["index", "a", "--domain", "work", "--title", "Alpha", "--keyword", "k"],
      ["index", "b", "--domain", "home", "--title", "Beta"], ["view", "a"],
      ["update", "a", "--title", "Gamma"],
    ] { try #require(store.run(line).status == 0) }
    return store
  }

  private static func titles(_ store: Store, _ more: String...) throws -> [String] {
    try store.json(["items"] + more, as: ItemRow.self).map { "\($0.item) \($0.title ?? "")" }
  }

  @Test func `the last event is taken back, and that as well`() throws {
    let store = try Self.store()
    #expect(try store.run("undo").status == 0)
    #expect(try Self.titles(store) == ["a Alpha", "b Beta"])
    #expect(try store.json(["items", "--domain", "work"], as: ItemRow.self).count == 1)
    #expect(try store.run("undo").status == 0)
    #expect(try Self.titles(store) == ["a Gamma", "b Beta"])
    #expect(try store.headNow() == 6)
  }

  @Test func `an empty name is nobody's: a script without its variable takes nothing away`()
    throws
  {
    let store = try Self.store()
    for option in ["--domain", "--item"] {
      let result = try store.run("revert", "--to", "0", option, "", "--yes")
      #expect(result.status == 64, "\(result.text)")
    }
    #expect(try store.run("diff", "0", "head", "--domain", "", "--json").output.isEmpty)
    #expect(try Self.titles(store) == ["a Gamma", "b Beta"])
    #expect(try store.headNow() == 4)
  }

  @Test func `a preview writes nothing, so who may only read gets it`() throws {
    let store = try Self.store()
    try FileManager.default.removeItem(atPath: store.path + "/writer.lock")
    for line in [["undo"], ["revert", "--to", "1"]] {
      #expect(try store.run(line + ["--dry-run"]).text.contains("would be"), "\(line)")
    }
    #expect(!FileManager.default.fileExists(atPath: store.path + "/writer.lock"))
  }

  @Test func `everything deleted comes back, a domain or an item of it`() throws {
    let store = try Self.store()
    #expect(try store.run("delete", "--all").status == 0)
    #expect(try Self.titles(store) == [])
    #expect(try store.run("revert", "--to", "4", "--item", "b").status == 0)
    #expect(try Self.titles(store) == ["b Beta"])
    #expect(try store.run("revert", "--to", "head~2", "--domain", "work", "--json").status == 0)
    #expect(try Self.titles(store) == ["a Gamma", "b Beta"])
    #expect(try store.run("revert", "--to", "1").status == 0)
    #expect(try Self.titles(store) == ["a Alpha"])
    #expect(try store.run("verify", "--deep").status == 0)
  }

  @Test func `a preview changes nothing`() throws {
    let store = try Self.store()
    let row = try #require(
      try store.run("undo", "4", "--dry-run", "--json").objects().first as? [String: Int])
    #expect(row == ["returning": 0, "leaving": 2, "changing": 0, "lostViews": 0])
    #expect(try store.run("delete", "--all", "--dry-run").text == "would delete 2 items\n")
    #expect(try store.headNow() == 4)
  }

  @Test func `views that a deletion takes are told of`() throws {
    let store = try Self.store()
    for _ in 0..<2 { #expect(try store.run("view", "a").status == 0) }
    #expect(try store.run("delete", "a").status == 0)
    let text = "its 3 views stay in the log but count no more\n"
    #expect(try store.run("undo", "--dry-run").text.hasSuffix(text))
    let plan = try store.run("undo", "--dry-run", "--json").objects().first
    #expect(plan?["lostViews"] as? Int == 3)
    let done = try store.run("undo", "--yes")
    #expect(done.text.hasPrefix("1 item brought back") && done.text.hasSuffix(text))
    #expect(try store.run("view", "a").status == 0)
    #expect(try store.run("delete", "--all").status == 0)
    let both = try store.run("undo", "--yes").text
    #expect(both.hasSuffix("their 1 view stays in the log but counts no more\n"), "\(both)")
  }

  @Test func `what a schema would refuse by now comes back as it was`() throws {
    let store = Store("undo-schema")
    let lines = [("i", #""bad""#), ("k", "1")].map { item, n in
      #"{"kind":"index","item":"\#(item)","domain":"d","attributes":{"n":\#(n)}}"#
    }
    try store.append(Data(lines.joined(separator: "\n").utf8))
    let schema = #"{"cairnSchema":1,"domains":{"d":{"attributes":{"n":{"type":"integer"}}}}}"#
    let file = try Scratch.file("schema.json", Data(schema.utf8))
    #expect(try store.run("schema", "set", file).status == 0)
    #expect(try store.run("delete", "--all").status == 0)
    let done = try store.run("undo", "1", "--yes")
    #expect(done.status == 0 && done.text.hasPrefix("2 items brought back"), "\(done.errors)")
    #expect(try store.json(["items"], as: ItemRow.self).map(\.item) == ["i", "k"])
  }

  @Test func `an import is undone by its number of events, which a time cannot name`() throws {
    let store = try Self.store()
    let file = try Scratch.file("zsh", Data(": 1700000000:0;ls\n: 1700000100:0;pwd\n".utf8))
    #expect(try store.run("import", "zsh", file).text.contains("(events 5–6)"))
    let old = Store()
    #expect(try old.run("import", "zsh", file).text.contains("(events 1–2)"))
    let byTime = try old.run("undo", "5 minutes ago")
    #expect(byTime.status == 0 && byTime.text.contains("nothing to bring back"))
    #expect(byTime.errors.contains("cairn revert --to N"), "\(byTime.errors)")
    #expect(try old.run("revert", "--to", "0").status == 0)
    #expect(try Self.titles(old) == [])
    #expect(try store.run("undo", "2").text.contains("2 items taken away again"))
    #expect(try Self.titles(store) == ["a Gamma", "b Beta"])
  }

  @Test func `views are not taken back, and a time says since when`() throws {
    let store = Store()
    #expect(try store.run("index", "a", "--title", "x").status == 0)
    #expect(try store.run("view", "a").status == 0)
    #expect(try store.run("undo").text.contains("nothing to bring back"))
    let schema = try Scratch.file("s.json", Data(#"{"cairnSchema":1,"domains":{"a":{}}}"#.utf8))
    #expect(try store.run("schema", "set", schema).status == 0)
    #expect(try store.run("undo").text.contains("cairn schema undo"))
    #expect(try store.run("schema", "undo").status == 0)
    #expect(try store.run("undo", "1 hour ago").status == 0)
    #expect(try Self.titles(store) == [])
    #expect(try store.run("undo", "99").status == 1)
    #expect(try store.run("undo", "soon").status == 64)
  }
}
