import Foundation
import Testing

/// Going back, as new events.
@Suite struct UndoTests {
  private static func store() throws -> Store {
    try Store(running: [
      ["index", "a", "--domain", "work", "--title", "Alpha", "--keyword", "k"],
      ["index", "b", "--domain", "home", "--title", "Beta"], ["view", "a"],
      ["update", "a", "--title", "Gamma"],
    ])
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

  @Test(arguments: ["1.5", "2.", "1e0", " 1"])
  func `a number that is not whole is no time of 1970`(since: String) throws {
    let store = try Self.store()
    #expect(try store.run("undo", since).status == 64)
    #expect(try store.headNow() == 4)
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

  @Test func `more events than there are cannot be undone, whatever a purge left`() throws {
    let store = try Self.store()
    #expect(try store.run("purge", "--item", "b", "--yes").status == 0)
    for count in ["5", "6", "18446744073709551615"] {
      let result = try store.run("undo", count)
      #expect(result.status == 1 && result.errors.contains("only 4 events"), "\(result.text)")
    }
    #expect(try store.run("undo", "4").status == 0)
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

  @Test func `a date of expiry is taken back, and what has expired since goes`() throws {
    let store = try Self.store()
    #expect(try store.run("update", "b", "--expires", "2199-01-01").status == 0)
    #expect(try store.run("undo").text.hasPrefix("1 item as before"))
    #expect(try store.run("show", "b", "--json").objects().first?["expires"] == nil)
    let old = Store("undo-expired")
    let lines = #"""
      {"kind":"index","item":"c","recorded":1,"expires":"1970-01-01T00:01:40Z"}
      {"kind":"index","item":"c","recorded":2,"attributes":{"title":"New"}}
      """#
    try old.append(Data(lines.utf8))
    #expect(try old.run("undo").text.hasPrefix("1 item taken away again"))
    #expect(try old.run("show", "c").status == 1)
  }

  private static func append(_ events: [String], to store: Store) throws {
    let lines = events.map { #"{"kind":"index","item":"p",\#($0)}"# }
    try store.append(Data(lines.joined(separator: "\n").utf8))
  }

  private static func page(_ attributes: String) -> String {
    #""domain":"web.a","source":"web","attributes":{\#(attributes)}"#
  }

  @Test func `what a web page says is taken back, and what an app gave stays`() throws {
    let store = Store("undo-page")
    let own = #""domain":"d","attributes":{"title":"Own"}"#
    let pages = ["giraffe", "lion"].map { Self.page(#""title":"Page","textContent":"\#($0)""#) }
    try Self.append([own] + pages, to: store)
    func found(_ words: String...) throws -> [Int] {
      try words.map { try store.run("search", $0, "--exact", "--json").objects().count }
    }
    #expect(try store.run("undo").text.hasPrefix("1 item as before (event 4)"))
    #expect(try found("giraffe", "lion", "own") == [1, 0, 1])
    let plan = try store.run("revert", "--to", "1", "--dry-run").text
    #expect(plan.hasPrefix("  delete  p  (its web page)\n"), "\(plan)")
    #expect(try store.run("revert", "--to", "1").text.hasPrefix("1 item as before (event 5)"))
    #expect(try found("giraffe", "lion", "own") == [0, 0, 1])
    let row = try #require(try store.json(["items"], as: ItemRow.self).first)
    #expect(row.domain == "d" && row.attributes?.count == 1)
    #expect(try store.run("undo").status == 0)
    #expect(try found("giraffe", "lion", "own") == [1, 0, 1])
    #expect(try store.run("update", "p", "--title", "Mine").status == 0)
    #expect(try store.run("undo").status == 0)
    // What the page says by and by is not covered by what it said.
    try Self.append([Self.page(#""textContent":"zebra""#)], to: store)
    #expect(try found("giraffe", "zebra", "own", "mine") == [0, 1, 1, 0])
    #expect(try store.run("verify", "--deep").status == 0)
  }

  @Test func `what an app gave above a web page is taken back`() throws {
    let store = Store("undo-own")
    try Self.append([Self.page(#""title":"Page""#)], to: store)
    #expect(try store.run("view", "p").status == 0)
    try Self.append([#""domain":"d","attributes":{"title":"Own"}"#], to: store)
    #expect(try store.run("undo").text.contains("1 view stays in the log"))
    #expect(try Self.titles(store) == ["p Page"])
    try Self.append([Self.page(#""title":"Newer""#)], to: store)
    #expect(try Self.titles(store) == ["p Newer"])
    let view = #"{"kind":"view","item":"p","attributes":{"title":"Seen"}}"#
    try store.append(Data(view.utf8))
    #expect(try store.run("undo").text.contains("a use, which is not taken back"))
  }

  @Test func `what a purge erased is none of the last events`() throws {
    let store = try Self.store()
    for title in ["One", "Two"] {
      #expect(try store.run("view", "b").status == 0)
      #expect(try store.run("update", "a", "--title", title).status == 0)
    }
    #expect(try store.run("purge", "--kind", "view", "--yes", "--all-of-it").status == 0)
    // The purge, `Two` and `One`; the two views between them are gone.
    #expect(try store.run("undo", "3").status == 0)
    #expect(try Self.titles(store) == ["a Gamma", "b Beta"])
    let last = try store.run("undo", "9")
    #expect(last.status == 1 && last.errors.contains("has only 7 events"), "\(last.errors)")
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
    #expect(try store.run("undo").text.hasPrefix("the last event is a schema"))
    let same = try store.run("revert", "--to", "1", "--item", "i").text
    #expect(same.hasPrefix("the items are what they were then"), "\(same)")
    #expect(try store.run("delete", "--all").status == 0)
    let done = try store.run("undo", "1", "--yes")
    #expect(done.status == 0 && done.text.hasPrefix("2 items brought back"), "\(done.errors)")
    #expect(try store.json(["items"], as: ItemRow.self).map(\.item) == ["i", "k"])
    // Nor does another store that is given the same events.
    let events = try store.run("replay", "--json").output
    let other = Store("undo-schema-again")
    #expect(try other.append(events).rejected == 0)
    #expect(try other.json(["items"], as: ItemRow.self).map(\.item) == ["i", "k"])
  }

  @Test func `nothing passes a schema by saying that it was brought back`() throws {
    let store = Store("undo-claimed")
    let bad = #""item":"i","domain":"d","attributes":{"n":"bad"}"#
    try store.append(Data(#"{"kind":"index",\#(bad)}"#.utf8))
    let schema = #"{"cairnSchema":1,"domains":{"d":{"attributes":{"n":{"type":"integer"}}}}}"#
    let file = try Scratch.file("schema.json", Data(schema.utf8))
    #expect(try store.run("schema", "set", file).status == 0)
    let claims = [
      #"{"kind":"index","item":"x","domain":"d","attributes":{"n":"bad"},"restored":true}"#,
      #"{"kind":"index","item":"i","domain":"d","attributes":{"n":"worse"},"restored":true}"#,
      #"{"kind":"index","item":"i","domain":"d.e","attributes":{"n":"bad"},"restored":true}"#,
      #"{"kind":"update",\#(bad),"restored":true}"#,
    ]
    let refused = try store.run(
      "append", "--json", input: Data(claims.joined(separator: "\n").utf8))
    #expect(refused.status == 65 && refused.text.contains(#""rejected":4"#), "\(refused.text)")
    // What the item was is no claim.
    #expect(try store.append(Data(#"{"kind":"index",\#(bad),"restored":true}"#.utf8)).accepted == 1)
  }

  /// Each claim that walked all versions anew would take minutes, in which nobody else appends.
  @Test func `many events that say an item was brought back cost one walk over its versions`()
    throws
  {
    let store = Store("undo-claimed-often")
    func lines(_ numbers: Range<Int>, _ end: String) -> Data {
      let lines = numbers.map {
        #"{"kind":"index","item":"i","domain":"d","attributes":{"n":"\#($0)"}\#(end)}"#
      }
      return Data(lines.joined(separator: "\n").utf8)
    }
    try store.append(lines(0..<2_000, ""))
    let schema = #"{"cairnSchema":1,"domains":{"d":{"attributes":{"n":{"type":"integer"}}}}}"#
    let file = try Scratch.file("schema.json", Data(schema.utf8))
    #expect(try store.run("schema", "set", file).status == 0)
    let result = try store.run(
      "append", "--json", input: lines(1_998..<4_000, #","restored":true"#))
    #expect(result.text.contains(#""accepted":2,"duplicates":0,"rejected":2000"#), "\(result.text)")
  }

  @Test func `a stream that brings back what one of its own lines gave is taken whole`() throws {
    let store = Store("undo-stream")
    let schema = #"{"cairnSchema":1,"domains":{"d":{"attributes":{"n":{"type":"integer"}}}}}"#
    let file = try Scratch.file("schema.json", Data(schema.utf8))
    #expect(try store.run("schema", "set", file).status == 0)
    // Where it was given nothing is declared; a move is asked for no other key.
    let lines = [
      #"{"kind":"index","item":"i","domain":"free","attributes":{"n":"any"}}"#,
      #"{"kind":"update","item":"i","domain":"d"}"#, #"{"kind":"delete","item":"i"}"#,
    ]
    #expect(try store.append(Data(lines.joined(separator: "\n").utf8)).accepted == 3)
    #expect(try store.run("undo").text.hasPrefix("1 item brought back"))
    let other = Store("undo-stream-again")
    #expect(try other.append(try store.run("replay", "--json").output).rejected == 0)
    #expect(try other.contents() == store.contents())
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
    let use = try store.run("undo")
    #expect(use.text.contains("is a use, which is not taken back") && use.text.contains("undo 2"))
    for _ in 0..<2 { #expect(try store.run("view", "a").status == 0) }
    let uses = try store.run("undo")
    #expect(uses.text.contains("last 3 events are uses, which are") && uses.text.contains("undo 4"))
    let schema = try Scratch.file("s.json", Data(#"{"cairnSchema":1,"domains":{"a":{}}}"#.utf8))
    #expect(try store.run("schema", "set", schema).status == 0)
    #expect(try store.run("undo").text.contains("cairn schema undo"))
    #expect(try store.run("schema", "undo").status == 0)
    #expect(try store.run("undo", "1 hour ago").status == 0)
    #expect(try Self.titles(store) == [])
    #expect(try store.run("undo", "1 hour ago").errors.isEmpty)
    #expect(try store.run("undo", "99").status == 1)
    #expect(try store.run("undo", "soon").status == 64)
  }
}
