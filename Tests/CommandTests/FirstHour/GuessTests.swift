import Foundation
import Testing

/// Lines that newcomers type, and what they are told.
@Suite struct GuessTests {
  @Test(arguments: [
    (
      ["serch", "foo", "--limit", "3"],
      "cairn: no command 'serch'; did you mean search? see: cairn help"
    ),
    (["nonsense"], "cairn: no command 'nonsense'; see: cairn help"),
    (["delte", "x"], "cairn: no command 'delte'; see: cairn help delete"),
    (["purg"], "cairn: no command 'purg'; see: cairn help purge"),
    (["help", "serch"], "cairn: no command 'serch'; did you mean search? see: cairn help"),
    (["--store", "x"], "cairn: --store goes with a command, such as cairn stats; see: cairn help"),
    (["help", "log", "--nope"], "cairn: cairn log has no option '--nope'; see: cairn help log"),
    (["help", "time"], "cairn: no help is about 'time'; see: cairn help times"),
    (["help", "filter"], "cairn: no help is about 'filter'; see: cairn help filters"),
    (
      ["snapshot", "crate", "x"],
      "cairn: cairn snapshot has no command 'crate'; did you mean create? see: cairn help snapshot"
    ),
    (
      ["help", "snapshot", "crate"],
      "cairn: cairn snapshot has no command 'crate'; did you mean create? see: cairn help snapshot"
    ),
    (
      ["search", "--lmit", "3", "x"],
      "cairn: cairn search has no option '--lmit'; did you mean --limit? see: cairn help search "
        + "(text that begins with -: cairn search -- -text)"
    ),
    (
      ["delete", "--domain", "x", "--al"],
      "cairn: cairn delete has no option '--al'; see: cairn help delete"
    ),
    (
      ["purge", "--acter", "x"],
      "cairn: cairn purge has no option '--acter'; did you mean --actor? see: cairn help purge"
    ),
    (
      ["export", "--from", "1"],
      "cairn: cairn export has no option '--from'; see: cairn help export"
    ),
    (
      ["serve", "--store", "x", "--lisen", "1"],
      "cairn: cairn serve has no option '--lisen'; did you mean --listen? see: cairn help serve"
    ),
    (
      ["snapshot", "new", "x"],
      "cairn: cairn snapshot has no command 'new'; did you mean create? see: cairn help snapshot"
    ),
    (
      ["retention", "create"],
      "cairn: cairn retention has no command 'create'; did you mean add? see: cairn help retention"
    ),
    (
      ["export", "csv"],
      "cairn: A format is an option: cairn export --format csv; see: cairn help export"
    ),
    (
      ["purge", "--site", "example.com"],
      "cairn: cairn purge has no option '--site'; did you mean --domain? see: cairn help purge"
    ),
    (["undo", "--last"], "cairn: cairn undo has no option '--last'; see: cairn help undo"),
    (
      ["serve", "--port", "8000"],
      "cairn: cairn serve has no option '--port'; did you mean --listen? see: cairn help serve"
    ),
    (
      ["serve", "--listen", "127.0.0.1:0", "--activitywatch-listen", "127.0.0.1:1"],
      "cairn: --activitywatch-listen: needs --activitywatch MODE, which says what watchers may do "
        + "there"
    ),
    (
      ["show", "--item", "x"],
      "cairn: cairn show has no option '--item'; write the item alone; see: cairn help show"
    ),
    (
      ["delete", "--item=x"],
      "cairn: cairn delete has no option '--item'; write the item alone; see: cairn help delete"
    ),
    (
      ["log", "--last", "5"],
      "cairn: cairn log has no option '--last'; did you mean --limit? see: cairn help log"
    ),
    (
      ["purge", "--person", "x"],
      "cairn: cairn purge has no option '--person'; did you mean --actor? see: cairn help purge"
    ),
    (
      ["log", "--mentioning", "x"],
      "cairn: cairn log has no option '--mentioning'; cairn purge --mentioning TEXT --dry-run "
        + "--list shows where a text stands; see: cairn help log"
    ),
    (
      ["log", "--session", "x"],
      "cairn: cairn log has no option '--session'; cairn purge --session … --dry-run --list "
        + "shows these; see: cairn help log"
    ),
    (
      ["show", "a", "b", "c"],
      "cairn: 2 unexpected arguments, 'b' first; see: cairn help show"
    ),
    (
      ["show", "a", "b, c", "d"],
      "cairn: 2 unexpected arguments, 'b, c' first; see: cairn help show"
    ),
    (
      ["purge", "--item", "a", "--mentioning", " "],
      "cairn: --mentioning is empty: give a text; see: cairn help purge"
    ),
    // As it is pasted from a page.
    (
      ["log", "\u{2014}since", "yesterday"],
      "cairn: '\u{2014}since' begins with a long dash; write --since; see: cairn help log"
    ),
    (
      ["search", "a", "\u{2013}n=2"],
      "cairn: '\u{2013}n=2' begins with a long dash; write -n; see: cairn help search"
    ),
    (
      ["init", "x"],
      "cairn: Unexpected argument 'x'; name it by --store DIR; see: cairn help init"
    ),
    (
      ["check", "x"],
      "cairn: Missing expected argument '--key <vkey> ...'; the log's owner prints it: "
        + "cairn checkpoint --key; see: cairn help check"
    ),
    (["show"], "cairn: Missing expected argument '<item>'; see: cairn help show"),
    (
      ["purge", "photo-1"],
      "cairn: Unexpected argument 'photo-1'; did you mean --item photo-1? see: cairn help purge"
    ),
    (
      ["items", "work"],
      "cairn: Unexpected argument 'work'; did you mean --domain work? see: cairn help items"
    ),
    (["top", "5"], "cairn: Unexpected argument '5'; did you mean -n 5? see: cairn help top"),
    (
      ["timeline", "--utc", "week"],
      "cairn: Unexpected argument 'week'; did you mean --by week? see: cairn help timeline"
    ),
    (["verify", "x"], "cairn: Unexpected argument 'x'; see: cairn help verify"),
    (
      ["index", "a", "--title", "Harbour", "at", "dusk"],
      "cairn: 2 unexpected arguments, 'at' first; several words stand in quotes: "
        + "--title 'Harbour at dusk'; see: cairn help index"
    ),
    (
      ["items", "--filter", "title", "==", "x"],
      "cairn: 2 unexpected arguments, '==' first; several words stand in quotes: "
        + "--filter 'title == x'; see: cairn help items"
    ),
    (
      ["top", "-n", "x"],
      "cairn: The value 'x' is invalid for '-n <limit>': a number goes there; see: cairn help top"
    ),
    (
      ["view", "a", "--id", "x"],
      "cairn: The value 'x' is invalid for '--id <uuid>': a UUID has 32 hexadecimal digits and "
        + "four hyphens; see: cairn help view"
    ),
    (
      ["rebuild", "--memory", "x"],
      "cairn: The value 'x' is invalid for '--memory <size>': bytes go there, or 64K, 256M, 1G; "
        + "see: cairn help rebuild"
    ),
    (
      ["purge", "--events", "x"],
      "cairn: The value 'x' is invalid for '--events <list>': sequences go there, as 5,9-12; "
        + "see: cairn help purge"
    ),
    (
      ["serve", "token", "add", "x"],
      "cairn: Missing expected argument '--scope <scope>'; one of ingest, read, write, admin; "
        + "see: cairn help serve token add"
    ),
    (
      ["index", "--title", "Harbour survey", "note", "9"],
      "cairn: Unexpected argument '9'; see: cairn help index"
    ),
    (
      ["index", "--title", "Harbour", "survey", "a"],
      "cairn: Unexpected argument 'a'; several words stand in quotes: --title 'Harbour survey'; "
        + "see: cairn help index"
    ),
    (
      ["update", "a", "--text", "-5"], "cairn: write --text=-5; see: cairn help update"
    ),
    (["hlep"], "cairn: no command 'hlep'; did you mean help? see: cairn help"),
    (
      ["https://example.com/a"],
      "cairn: no command 'https://example.com/a'; cairn search URL finds a page, cairn import web "
        + "URL takes it in; see: cairn help"
    ),
  ]) func `a slip is named, with the nearest that does no harm`(line: [String], expected: String)
    throws
  {
    let result = try Shell.run(Store.binary, line)
    #expect(result.status == 64)
    #expect(result.errors == expected + "\n")
    #expect(result.output.isEmpty)
  }

  @Test func `words that people try are commands`() throws {
    let store = Store()
    #expect(try store.run("init").text.contains("0 events"))
    #expect(try store.run("add", "a", "--title", "Toy story").status == 0)
    #expect(try store.run("find", "toy", "story", "--json").objects().count == 1)
    #expect(try store.run("ls", "--json").objects().count == 1)
    #expect(try store.run("list", "--json").objects().count == 1)
    #expect(try store.run("history", "--json", "-n", "1").objects().count == 1)
    #expect(try store.run("status", "--json").objects().count == 1)
    #expect(try store.run("version").text == store.run("--version").text)
    #expect(try store.run("-V").status == 0)
  }

  @Test func `a group's help may be asked for behind its name`() throws {
    for words in ["snapshot help", "snapshot help create", "serve help token"] {
      let line = words.split(separator: " ").map(String.init)
      let asked = try Shell.run(Store.binary, line)
      let usual = try Shell.run(Store.binary, ["help", line[0]] + line.dropFirst(2))
      #expect(asked.status == 0 && asked.text == usual.text)
    }
  }

  @Test func `what was forgotten is said`() throws {
    let store = Store()
    #expect(try store.run("init").status == 0)
    let added = try store.run("retention", "add", "--days", "9", "--json")
    #expect(added.status == 0)
    #expect(try store.run("retention", "remove", "1", "--json").text == added.text)
  }

  @Test func `what was found good is said, and how else to sort`() throws {
    let store = Store()
    #expect(try store.run("view", "a", "--title", "a").status == 0)
    let kept = try Scratch.file("kept", try store.run("checkpoint").output)
    #expect(try store.run("view", "a").status == 0)
    let verified = try store.run("verify", "--against", kept)
    #expect(verified.status == 0)
    #expect(verified.text.contains("against      \(kept): this log continues it\n"))
    let sorted = try store.run("search", "a", "--sort", "date")
    #expect(sorted.status == 64 && sorted.errors.contains("recent (last use) and frequent"))
  }

  @Test func `a search of no store tells how to begin, unless one was named`() throws {
    let folder = Scratch.path("data")
    let nowhere = try Shell.run(
      Store.binary, ["search", "x"], environment: ["XDG_DATA_HOME": folder, "CAIRN_STORE": ""])
    #expect(nowhere.status == 66)
    #expect(
      nowhere.errors == "cairn: \(folder)/cairn: no store here; begin with: cairn import auto, or: "
        + "cairn index ITEM --title TEXT\n")
    #expect(
      try Store().run("search", "x").errors.contains("name another, or record something first"))
  }

  @Test func `a link to no folder is no store, and nothing is made through it`() throws {
    let store = Store()
    let link = Scratch.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    for line in [["view", "a"], ["search", "a"]] {
      let result = try Shell.run(Store.binary, line + ["--store", link])
      #expect(
        result.status == 66 && result.errors.contains("is a link to a folder that is not there"))
    }
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `a store that cannot be looked into is named whole`() throws {
    let store = Store()
    try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
    // A link to itself stands for whatever the system refuses; root may look at all else.
    try FileManager.default.createSymbolicLink(
      atPath: store.path + "/log.mdb", withDestinationPath: "log.mdb")
    let result = try store.run("items")
    #expect(result.status == 74)
    #expect(result.errors.hasPrefix("cairn: \(store.path)/log.mdb: cannot be looked at"))
  }

  @Test func `what every command takes may stand before it`() throws {
    let store = Store()
    #expect(try store.run("add", "a", "--title", "Toy").status == 0)
    let place = ["--store", store.path]
    func run(_ line: [String]) throws -> ProcessResult { try Shell.run(Store.binary, line) }
    let found = try run(["--json"] + place + ["search", "--exact", "--", "toy"])
    #expect(try found.objects().count == 1)
    #expect(try run(["--store=" + store.path, "snapshot", "create", "s"]).status == 0)
    #expect(try run(place + ["snapshot", "list"]).text.contains("s"))
    #expect(try run(place).status == 64)
    #expect(try run(["--store"]).status == 64)
  }

  @Test(arguments: ["views", "purged"]) func `the kinds are listed where none was given`(
    kind: String
  )
    throws
  {
    let store = Store()
    #expect(try store.run("view", "a", "--title", "a").status == 0)
    let result = try store.run("log", "--kind", kind)
    #expect(result.status == 64)
    #expect(result.errors.contains("impression"), "\(result.errors)")
  }

  @Test func `typed values and lists are set, added to and taken from`() throws {
    let store = Store()
    func run(_ words: String...) throws { #expect(try store.run(words).status == 0, "\(words)") }
    try run("index", "b", "--set", "pages:=366", "--set", "read:=true", "--keyword", "sea")
    try run("index", "c", "--set", "pages:=12.5", "--set", "tags:=[\"x\",2]")
    try run("index", "e", "--set", "seal:={\"base64\":\"c2Vh\"}")
    #expect(try store.run("show", "e", "--json").text.contains(#"{"seal":{"base64":"c2Vh"}}"#))
    func items(_ filter: String) throws -> [String] {
      try store.json(["items", "--filter", filter], as: ItemRow.self).map(\.item)
    }
    #expect(try items("pages > 300") == ["b"])
    #expect(try items("pages < 13") == ["c"])
    // With the sign before it this is one character to Swift.
    try run("update", "c", "--set", "mood=\u{1F3FD}")
    #expect(try items("mood == \"\u{1F3FD}\"") == ["c"])
    try run("update", "b", "--add", "keywords=tide", "--add", "keywords=sea")
    #expect(try items("keywords == \"tide\" && keywords == \"sea\"") == ["b"])
    try run("update", "b", "--remove", "keywords=sea", "--add", "years:=1904")
    #expect(try items("keywords == \"sea\"") == [])
    #expect(try items("years == 1904 && keywords == \"tide\"") == ["b"])
    for bad in [
      "pages:=twelve", "pages:={}", "pages:=null", "pages:=[[1]]", "pages:=",
      "pages:=12345678901234567890123",
    ] {
      #expect(try store.run("index", "d", "--set", bad).status == 64, "\(bad)")
    }
    // Which of the two was meant nobody knows, and one would be lost.
    for line in [
      ["update", "b", "--unset", "title", "--title", "B"],
      ["update", "b", "--unset", "pages", "--set", "pages:=1"],
      ["index", "b", "--title", "B", "--set", "title=C"],
    ] { #expect(try store.run(line).status == 64, "\(line)") }
    #expect(try items("pages == 366") == ["b"])
    #expect(try store.run("update", "nope", "--add", "keywords=x").status == 1)
  }

  @Test func `what several add to a list at once is all in it`() throws {
    let store = try Store(running: [["index", "a", "--title", "A"]])
    let add = "\(Store.binary) update a --store '\(store.path)' --add"
    let line = "for word in {1..9}; do \(add) keywords=$word & done; wait"
    try #require(Shell.run("/bin/bash", "-c", line).errors == "")
    let item = try #require(store.run("show", "a", "--json").objects().first)
    let keywords = (item["attributes"] as? [String: Any])?["keywords"] as? [String]
    #expect(keywords?.sorted() == (1...9).map(String.init))
  }

  @Test(arguments: ["title = x", "rating > 5 &&", "", "title == $time.tuesday"])
  func `a filter that is none leads to the page about filters`(filter: String) throws {
    let store = try Store(running: [["index", "a", "--title", "A"]])
    let result = try store.run("items", "--filter", filter)
    #expect(result.status == 64)
    #expect(result.errors.hasSuffix("; see: cairn help filters\n"), "\(result.errors)")
  }

  @Test func `a name that no item has is said`() throws {
    let store = Store()
    #expect(try store.run("index", "a", "--title", "x", "--set", "mine=1").status == 0)
    let result = try store.run("items", "--filter", "titel == \"x\"")
    #expect(result.status == 0 && result.output.isEmpty)
    #expect(
      result.errors
        == "cairn: --filter: no item has an attribute 'titel'; did you mean title? "
        + "see: cairn help filters\n")
    #expect(try store.run("items", "--filter", "mine == \"2\"").errors.isEmpty)
    #expect(try store.run("search", "x", "--filter", "titel == *").errors.contains("'titel'"))
  }

  @Test func `show tells of a life`() throws {
    let store = Store()
    for line in [
      ["index", "a", "--title", "x", "--time", "2026-01-01T00:00:00Z"],
      ["view", "a", "--time", "2026-01-02T00:00:00Z"],
      ["view", "a", "--time", "2026-01-03T00:00:00Z"],
    ] { #expect(try store.run(line).status == 0) }
    let row = try #require(try store.run("show", "a", "--json").objects().first)
    #expect(row["firstSeen"] as? String == "2026-01-01T00:00:00Z")
    #expect(row["lastViewed"] as? String == "2026-01-03T00:00:00Z")
    #expect(row["views"] as? Int == 2)
    #expect(row["events"] as? Int == 3)
    let text = try store.run("show", "a", "--utc").text
    #expect(text.contains("first seen") && text.contains("2026-01-01 00:00Z"))
    #expect(text.contains("1 of the most used"))
  }

  @Test func `a life counts the views that a ranking counts`() throws {
    let store = Store()
    func views() throws -> (shown: Int?, ranked: Int?) {
      let row = try store.run("show", "a", "--json").objects().first
      let top = try store.run("top", "--json").objects().first { $0["item"] as? String == "a" }
      return (row?["views"] as? Int, top?["views"] as? Int)
    }
    for line in [["index", "a", "--title", "Alpha"], ["view", "a"], ["select", "alp", "a"]] {
      #expect(try store.run(line).status == 0)
    }
    #expect(try views() == (1, 1))
    #expect(try store.run("delete", "a").status == 0)
    let text = try store.run("undo").text
    #expect(
      text == "1 item brought back (event 5)\nits 1 view stays in the log but counts no more\n")
    #expect(try views() == (0, nil))
    #expect(try store.run("view", "a").status == 0)
    #expect(try views() == (1, 1))
    let past = try store.run("show", "a", "--as-of", "3", "--json").objects().first
    #expect(past?["views"] as? Int == 1)
  }

  @Test func `what is no event at all is told so, line by line, to programs`() throws {
    let store = Store()
    let lines = (1...50).map { "{\"id\":\($0),\"name\":\"x\"}\n" }.joined()
    let result = try store.run("append", "-", input: Data(lines.utf8))
    #expect(result.status == 65)
    let said = result.errors.split(separator: "\n")
    #expect(said.count == 50)
    let reason = "no `kind`: an event says index, update, delete, view, select or impression"
    #expect(said.first.map(String.init) == "-:1: \(reason)")
  }

  @Test func `compressed input is named`() throws {
    let store = Store()
    for command in [["append"], ["import", "access-log"]] {
      let file = try Scratch.file("log.zst", Data([0x28, 0xB5, 0x2F, 0xFD, 1, 2, 10, 3]))
      let result = try store.run(command + [file])
      #expect(result.status == 65)
      #expect(result.errors.contains("zstdcat FILE"), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `what is exported as CloudEvents comes back`() throws {
    let store = Store()
    let history = """
      {"kind":"index","item":"a","attributes":{"title":"One, \\"two\\"","n":[1,2]},"actor":"ann","x":{"y":1}}
      {"kind":"view","item":"a","id":"11111111-2222-4333-8444-555555555555","time":"2026-01-02T00:00:00.123456789Z"}
      {"kind":"select","item":"a","query":"data\\":{","position":2,"shown":["a","b"]}
      {"kind":"delete","all":true}

      """
    try store.append(Data(history.utf8))
    let exported = try store.run("export", "--format", "cloudevents")
    let other = Store()
    let result = try other.append(exported.output)
    #expect(result.accepted == 4)
    #expect(try other.append(exported.output).duplicates == 4)
    #expect(try other.contents() == store.contents())
  }
}
