import Foundation
import Testing

/// Files of events: what is told again, unpacked and brought back.
@Suite struct EventFileTests {
  private static let lines = (1...300).map {
    "{\"kind\":\"view\",\"item\":\"item-\($0 % 40)\",\"time\":\(1_700_000_000 + $0 % 100)}\n"
  }.joined()

  @Test func `the same file of events without ids adds nothing a second time`() throws {
    let store = Store()
    let file = try Scratch.file("events.ndjson", Data((Self.lines + Self.lines).utf8))
    let first = try store.json(["import", "ndjson", file], as: AppendResult.self)
    // Equal lines of one file are as many events.
    #expect(first.first?.accepted == 600 && first.first?.duplicates == 0)
    let second = try store.json(["import", file], as: AppendResult.self)
    #expect(second.first?.accepted == 0 && second.first?.duplicates == 600)
    let longer = try Scratch.file(
      "longer.ndjson", Data((Self.lines + Self.lines + Self.lines).utf8))
    let third = try store.json(["import", longer, "--batch", "7"], as: AppendResult.self)
    #expect(third.first?.accepted == 300 && third.first?.duplicates == 600)
    // What `append` takes is new each time.
    #expect(try store.append(Data(Self.lines.utf8)).accepted == 300)
  }

  @Test func `gzip is unpacked, in several members and from a pipe too`() throws {
    let plain = try Scratch.file("events", Data(Self.lines.utf8))
    let packed = try Shell.run("/bin/sh", "-c", "gzip -c '\(plain)'; gzip -c '\(plain)'").output
    let file = try Scratch.file("events.gz", packed)
    let store = Store()
    #expect(
      try store.json(["append", file], as: AppendResult.self).first?.accepted == 600)
    #expect(try store.append(packed).accepted == 600)
    #expect(
      try store.json(["import", file], as: AppendResult.self).first?.accepted == 600)
    let cut = try Scratch.file("cut.gz", packed.prefix(packed.count / 4))
    let result = try store.run("append", cut)
    #expect(result.status == 65)
    #expect(
      result.errors == "cairn: \(cut): ends in the middle of what is packed in it\n")
    // What was read before it breaks off is kept, of other files too.
    let before = try store.headNow()
    let partly = try store.run("append", plain, cut, "--json")
    #expect(partly.status == 65)
    let kept = try JSONDecoder().decode(AppendResult.self, from: partly.output)
    #expect(kept.accepted >= 300)
    #expect(try store.headNow() == before + kept.accepted)
    let bad = try Scratch.file("bad.gz", packed.prefix(200) + Data(repeating: 0xFF, count: 2_000))
    #expect(try store.run("append", bad).status == 65)
  }

  @Test func `a file that is an array is told how it becomes lines`() throws {
    let store = Store()
    let said = try store.run(["append"], input: Data(#" [{"kind":"view","item":"a"}]"#.utf8))
    #expect(said.status == 65)
    let reason = "an array; an event is one JSON object, and jq -c '.[]' writes each on a line"
    #expect(said.errors.hasPrefix("-:1: \(reason)\n"), "\(said.errors)")
    // One that goes on below, and what is none.
    let lines = try store.run(["append"], input: Data("[\n[info] started\n".utf8)).errors
    let other = "-:2: an event is one JSON object\n"
    #expect(lines.hasPrefix("-:1: \(reason)\n") && lines.contains(other), "\(lines)")
  }

  @Test func `what is exported as CSV comes back whole`() throws {
    let history = """
      {"kind":"index","item":"a","domain":"work.x","attributes":{"title":"One, \\"two\\"\\u0301\\n=3","n":[1,2.50],"due":null},"actor":"ann","x":{"y":1}}
      {"kind":"update","item":"a","domain":null,"attributes":{"title":"","n":null},"expires":"2100-01-01T00:00:00Z"}
      {"kind":"view","item":"a","id":"11111111-2222-4333-8444-555555555555","time":"2026-01-02T00:00:00.123456789Z","dwell":1.5}
      {"kind":"select","item":"a","query":"data,\\":{","position":2,"shown":["a","b"],"session":"s"}
      {"kind":"delete","all":true}

      """
    let store = Store()
    try store.append(Data(history.utf8))
    let exported = try store.run("export", "--format", "csv")
    let file = try Scratch.file("events.csv", exported.output)
    let other = Store()
    for (count, duplicates) in [(5, 0), (0, 5)] {
      let result = try other.json(["import", file], as: AppendResult.self).first
      #expect(result?.accepted == count && result?.duplicates == duplicates)
    }
    #expect(try other.contents() == store.contents())
    #expect(try other.run("export", "--format", "csv").output == exported.output)
  }

  @Test func `a table of one's own comes in, and a wrong row is named`() throws {
    let table = """
      kind,item,time,title,position,more
      index,a,2026-01-01T00:00:00Z,"First, of all",,
      view,a,2026-01-02T00:00:00Z,,,"{""dwell"":3}"
      select,a,2026-01-02T00:00:00Z,,two,
      view,a,yesterday,,,
      view,a,2026-01-02T00:00:00Z,,,{

      """
    let store = Store()
    let file = try Scratch.file("table.csv", Data(table.utf8))
    let result = try store.run("import", "csv", file)
    #expect(result.status == 65)
    #expect(result.text.hasPrefix("2 accepted, 0 duplicates, 3 rejected"))
    let said = result.errors.split(separator: "\n").map(String.init)
    #expect(said.count == 3 && said.allSatisfy { $0.hasPrefix("\(file):") }, "\(said)")
    #expect(said.first?.hasPrefix("\(file):4: ") == true, "\(said)")
    let other = try Scratch.file("other.csv", Data("name,size\na,1\n".utf8))
    #expect(try store.run("import", "csv", other).status == 65)
    #expect(try store.run("import", other).status == 65)
  }

  @Test func `an interrupted import says what was kept and how to go on`() throws {
    let store = Store()
    let running = try store.start(["import", "ndjson", "-", "--batch", "100"])
    running.write(Data(Self.lines.utf8))
    while try store.headNow() < 300 { usleep(20_000) }
    running.kill(SIGINT)
    let result = running.finish()
    #expect(result.status == 130)
    #expect(
      result.errors == "cairn: interrupted: 300 events kept; the same command goes on: "
        + "what is there is not added twice\n")
    let appending = try store.start(["append", "-"])
    appending.write(Data(Self.lines.utf8))
    while try store.headNow() < 600 { usleep(20_000) }
    appending.kill(SIGINT)
    #expect(
      appending.finish().errors
        == "cairn: interrupted: 300 events kept; go on after line 300 of -\n")
  }

  /// What was committed and not yet heard of would come in twice.
  @Test(arguments: 1...6 as ClosedRange<UInt32>)
  func `an interrupted append tells no line to go on after while more may be kept`(delay: UInt32)
    throws
  {
    let store = Store()
    let lines = (1...20_000).map { "{\"kind\":\"view\",\"item\":\"i\($0)\"}" }
    let file = try Scratch.file("many.ndjson", Data(lines.joined(separator: "\n").utf8))
    let running = try store.start(["append", file, "--batch", "100"])
    usleep(delay * 60_000)
    running.kill(SIGINT)
    let result = running.finish()
    // Done before, or not begun.
    guard result.status == 130, result.errors.contains("events kept") else { return }
    let said = result.errors.replacing(",", with: "")
    let kept = try #require(said.split(separator: " ").lazy.compactMap { Int($0) }.first)
    let head = try store.headNow()
    let isLeast = said.hasPrefix("cairn: interrupted: at least \(kept) events kept; ")
    #expect(isLeast ? head >= kept : head == kept, "\(said)")
    #expect(isLeast || said.hasSuffix("go on after line \(head) of \(file)\n"), "\(said)")
  }

  @Test func `a table of others comes in with all its columns, or says why not`() throws {
    let store = Store()
    let table = """
      \u{FEFF}Kind;Item;Title;Rows;Timestamp;visits
      index;a;T;4;2020-01-01T00:00:00Z;
      view;a;;;1577923200;3
      index;b
      index;c;x;1;2020-01-01T00:00:00Z;;more

      """
    let file = try Scratch.file("table.csv", Data(table.utf8))
    let result = try store.run("import", file, "--json")
    #expect(result.status == 65)
    #expect(
      result.errors.contains("table.csv") && result.errors.contains(":4:"), "\(result.errors)")
    #expect(result.errors.contains("2 columns where the header has 6"))
    #expect(result.errors.contains("7 columns where the header has 6"))
    let rows = try store.run("export").objects()
    #expect(rows.count == 2)
    let attributes = try #require(rows[0]["attributes"] as? [String: Any])
    #expect(attributes["title"] as? String == "T" && attributes["Rows"] as? String == "4")
    #expect(rows[0]["time"] as? String == "2020-01-01T00:00:00Z")
    #expect(rows[1]["visits"] as? Int == 3 && rows[1]["time"] as? String == "2020-01-02T00:00:00Z")

    let open = try Scratch.file("open.csv", Data("kind,item,title\nindex,a,b\nindex,\"b,c\n".utf8))
    #expect(try store.run("import", open).errors.contains("line 3"))
  }

  @Test(arguments: ["timestamp", "ts", "datetime", "date"])
  func `a time under the name that others give it is told of`(key: String) throws {
    let line = "{\"kind\":\"view\",\"item\":\"a\",\"\(key)\":\"2026-01-01T00:00:00Z\"}\n"
    let result = try Store().run(["append"], input: Data((line + line).utf8))
    #expect(result.status == 0)
    #expect(
      result.errors == "cairn: -:1: `\(key)` is kept as a key of the event's own; "
        + "when it happened stands in `time`\n")
    let timed = line.replacing("}", with: ",\"time\":1700000000}")
    #expect(try Store().run(["append"], input: Data(timed.utf8)).errors.isEmpty)
  }

  @Test func `a title of an event's own comes back from a table as what it was`() throws {
    let store = Store()
    let lines = """
      {"kind":"index","item":"x","title":"Top","attributes":{"title":"Inner"}}
      {"kind":"index","item":"y","title":"Top"}

      """
    let appended = try store.run(["append"], input: Data(lines.utf8))
    #expect(appended.errors.contains(":2: `title` is kept"), "\(appended.errors)")
    let file = try Scratch.file("own.csv", try store.run("export", "--format", "csv").output)
    let other = Store()
    #expect(try other.run("import", file).status == 0)
    let same = try store.run("replay", "--until-differs", other.path)
    #expect(same.status == 0, "\(same.text) \(same.errors)")
  }

  @Test func `the columns of any table are what the line says they are`() throws {
    let table = #"""
      Order ID;Customer;Product;When;State
      17;ann;"Chart; ""Harbour""";2026-01-05;
      18;bob;Tide table;2026-01-06 10:30;paid
      19;ann;Compass;soon;
      17;ann;"Chart; ""Harbour""";2026-01-05;

      """#
    let file = try Scratch.file("orders.csv", Data(table.utf8))
    let line = [
      "import", "csv", file, "--column", "item=order id", "--column", "actor=Customer",
      "--column", "title=Product", "--column", "time=When", "--value", "kind=index",
      "--value", "domain=shop.orders", "--value", "State=open", "--timezone", "UTC",
    ]
    let store = Store()
    let result = try store.run(line)
    #expect(result.status == 65 && result.text.hasPrefix("3 accepted, 0 duplicates, 1 rejected"))
    #expect(result.errors.hasPrefix("\(file):4: `time` must be"), "\(result.errors)")
    let rows = try store.run("log", "--json").objects()
    #expect(rows.map { $0["item"] as? String } == ["17", "18", "17"])
    #expect(rows.map { $0["actor"] as? String } == ["ann", "bob", "ann"])
    #expect(rows.allSatisfy { $0["domain"] as? String == "shop.orders" })
    #expect(rows.first?["time"] as? String == "2026-01-05T00:00:00Z")
    let attributes = rows.map { $0["attributes"] as? [String: String] }
    #expect(attributes.first == ["title": "Chart; \"Harbour\"", "State": "open"])
    #expect(attributes[1] == ["title": "Tide table", "State": "paid"])
    let again = try store.run(line)
    #expect(again.text.hasPrefix("0 accepted, 3 duplicates, 1 rejected"), "\(again.text)")

    let missing = try store.run(
      "import", "csv", file, "--column", "item=Nr", "--value", "kind=view")
    #expect(missing.errors == "cairn: \(file): has no column 'Nr'; its first line names them\n")
    let kindless = try store.run("import", "csv", file, "--column", "item=Order ID")
    #expect(kindless.status == 65 && kindless.errors.contains("--value kind=view"))
    let twice = try store.run(
      "import", "csv", file, "--column", "item=Order ID", "--column", "item=Customer", "--value",
      "kind=view")
    #expect(twice.errors.contains("columns 1 and 2 mean the same"), "\(twice.errors)")
    let other = try store.run("import", "ndjson", file, "--value", "kind=view")
    #expect(other.status == 64 && other.errors.contains("cairn import csv"), "\(other.errors)")
  }

  @Test func `a column is several things, and a row without its time is none`() throws {
    let table = "URL,When\nhttps://tide.example/,2026-01-05\nhttps://dusk.example/,\n"
    let file = try Scratch.file("visits.csv", Data(table.utf8))
    let store = Store()
    let line = [
      "import", "csv", file, "--column", "item=URL", "--column", "title=url", "--column",
      "time=When", "--value", "kind=view",
    ]
    let result = try store.run(line)
    #expect(result.status == 65 && result.errors.contains(":3: has no time"), "\(result.errors)")
    #expect(try store.run("search", "tide", "--json").objects().count == 1)
    let filled = try store.run(line + ["--value", "time=2026-01-06"])
    #expect(filled.status == 0 && filled.text.hasPrefix("1 accepted, 1 dup"), "\(filled.text)")
  }

  @Test func `a cell that is no time or no number is told of in words of the table`() throws {
    let table = """
      kind,item,time,position,query
      select,a,1767571200,02,tide
      select,a,2026-01-05,+1,tide
      view,a,007,,
      view,a,nan,,
      view,a,0x10,,
      select,a,2026-01-05,two,tide

      """
    let file = try Scratch.file("cells.csv", Data(table.utf8))
    let store = Store()
    let result = try store.run("import", "csv", file, "--timezone", "UTC")
    #expect(result.text.hasPrefix("2 accepted, 0 duplicates, 4 rejected"), "\(result.errors)")
    #expect(!result.errors.contains("JSON"), "\(result.errors)")
    for line in 4...6 {
      #expect(result.errors.contains("\(file):\(line): `time` must be a day"), "\(result.errors)")
    }
    let rows = try store.run("log", "--json").objects()
    #expect(Set(rows.map { $0["position"] as? Int }) == [1, 2])
    #expect(rows.allSatisfy { $0["time"] as? String == "2026-01-05T00:00:00Z" })
  }

  @Test func `a key of events is one in a table, too, and no attribute`() throws {
    let table = #"""
      kind,item,query,Dwell,expires,deliberate,shown
      view,a,,2.5,,true,
      index,b,,,2100-01-01,,
      select,a,tide,,,,"[""a"",""b""]"
      view,a,,long,,,
      view,a,,,,yes,

      """#
    let file = try Scratch.file("keys.csv", Data(table.utf8))
    let store = Store()
    let result = try store.run("import", "csv", file, "--timezone", "UTC")
    #expect(result.text.hasPrefix("3 accepted, 0 duplicates, 2 rejected"), "\(result.errors)")
    #expect(result.errors.contains("`dwell`") && result.errors.contains("`deliberate`"))
    let rows = try store.run("log", "--json").objects()
    #expect(rows.allSatisfy { $0["attributes"] == nil }, "\(rows)")
    let view = rows.first { $0["kind"] as? String == "view" }
    #expect(view?["dwell"] as? Double == 2.5 && view?["deliberate"] as? Bool == true)
    let index = rows.first { $0["kind"] as? String == "index" }
    #expect(index?["expires"] as? String == "2100-01-01T00:00:00Z")
    let choice = rows.first { $0["kind"] as? String == "select" }
    #expect(choice?["shown"] as? [String] == ["a", "b"])
  }
}
