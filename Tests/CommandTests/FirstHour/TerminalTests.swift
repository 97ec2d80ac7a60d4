import Foundation
import Testing

/// What people at a terminal see and programs do not.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
    "needs script of util-linux"))
struct TerminalTests {
  private static func see(_ store: Store, _ line: String, pager: String = "") throws -> [String] {
    let command = "\(Store.binary) \(line)"
    let result = try Shell.run(
      "/usr/bin/script", ["-qec", command, "/dev/null"],
      environment: [
        "CAIRN_STORE": store.path, "COLUMNS": "100", "PAGER": pager, "TZ": "UTC0",
      ])
    let text = String(String.UnicodeScalarView(result.text.unicodeScalars.filter { $0 != "\r" }))
    return text.split(separator: "\n").map(String.init)
  }

  private static func store() throws -> Store {
    try Store(running: [
      ["index", "a", "--title", "Toy story"], ["index", "b", "--title", "Toy boat"], ["view", "a"],
    ])
  }

  @Test func `lists have headings and counts, and the log begins with the newest`() throws {
    let store = try Self.store()
    let log = try Self.see(store, "log")
    #expect(log.first?.contains("EVENT") == true, "\(log)")
    #expect(log.dropFirst().first?.contains(" 3 ") == true, "\(log)")
    #expect(log.last == "3 events", "\(log)")
    let old = try Self.see(store, "log --oldest-first -n 1")
    #expect(old.dropFirst().first?.contains(" 1 ") == true, "\(old)")
    #expect(try Self.see(store, "items").first?.hasPrefix("ITEM") == true)
    #expect(try Self.see(store, "top").last == "1 item")
    #expect(try store.run("log").text.split(separator: "\n").first?.hasPrefix("1\t") == true)
  }

  @Test func `a domain that there is none of is told of wherever one can ask for it`() throws {
    let store = try Self.store()
    try #require(store.run("index", "c", "--title", "Toy car", "--domain", "home").status == 0)
    let told = "cairn: no domain is named 'hoem'; did you mean --domain 'home'?"
    for line in ["search toy", "items", "top", "log", "timeline"] {
      #expect(try Self.see(store, "\(line) --domain hoem").contains(told), "\(line)")
      #expect(try !Self.see(store, "\(line) --domain home").contains(told), "\(line)")
    }
  }

  @Test func `an actor that there is none of is told of, and who is called almost so`() throws {
    let store = try Store(running: [["view", "a", "--actor", "Ann Lee"]])
    let told = "cairn: no actor is named 'ann lee'; did you mean --actor 'Ann Lee'?"
    #expect(try Self.see(store, "log --actor 'ann lee'").contains(told))
    #expect(try Self.see(store, "log --actor 'Ann Lee'").last == "1 event")
  }

  @Test func `an end that is over when it is given is told of`() throws {
    let store = Store()
    let told =
      "cairn: --expires: 1970-01-01 00:00Z is over, so the item is gone now; "
      + "for days from now write 30d"
    #expect(try Self.see(store, "index a --title A --expires 30").first == told)
    #expect(try Self.see(store, "index a --title A --expires 30d").count == 1)
    #expect(try store.run("index", "a", "--expires", "30").errors.isEmpty)
  }

  @Test(arguments: ["nosuchpager -R", "/no/such/pager", "X=1 cat", "sed s/x/x/"])
  func `a log is seen whatever the pager is`(pager: String) throws {
    let log = try Self.see(Self.store(), "log", pager: pager)
    #expect(log.contains { $0.contains("EVENT") } && log.last == "3 events", "\(log)")
  }

  @Test func `a store that is new where it was named is told of, once`() throws {
    for line in ["view a", "index b --title B"] {
      let other = Scratch.path("other")
      let told = "cairn: a new store: \(other)"
      #expect(try Self.see(Store(), "\(line) --store \(other)").contains(told), "\(line)")
      #expect(try !Self.see(Store(), "\(line) --store \(other)").contains(told), "\(line)")
      #expect(try !Self.see(Store(), line).contains { $0.contains("new store") }, "\(line)")
    }
  }

  @Test func `the log of one item shows who, and uses of no item are told of`() throws {
    let store = Store()
    let path = "a/long/path/of/a/page/that/fills/most/of/the/row/of/a/terminal/and/more/index.html"
    let line = ["view", path, "--title", path, "--actor", "83.149.9.216"]
    try #require(store.run(line).status == 0)
    #expect(try Self.see(store, "log \(path)").contains { $0.contains("83.149.9.216") })
    #expect(try store.run("log", path).text.contains(path))
    for line in ["view nosuch", "select tide nosuch", "less nosuch"] {
      let seen = try Self.see(store, line)
      #expect(seen.contains { $0.contains("no item has the id 'nosuch'") }, "\(seen)")
    }
    #expect(try !Self.see(store, "view \(path)").contains { $0.contains("no item") })
    let year = try Self.see(store, "items --as-of 2025")
    #expect(year.first?.contains("2025 is taken as an event's number") == true, "\(year)")
  }

  @Test(arguments: [("migrate --status", 80), ("evaluate", 60)])
  func `a table fits the terminal, and nothing in it is cut`(line: String, columns: Int) throws {
    let uses = String(repeating: #"{"kind":"view","item":"a"}\#n"#, count: 40)
    let store = try Self.store()
    try store.append(Data(uses.utf8))
    let result = try Shell.run(
      Store.binary, line.split(separator: " ").map(String.init),
      environment: ["CAIRN_STORE": store.path, "COLUMNS": "\(columns)"])
    #expect(result.status == 0 && !result.text.contains("…"), "\(result.text)")
    let rows = result.text.split(separator: "\n").filter { !$0.hasPrefix("fitted") }
    #expect(rows.allSatisfy { $0.count <= columns }, "\(result.text)")
  }

  @Test func `a pager shows the log`() throws {
    let store = try Self.store()
    let seen = try Self.see(store, "log", pager: "sed s/^/page:/")
    #expect(seen.filter { $0.hasPrefix("page:") }.count == 4, "\(seen)")
    #expect(seen.filter { $0.hasPrefix("page:") }.last?.contains("Toy story") == true, "\(seen)")
  }

  @Test func `nothing found is an answer`() throws {
    let store = try Self.store()
    #expect(
      try Self.see(store, "search toy boat zzzz")
        == ["no item has all of these words; 2 have “toy”, 1 has “boat”, 0 have “zzzz”"])
    for (line, said) in [
      ("search toy --filter 'title == \"x\"'", "no item that fits has this word"),
      ("search toy --offset 5", "no items after the first 5"),
      ("search '\"boat toy\"'", "no item has all of this"),
      (
        "search boat toy --match phrase",
        "no item has this phrase; 1 has “boat”, 2 have “toy”"
      ),
    ] { #expect(try Self.see(store, line) == [said], "\(line)") }
    #expect(
      try Self.see(store, "snapshot list") == [
        "no snapshots; make one with: cairn snapshot create NAME"
      ])
    #expect(try Self.see(store, "update nope --title x").first?.contains("no such item") == true)
  }

  @Test(arguments: [
    ("top --domain nope", "no item here was viewed yet; all items: cairn items"),
    ("timeline --domain nope", "no event fits"), ("diff 1 1", "no item differs between the two"),
    ("diff 0 2", "2 changes"), ("diff 2", "no item differs between the two"),
    ("schema check", "nothing here breaks it"),
    ("schema history", "no schema was set yet; set one with: cairn schema set FILE"),
    ("migrate --plan", "nothing is pending"),
    ("delete --domain nope", "cairn: no item is there, so this is recorded without effect"),
    ("delete --domain elsewhere", "cairn: no domain is named 'elsewhere'"),
    ("delete --domain elsewhere --dry-run", "cairn: no domain is named 'elsewhere'"),
    ("diff 1 1 --domain elsewhere", "cairn: no domain is named 'elsewhere'"),
    ("revert --to 1 --domain elsewhere", "cairn: no domain is named 'elsewhere'"),
  ]) func `every command has a last word`(line: String, said: String) throws {
    let seen = try Self.see(Self.store(), line)
    #expect(seen.contains(said), "\(seen)")
    #expect(!seen.contains { $0.contains("Type yes") }, "\(seen)")
  }

  @Test(arguments: [("bash", "#1700000000\nls -la\n"), ("z", "/srv/a|3|1700000000\n")])
  func `what was deleted does not come back with an import, and that is said`(
    format: String, text: String
  ) throws {
    let store = Store()
    let history = try Scratch.file("history", Data(text.utf8))
    try #require(store.run("index", "other", "--title", "Other").status == 0)
    func isTold() throws -> Bool {
      try Self.see(store, "import \(format) \(history)").contains {
        $0.contains("what was deleted comes back with cairn undo or revert, not with an import")
      }
    }
    for _ in 0..<2 { #expect(try !isTold()) }
    // What is of others is not meant.
    try #require(store.run("delete", "other").status == 0)
    #expect(try !isTold())
    try #require(store.run("revert", "--to", "1").status == 0)
    #expect(try isTold())
    try #require(store.run("delete", "--all").status == 0)
    #expect(try isTold())
  }

  @Test func `an import that a source undoes itself is told of by nobody`() throws {
    let store = Store()
    let history = try Scratch.file(
      "history.log",
      Data(
        """
        Start-Date: 2024-01-01  10:00:00
        Install: tide:amd64 (1.0)
        End-Date: 2024-01-01  10:00:01

        Start-Date: 2024-01-02  10:00:00
        Remove: tide:amd64 (1.0)
        End-Date: 2024-01-02  10:00:01

        """.utf8))
    for _ in 0..<2 {
      let seen = try Self.see(store, "import apt \(history)")
      #expect(!seen.contains { $0.contains("what was deleted") }, "\(seen)")
    }
  }

  @Test func `what expired was not deleted, whatever else was`() throws {
    let store = Store()
    let events = try Scratch.file(
      "events",
      Data(
        #"""
        {"kind":"index","item":"a","domain":"b.c","expires":"2020-01-01T00:00:00Z","attributes":{}}
        {"kind":"index","item":"z","domain":"b.c","attributes":{}}

        """#.utf8))
    try #require(store.run("append", events).status == 0)
    let stored = try Scratch.file("stored", store.run("export").output)
    func isTold() throws -> Bool {
      try Self.see(store, "append \(stored)").contains { $0.contains("what was deleted") }
    }
    #expect(try !isTold())
    for line in [["index", "x", "--domain", "d"], ["delete", "--domain", "d", "--yes"]] {
      try #require(store.run(line).status == 0)
    }
    #expect(try !isTold())
    try #require(store.run("delete", "--domain", "b", "--yes").status == 0)
    #expect(try isTold())
  }

  @Test func `an import that was undone and purged comes anew`() throws {
    let store = Store()
    let history = try Scratch.file("history", Data("#1700000000\nls -la\n#1700000001\npwd\n".utf8))
    try #require(store.run("index", "other", "--title", "Other").status == 0)
    let told = "to import it anew, with other options: cairn purge --events 2-3, then import"
    #expect(try Self.see(store, "import bash \(history) --host wrong").contains(told))
    #expect(try Self.see(store, "undo 2 --yes").contains(told))
    #expect(try !Self.see(store, "delete other --yes").contains { $0.contains("anew") })
    try #require(store.run("purge", "--events", "2-3", "--yes").status == 0)
    try #require(store.run("import", "bash", history, "--host", "right").status == 0)
    #expect(try store.run("items", "--domain", "shell.right").text.contains("pwd"))
  }

  @Test(arguments: [
    "append", "search --queries -", "schema set -", "inspect -", "import -", "import bash -",
    "mcp",
  ])
  func `what waits for somebody to type says so`(line: String) throws {
    let store = try Self.store()
    let told = "cairn: reading what you type; Ctrl-D on a line of its own ends it"
    let seen = try Self.see(store, line)
    #expect(seen.filter { $0.contains(told) }.count == 1, "\(seen)")
    let words = line.split(separator: " ").map(String.init)
    #expect(try !store.run(words, input: Data()).errors.contains("what you type"))
  }

  @Test func `a witness that trusts no log says how it would`() throws {
    let state = Scratch.path("witness")
    let line = ["witness", "key", "--name", "example.com/w", "--state", state]
    try #require(Shell.run(Store.binary, line).status == 0)
    let seen = try Self.see(Store(), "witness logs --state \(state)")
    #expect(seen == ["no log is trusted; trust one with: cairn witness trust VKEY"])
  }

  @Test func `going back says how to go forward again`() throws {
    let store = try Self.store()
    try #require(store.run("delete", "a", "b").status == 0)
    for isEmpty in [false, true] {
      let seen = try Self.see(store, "undo 2 --yes")
      #expect(seen.last == "to undo it: cairn undo 2", "\(seen)")
      #expect(try store.run("items").output.isEmpty == isEmpty)
    }
    #expect(try !Self.see(store, "undo --yes").contains { $0.contains("to undo it") })
  }

  @Test func `what will not be found later is told of at once`() throws {
    let store = Store()
    let table = try Scratch.file("table", Data("kind,item\nview,a\n".utf8))
    let refused = try Self.see(store, "append \(table)")
    #expect(refused.contains { $0.hasSuffix("cairn import FILE") }, "\(refused)")
    let only = try Self.see(store, "index 'Buy milk'")
    #expect(only.contains { $0.contains("cairn update 'Buy milk' --title TEXT") }, "\(only)")
    #expect(try Self.see(store, "index a --title Milk").count == 1)
    let other = Store()
    #expect(try other.run("view", "a").status == 0)
    let items = try Self.see(other, "items")
    #expect(items.contains { $0.contains("a view makes an item only with a title") }, "\(items)")
    #expect(try Self.see(store, "items --domain x").contains("no item is there that fits"))
  }

  @Test func `a wrong file is said once`() throws {
    let store = try Self.store()
    let lines = (1...500).map { "{\"id\":\($0),\"name\":\"x\"}\n" }.joined()
    let file = try Scratch.file("wrong.ndjson", Data(lines.utf8))
    let seen = try Self.see(store, "append \(file)")
    let refused = seen.filter { $0.contains("no `kind`") }
    #expect(refused.count == 11, "\(seen.count)")
    #expect(refused.last?.contains("and 490 more lines, all for this: no `kind`") == true)
    #expect(refused.last?.hasSuffix("--rejects FILE") == true)
  }

  @Test func `the bare command tells of the store, and what to do next`() throws {
    let store = try Self.store()
    let seen = try Self.see(store, "")
    #expect(seen.first == store.path)
    #expect(seen.contains { $0.contains("3 events about 2 items") }, "\(seen)")
    #expect(seen.contains { $0.contains("cairn search TEXT") })
    let none = try Self.see(Store(), "")
    #expect(none.contains { $0.contains("USAGE") })
    let script = try Shell.run(Store.binary, [], environment: ["CAIRN_STORE": store.path])
    #expect(script.status == 64)
  }
}
