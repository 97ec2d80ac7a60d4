import Foundation
import Testing

/// What a data protection officer tries: lists that were changed, names written in other ways,
/// names of snapshots, and what comes back.
@Suite struct ErasingAPersonTests {
  private static let people = (1...6).map { ["index", "p\($0)", "--title", "Page \($0)"] }

  private static func bytes(_ store: Store) throws -> Data {
    try Data(contentsOf: URL(filePath: store.path + "/log.mdb"))
  }

  /// A copy that still has the five events which the list of its original names.
  private static func copyAndList() throws -> (copy: Store, list: String) {
    let store = try Store(running: people)
    let directory = Scratch.path("copy")
    for line in [
      ["snapshot", "create", "first"], ["snapshot", "restore", "first", "--into", directory],
      ["purge", "--events", "1-3,5-6", "--yes", "--all-of-it"],
    ] { try #require(store.run(line).status == 0) }
    return (Store(at: directory), try store.run("purges", "export").text)
  }

  @Test(arguments: [true, false]) func `a list that was changed erases nothing`(isSealed: Bool)
    throws
  {
    let (copy, exported) = try Self.copyAndList()
    var list = exported
    if !isSealed { list.replace(#/,"digest":"[^"]*"/#, with: "") }
    #expect(list.contains("\"digest\"") == isSealed)
    let lines = list.split(separator: "\n")
    // Another event's sequence in the middle, and another hash in the last line.
    let moved = list.replacing("\"sequence\":3", with: "\"sequence\":4")
    let swapped = list.replacing(
      lines[5], with: lines[4].replacing("\"sequence\":5", with: "\"sequence\":6"))
    for (changed, place) in [(moved, "line 4"), (swapped, "line 6")] {
      let file = try Scratch.file("purges", Data(changed.utf8))
      for line in [
        ["purges", "apply", file, "--yes"], ["purges", "apply", file, "--dry-run"],
        ["restore", copy.path, "--into", Scratch.path("into"), "--purges", file],
      ] {
        let refused = try copy.run(line)
        #expect(refused.status == 65, "\(refused.errors)")
        #expect(refused.errors.contains(isSealed ? "was changed" : place), "\(refused.errors)")
      }
    }
    #expect(try copy.run("items", "--json").objects().count == 6)
    let whole = try Scratch.file("purges", Data(list.utf8))
    let done = try copy.run("purges", "apply", whole, "--yes", "--json")
    #expect(try done.objects().first?["events"] as? Int == 5, "\(done.errors)")
  }

  @Test func `a copy that went its own way passes over what it never had`() throws {
    let store = try Store(running: Self.people)
    let directory = Scratch.path("copy")
    #expect(try store.run("snapshot", "create", "first").status == 0)
    #expect(try store.run("snapshot", "restore", "first", "--into", directory).status == 0)
    let copy = Store(at: directory)
    #expect(try copy.run("index", "own", "--title", "Own").status == 0)
    #expect(try store.run("index", "other", "--title", "Other").status == 0)
    #expect(try store.run("purge", "--events", "1,7", "--yes").status == 0)
    let list = Scratch.path("purges")
    #expect(try store.run("purges", "export", list).status == 0)
    let (backup, place) = (Scratch.path("backup"), Scratch.path("restored"))
    #expect(try copy.run("backup", backup).status == 0)
    let restored = try copy.run("restore", backup, "--into", place, "--purges", list, "--json")
    #expect(try restored.objects().first?["purged"] as? Int == 1, "\(restored.errors)")
    let done = try copy.run("purges", "apply", list, "--yes", "--json")
    #expect(try done.objects().first?["events"] as? Int == 1, "\(done.errors)")
    #expect(try copy.run("show", "own").status == 0)
  }

  @Test(arguments: [
    (
      "jürgen röhm",
      [
        "50%ab. Jürgen\nRöhm kommt", "http://a/?x=%FC and Jürgen\nRöhm",
        "https://h/J%C3%BCrgen%20R%C3%B6hm?ie=%E9", "u?q=J%FCrgen+R%F6hm",
        "u?to=https%3A%2F%2Fa%2F%3Fq%3DJ%25C3%25BCrgen%2520R%25C3%25B6hm",
      ]
    ),
    ("keßler", ["KESSLER", "Keßler", "keßler", "ＫＥＳＳＬＥＲ", "u?q=ke%C3%9Fler"]),
    ("kessler", ["Keßler", "Kessler"]), ("Müller", ["MÜLLER", "Mu\u{308}ller", "M%C3%BCller"]),
    ("jane roe", ["https://x.example/?q=jane+roe", "Jane%20Roe", "jane roe"]),
    ("jane roe", ["said JANE  ROE", "Jane\nRoe", "Jane\r\n\tRoe", "Jane\u{A0}Roe", "q=jane++Roe"]),
    ("Keßler\u{A0}Mara", ["kessler mara", "Keßler\nMara"]),
    ("jane roe", ["jane_roe", "Jane-Roe", "jane.roe2@x.example", "Jane, Roe"]),
    ("jane roe", ["https://x.example/Jane/Roe", "Jane (Roe)", "Jane—Roe|x"]),
    ("ジェーン ロウ", ["ジェーン・ロウ", "またジェーン＝ロウが"]), ("ジェーン・ロウ", ["ジェーン ロウ"]),
    ("山田 太郎", ["私は山田\n太郎です"]), ("data set", ["the data-set", "a data\n  settings"]),
    ("o'brien", ["O’Brien", "at O'BRIENS"]), ("Müller-Lüdenscheidt", ["Müller Lüdenscheidt"]),
  ]) func `what a search folds goes with a mention`(mention: String, titles: [String]) throws {
    var lines = titles.enumerated().map { ["index", "a\($0)", "--title", $1] }
    lines += (0..<10).map {
      ["index", "b\($0)", "--title", "Hello brien 100% %zz"]
    }
    let store = try Store(running: lines)
    let plan = try store.run("purge", "--mentioning", mention, "--dry-run", "--json").objects()
    #expect(plan.first?["events"] as? Int == titles.count)
    #expect(try store.run("purge", "--mentioning", mention, "--yes").status == 0)
    #expect(try store.run("search", mention, "--json").objects().isEmpty)
    // Folding leaves nothing of a lone accent, which is not to take everything.
    let none = try store.run("purge", "--mentioning", "\u{301}", "--dry-run", "--json").objects()
    #expect(none.first?["events"] as? Int == 0)
  }

  @Test func `a mention takes no words that are parts of others, or far from each other`() throws {
    let titles = [
      "/data/settings", "data=sets", "mydata-set", "data (sets)", "e&mails=x", "hemail",
      "mydata/set",
    ]
    let store = try Store(
      running: titles.enumerated().map { ["index", "a\($0)", "--title", $1] })
    for mention in ["data set", "e-mail"] {
      let plan = try store.run("purge", "--mentioning", mention, "--dry-run", "--json").objects()
      #expect(plan.first?["events"] as? Int == 0, "\(mention)")
    }
  }

  @Test func `a snapshot that is named so is told of, and deleting it leaves nothing`() throws {
    let store = try Store(
      running: Self.people + [
        ["index", "m", "--title", "Mara Keßler"], ["snapshot", "create", "before-Kessler-8812"],
        ["snapshot", "create", "other"],
      ])
    let plan = try store.run("purge", "--mentioning", "keßler", "--dry-run")
    #expect(plan.text.contains("before-Kessler-8812") && plan.text.contains("snapshot delete"))
    let done = try store.run("purge", "--mentioning", "keßler", "--yes")
    #expect(done.text.contains("1 snapshot with that text in its name"), "\(done.text)")
    let name = Data("Kessler-8812".utf8)
    #expect(try Self.bytes(store).range(of: name) != nil)
    #expect(try store.run("snapshot", "delete", "before-Kessler-8812").errors.isEmpty)
    #expect(try Self.bytes(store).range(of: name) == nil)
    #expect(try store.run("snapshot", "list", "--json").objects().count == 1)
    #expect(try store.run("verify", "--deep").status == 0)
  }

  @Test func `a rule that names somebody leaves nothing of the name when it is removed`() throws {
    let store = try Store(
      running: Self.people + [["retention", "add", "--domain", "hr.kessler-8813", "--days", "5"]])
    let name = Data("kessler-8813".utf8)
    #expect(try Self.bytes(store).range(of: name) != nil)
    #expect(try store.run("retention", "remove", "1").status == 0)
    #expect(try Self.bytes(store).range(of: name) == nil)
    #expect(try store.run("verify", "--deep").status == 0)
  }

  @Test(arguments: [["--mentioning", "kessler-8814"], ["--domain", "hr"]])
  func `a rule and a schema that name somebody are told of`(condition: [String]) throws {
    let schema = """
      {"cairnSchema":1,"domains":{"hr.kessler-8814":{"attributes":{"ex_a":{"type":"text"}}}}}
      """
    let file = try Scratch.file("schema", Data(schema.utf8))
    let store = try Store(
      running: Self.people + [
        ["index", "m", "--title", "x", "--domain", "hr.kessler-8814"],
        ["retention", "add", "--domain", "pub", "--days", "5"],
        ["retention", "add", "--domain", "hr.kessler-8814", "--days", "5"],
        ["schema", "set", file],
      ])
    for line in [["--dry-run"], ["--yes"]] {
      let said = try store.run(["purge"] + condition + line).text
      #expect(said.contains("retention remove 2") && !said.contains("remove 1"), "\(said)")
      #expect(said.contains("version 1 of the schema"), "\(said)")
    }
    let plan = try store.run(["purge"] + condition + ["--dry-run", "--json"]).objects().first
    #expect(plan?["rules"] as? [Int] == [2] && plan?["schemas"] as? [Int] == [1])
  }

  @Test(arguments: [
    ["--item", "p1"], ["--domain", "hr"], ["--mentioning", "P1"], ["--domain", "pub"],
  ])
  func `a consumer of a server that filters by what goes is told of`(condition: [String]) throws {
    let store = try Store(
      running: Self.people + [
        ["index", "m", "--title", "x", "--domain", "hr.p1"],
        ["index", "n", "--title", "y", "--domain", "pub"],
      ])
    let consumers = """
      {"consumer":"all","through":1}
      {"consumer":"mine","through":1,"domain":["hr.p1"],"item":["x","p1"]}

      """
    try Data(consumers.utf8).write(to: URL(filePath: store.path + "/serve.consumers"))
    let isNamed = condition != ["--domain", "pub"]
    let plan = try store.run(["purge"] + condition + ["--dry-run"]).text
    #expect(plan.contains("stays: the consumer mine of cairn serve") == isNamed, "\(plan)")
    #expect(!plan.contains("consumer all"))
    let rows = try store.run(["purge"] + condition + ["--dry-run", "--json"]).objects().first
    #expect(rows?["consumers"] as? [String] == (isNamed ? ["mine"] : nil))
    let done = try store.run(["purge"] + condition + ["--yes"]).text
    #expect(done.contains("1 consumer of cairn serve") == isNamed, "\(done)")
  }

  /// What shows an item on screen is about it, whatever other conditions there are.
  @Test(arguments: [
    ("--item jane --since 2026-02-01", [3, 4, 5]),
    ("--item jane --before 2026-06-01", [1, 3, 4, 5]),
    ("--item jane --kind impression", [3]), ("--item jane --query ja", [3, 4]),
    ("--domain hr --since 2026-02-01", [3, 4, 5]), ("--domain hr --kind select", [4]),
    ("--domain hr --until 2026-02-01", [1]), ("--item ghost --since 2020", [3, 6]),
    ("--item other --domain hr", []), ("--item ghost --actor u1", [6]),
  ]) func `what shows an item goes by several conditions`(line: String, gone: [Int]) throws {
    let store = Store()
    let events = """
      {"kind":"index","item":"jane","domain":"hr.jane","time":"2026-01-01T00:00:00Z","attributes":{"title":"Jane"}}
      {"kind":"index","item":"other","time":"2026-01-01T00:00:00Z","attributes":{"title":"Other"}}
      {"kind":"impression","time":"2026-03-01T00:00:00Z","query":"ja","shown":["other","jane","ghost"]}
      {"kind":"select","item":"other","time":"2026-03-02T00:00:00Z","query":"jan","shown":["other","jane"]}
      {"kind":"view","item":"jane","time":"2026-03-03T00:00:00Z"}
      {"kind":"select","item":"x","time":"2026-03-04T00:00:00Z","shown":["ghost","x"],"actor":"u1"}
      {"kind":"impression","time":"2026-03-05T00:00:00Z","shown":["x"],"actor":"u2"}
      """
    #expect(try store.run("append", input: Data(events.utf8)).status == 0)
    let conditions = ["purge"] + line.split(separator: " ").map(String.init)
    let listed = try store.run(conditions + ["--dry-run", "--list", "--json"]).objects()
    #expect(listed.compactMap { $0["sequence"] as? Int } == gone)
    #expect(try store.run(conditions + ["--yes", "--all-of-it"]).status == 0)
    let left = try store.run("log", "--json").objects().compactMap { $0["sequence"] as? Int }
    #expect(left.filter { $0 < 8 } == (1...7).filter { !gone.contains($0) })
    #expect(try store.run("verify", "--deep").status == 0)
  }

  @Test func `files of the server in which a name stands are told of`() throws {
    let store = try Store(running: Self.people)
    let files = [
      "buckets": #"{"id":"aw-watcher_jroe","hostname":"jroe","data":{}}"#,
      "rules": #"{"rules":[{"field":"title","match":"jroe secret","action":"drop"}]}"#,
      "settings": #"{"jroe's view":{"x":1}}"#, "tokens": #"{"name":"jroe-phone","scope":"read"}"#,
    ]
    for (name, text) in files {
      try Data("\(text)\n".utf8).write(to: URL(filePath: "\(store.path)/serve.\(name)"))
    }
    func named(_ line: String...) throws -> [String]? {
      let lines = try store.run(["purge"] + line + ["--dry-run", "--json"]).objects()
      return lines.first?["serverFiles"] as? [String]
    }
    let all = files.keys.sorted().map { "serve.\($0)" }
    #expect(try named("--mentioning", "jroe") == all)
    #expect(try named("--mentioning", "phone") == ["serve.tokens"])
    #expect(try named("--source", "activitywatch/aw-watcher_jroe") == ["serve.buckets"])
    let both = ["--source", "activitywatch/aw-watcher_jroe", "--mentioning", "phone"]
    #expect(try named(both[0], both[1], both[2], both[3]) == ["serve.buckets", "serve.tokens"])
    for key in ["nobody", "hostname", "scope", "read", "action"] {
      #expect(try named("--mentioning", key) == nil, "\(key)")
    }
    let plan = try store.run("purge", "--mentioning", "jroe", "--dry-run").text
    let done = try store.run("purge", "--mentioning", "jroe", "--yes").text
    for name in all {
      #expect(plan.contains("stays: \(name) of cairn serve, which names it; to "), "\(plan)")
      #expect(done.contains("still there: \(name) of cairn serve"), "\(done)")
    }
  }

  @Test func `a block by ids says that it is one, and the refusal names no domain`() throws {
    let store = try Store(running: Self.people)
    let id = UUID().uuidString
    let event = Data(
      "{\"id\":\"\(id)\",\"kind\":\"view\",\"item\":\"p1\",\"actor\":\"x\",\"time\":\"2026-01-01T00:00:00Z\"}\n"
        .utf8)
    #expect(try store.run("append", input: event).status == 0)
    let done = try store.run("purge", "--actor", "x", "--yes", "--block")
    #expect(done.text.contains("1 id of the erased events and nothing else"), "\(done.text)")
    #expect(done.text.contains("brings it back where its events get new ids"))
    let late = try store.run("purge", "--actor", "x", "--yes", "--block")
    #expect(late.text.hasPrefix("nothing to purge\nnothing more is refused"), "\(late.text)")
    #expect(!late.text.contains("brings it back"), "\(late.text)")
    let refused = try store.run("append", input: event)
    #expect(refused.status != 0 && refused.errors.contains("a purge refuses this event"))
    #expect(!refused.errors.contains("domain"), "\(refused.errors)")
    #expect(try store.run("purge", "--domain", "hr", "--yes", "--block").status == 0)
    let counts = try store.run("purges", "blocks", "--json").objects().first
    #expect(counts?["names"] as? Int == 1 && counts?["events"] as? Int == 1)
    for (name, isRefused) in [("hr", true), ("hr.pay", true), ("h", false), ("hrm", false)] {
      let asked = try store.run("purges", "blocks", "--domain", name, "--json")
      #expect(asked.status == (isRefused ? 0 : 1) && asked.errors.isEmpty, "\(name)")
      #expect(asked.text == "{\"refused\":\(isRefused)}\n", "\(name)")
    }
    #expect(try store.run("purge", "--item", "p1", "--yes", "--block").status == 0)
    #expect(try store.run("purges", "blocks", "--item", "p1").text == "refused\n")
    #expect(try store.run("purges", "blocks", "--item", "p2").status == 1)
  }

  @Test func `copies that moved or were restored are told of before and after`() throws {
    let store = try Store(running: Self.people)
    let (moved, kept, restored) = (
      Scratch.path("moved"), Scratch.path("kept"), Scratch.path("restored")
    )
    #expect(try store.run("backup", moved).status == 0)
    // What a full disk leaves of a line.
    let notes = try #require(FileHandle(forWritingAtPath: store.path + "/copies"))
    try notes.seekToEnd()
    try notes.write(contentsOf: Data(#"{"created":"2026"#.utf8))
    try notes.close()
    #expect(try store.run("backup", kept).status == 0)
    #expect(try store.run("restore", kept, "--into", restored).status == 0)
    try FileManager.default.moveItem(atPath: moved, toPath: moved + "-elsewhere")
    for line in [["--item", "p1", "--dry-run"], ["--item", "p1", "--yes"]] {
      let said = try store.run(["purge"] + line).text
      #expect(said.contains("1 copy is not where made") && said.contains(moved), "\(said)")
      #expect(said.contains("still holds some of it: \(kept)"), "\(said)")
      #expect(said.contains("still holds some of it: \(restored)"), "\(said)")
    }
    let receipt = try store.run("purge", "--item", "p2", "--yes", "--json").objects().first
    #expect((receipt?["copies"] as? [Any])?.count == 2)
    #expect((receipt?["lostCopies"] as? [Any])?.count == 1)
  }
}
