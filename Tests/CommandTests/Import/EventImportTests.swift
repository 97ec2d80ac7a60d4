import Foundation
import Testing

/// What an import takes of files of events, and what becomes of the rest.
@Suite struct EventImportTests {
  private static let lines = """
    {"kind":"index","item":"https://bank.example/a","domain":"web.bank","time":"2026-01-01T00:00:00Z","attributes":{"title":"Account"}}
    {"kind":"index","item":"n1","domain":"notes.work","time":"2026-01-02T00:00:00Z","attributes":{"title":"Note"}}
    {"kind":"view","item":"n1","time":"2026-01-03T00:00:00Z"}
    {"kind":"view","item":"https://bank.example/a","time":"2026-01-03T00:00:00Z"}
    {"kind":"impression","query":"a","shown":["n1","https://bank.example/a"],"time":"2026-01-04T00:00:00Z"}
    {"kind":"view","item":"old","domain":"notes","time":"2020-01-03T00:00:00Z"}

    """

  private func items(_ store: Store) throws -> [String] {
    try store.run("export").objects().map {
      "\($0["kind"] as? String ?? "") \($0["item"] as? String ?? "")"
    }
  }

  @Test func `what is excluded of a file of events does not get in, in any form`() throws {
    let whole = Store()
    try whole.append(Data(Self.lines.utf8))
    for format in ["ndjson", "csv", "cloudevents"] {
      let exported = try whole.run("export", "--format", format)
      let file = try Scratch.file("events.\(format)", exported.output)
      for words in [[format, file], [file]] {
        let banned = Store()
        let first = try banned.run(["import"] + words + ["--except", "bank"])
        #expect(first.status == 0 && first.errors.contains("3 --except"), "\(first.errors)")
        #expect(try items(banned) == ["index n1", "view n1", "view old"])
        let notes = Store()
        #expect(try notes.run(["import"] + words + ["--only", "notes"]).status == 0)
        #expect(try items(notes) == ["index n1", "view n1", "view old"])
        let recent = Store()
        #expect(try recent.run(["import"] + words + ["--since", "2026-01-03"]).status == 0)
        #expect(try items(recent).count == 3)
      }
      let refused = try Store().run(["import", format, file, "--host", "other"])
      #expect(refused.status == 64, "\(refused.errors)")
    }
  }

  @Test(arguments: ["ndjson", "csv", "cloudevents"])
  func `a dry run says what an import of events brings, and makes nothing`(format: String) throws {
    let whole = Store()
    try whole.append(Data(Self.lines.utf8))
    try #require(try whole.run("purge", "--item", "old", "--block", "--yes").status == 0)
    let later = #"{"kind":"view","item":"n2","time":"2026-02-01T00:00:00Z"}"#
    let lines = Self.lines + later + "\n"
    let source = Store()
    try source.append(Data(lines.utf8))
    let exported = try source.run("export", "--format", format)
    var text = exported.text
    if format == "ndjson" { text += "no event\n" }
    let file = try Scratch.file("events.\(format)", Data(text.utf8))
    for store in [Store(), whole] {
      let plan = try store.run("import", format, file, "--dry-run", "--json")
      #expect(plan.status == (format == "ndjson" ? 65 : 0), "\(plan.errors)")
      let rows = try plan.objects()
      let summary = try #require(rows.last)
      let kinds = try #require(summary["kinds"] as? [String: Int])
      let known = try #require(summary["known"] as? Int)
      #expect(rows.first?["malformed"] as? Int == (format == "ndjson" ? 1 : 0))
      let real = try store.run("import", format, file, "--json").objects().last
      #expect(real?["accepted"] as? Int == kinds.values.reduce(0, +) - known)
      #expect(real?["duplicates"] as? Int == known)
    }
    let none = Store()
    _ = try none.run("import", format, file, "--dry-run")
    #expect(!FileManager.default.fileExists(atPath: none.path))
  }

  @Test func `bytes that are no UTF-8 are refused with their row, and none is replaced`() throws {
    let store = Store()
    var table = Data("kind,item,title\nindex,a,Foo".utf8)
    table += [0xE9] + Data("\nindex,b,Caf\u{E9}\n".utf8)
    let file = try Scratch.file("latin.csv", table)
    let result = try store.run("import", "csv", file)
    #expect(result.status == 65)
    #expect(
      result.errors
        == "\(file):2: column 3 is not UTF-8; convert the file, such as: iconv -f WINDOWS-1252 -t UTF-8\n"
    )
    #expect(try store.run("export").text.contains("Caf\u{E9}"))
    #expect(try !store.run("export").text.contains("\u{FFFD}"))
  }

  @Test func `refused rows are kept as they came, below their header`() throws {
    let store = Store()
    let header = "Kind;Item;Title;Rows"
    let bad = ["index;a;\"T;\n2\"", "nonsense;b;x;1", "index;c;d;e;f"]
    let table = ([header, "index;ok;T;1"] + bad).joined(separator: "\r\n") + "\r\n"
    let file = try Scratch.file("table.csv", Data(table.utf8))
    let rejects = Scratch.path("rejects.csv")
    #expect(try store.run("import", file, "--rejects", rejects).status == 65)
    let kept = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(kept == ([header] + bad).joined(separator: "\r\n") + "\r\n")
    // The mended file imports.
    let mended = kept.replacing("nonsense", with: "index").replacing("\n2\"", with: "\";2")
      .replacing("d;e;f", with: "d;e")
    try Data(mended.utf8).write(to: URL(filePath: rejects))
    #expect(try store.run("import", rejects).text.hasPrefix("3 accepted"))
  }

  @Test func `a refused line is kept with its carriage return, and is no part of what an event is`()
    throws
  {
    let good = #"{"kind":"view","item":"a","time":"2020-01-01T00:00:00Z"}"#
    let access = #"h - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1"#
    for (format, line) in [("ndjson", good), ("access-log", access)] {
      let store = Store(format)
      let rejects = Scratch.path("rejects")
      let windows = try Scratch.file("crlf", Data("\(line)\r\n\r\nnone\r\n".utf8))
      let result = try store.run("import", format, windows, "--rejects", rejects)
      #expect(result.status == 65 && result.text.hasPrefix("1 accepted"), "\(result.text)")
      #expect(try Data(contentsOf: URL(filePath: rejects)) == Data("none\r\n".utf8), "\(format)")
      let plain = try Scratch.file("lf", Data("\(line)\n".utf8))
      #expect(try store.run("import", format, plain).text.hasPrefix("0 accepted"), "\(format)")
    }
    let queries = Data("{\"query\":\"a\"}\r\n\r\n".utf8)
    let store = Store("queries")
    try #require(store.run("index", "a", "--title", "A").status == 0)
    #expect(try store.run("search", "--queries", "-", input: queries).status == 0)
  }

  @Test func `a CloudEvent of others keeps its id, time and subject`() throws {
    let store = Store()
    let id = "11111111-2222-4333-8444-555555555555"
    let lines = """
      {"id":"\(id)","source":"/app","time":"2020-01-01T00:00:00Z","specversion":"1.0","type":"cairn.view","subject":"sub","data":{"dwell":2}}
      {"specversion":"1.0","id":"\(id)","type":"cairn.view","subject":"sub","data":{"kind":"select"}}
      {"specversion":"0.3","id":"\(id)","type":"cairn.view","subject":"sub","data":{}}
      {"specversion":"1.0","id":"\(id)","type":"com.example.view","subject":"sub","data":{}}
      {"specversion":"1.0","id":"\(id)","type":"cairn.view","subject":"sub","data":"text"}

      """
    let file = try Scratch.file("events.json", Data(lines.utf8))
    let first = try store.run("import", "cloudevents", file)
    #expect(first.status == 65 && first.text.hasPrefix("1 accepted, 0 duplicates, 4 rejected"))
    let said = first.errors.split(separator: "\n").map(String.init)
    for (line, word) in zip(said, ["contradict", "specversion", "cairn.KIND", "`data`"]) {
      #expect(line.contains(word), "\(line)")
    }
    let event = try #require(try store.run("export").objects().first)
    #expect(event["id"] as? String == id && event["item"] as? String == "sub")
    #expect(
      event["time"] as? String == "2020-01-01T00:00:00Z" && event["source"] as? String == "/app")
    let again = try store.run(["append"], input: Data(lines.utf8))
    #expect(again.text.hasPrefix("0 accepted, 1 duplicate"), "\(again.text)")
  }

  @Test func `cells are read as the schema declares them, and times as people write them`() throws {
    let store = Store()
    let schema = """
      {"cairnSchema":1,"domains":{"shop":{"attributes":{
        "year":{"type":"integer","sortable":true},"sold":{"type":"boolean"},
        "price":{"type":"decimal"},"tags":{"type":"keyword","multi":true}}}}}
      """
    let set = try store.run("schema", "set", try Scratch.file("schema.json", Data(schema.utf8)))
    try #require(set.status == 0, "\(set.errors)")
    let table = """
      kind,item,domain,time,year,sold,price,tags
      index,a,shop,2026-11-01 10:00,1999,true,1.5,"[""x"",""y""]"
      index,b,shop,2026-11-01,01999,true,,
      index,c,,2026-11-01T10:00:00Z,1999,true,,
      index,d,,2026-11-01 10:00:00.123456789,,,,

      """
    let file = try Scratch.file("shop.csv", Data(table.utf8))
    let result = try store.run("import", file, "--timezone", "Europe/Berlin")
    #expect(result.text.hasPrefix("3 accepted, 0 duplicates, 1 rejected"), "\(result.errors)")
    #expect(result.errors.hasPrefix("\(file):3: "), "\(result.errors)")
    let rows = try store.run("export").text.split(separator: "\n").map(String.init)
      .filter { $0.contains("\"index\"") }
    #expect(rows[0].contains("\"year\":1999") && rows[0].contains("\"sold\":true"), "\(rows)")
    #expect(rows[0].contains("\"price\":1.5") && rows[0].contains("\"tags\":[\"x\",\"y\"]"))
    #expect(rows[0].contains("\"time\":\"2026-11-01T09:00:00Z\""), "\(rows)")
    #expect(rows[2].contains("\"time\":\"2026-11-01T09:00:00.123456789Z\""), "\(rows)")
    // What no schema declares stays a text.
    #expect(rows[1].contains("\"year\":\"1999\""), "\(rows)")
  }

  @Test func `times in a file are read in the zone in which they are shown`() throws {
    let file = try Scratch.file(
      "zone.csv", Data("kind,item,time\nview,a,2026-11-01 10:00\n".utf8))
    let samples: [([String], String)] = [
      (["--utc"], "10:00"), ([], "08:00"), (["--utc", "--timezone", "Asia/Tokyo"], "01:00"),
    ]
    for (options, clock) in samples {
      let store = Store()
      let result = try Shell.run(
        Store.binary, ["import", "csv", file, "--store", store.path] + options,
        environment: ["TZ": "XYZ-2"])
      #expect(result.status == 0, "\(result.errors)")
      let text = try store.run("export").text
      #expect(text.contains("\"time\":\"2026-11-01T\(clock):00Z\""), "\(options) \(text)")
    }
  }

  @Test func `a table as pandas writes it comes in without its index, and dates in digits do not`()
    throws
  {
    let store = Store()
    let table = """
      ,kind,item,time,query,position
      0,select,a,2026-11-01 10:00:00,tide,2.0
      1,view,b,20261101,,
      2,view,c,2026,,
      3,view,d,202611011000,,
      4,view,f,20261101.0,,
      4,view,g,31122026,,
      4,view,h,12312026,,
      5,select,e,1763881200,tide,2.5

      """
    let file = try Scratch.file("pandas.csv", Data(table.utf8))
    let result = try store.run("import", file, "--utc")
    #expect(result.text.hasPrefix("1 accepted, 0 duplicates, 7 rejected"), "\(result.errors)")
    let question = "`time`: a date or Unix seconds? a date has hyphens: 2026-01-31"
    for line in 3...8 { #expect(result.errors.contains("\(file):\(line): \(question)\n")) }
    let rows = try store.run("export").text.split(separator: "\n")
    #expect(rows.count == 1 && rows[0].contains("\"position\":2,"), "\(rows)")
    #expect(!rows[0].contains("attributes"), "\(rows)")
  }

  @Test func `a mark before the first line is no part of it, and a column twice is refused`() throws
  {
    let store = Store()
    let line = "\u{FEFF}{\"kind\":\"view\",\"item\":\"a\"}\n"
    #expect(try store.run(["append"], input: Data(line.utf8)).status == 0)
    let file = try Scratch.file("mark.ndjson", Data(line.utf8))
    #expect(try store.run("import", file).text.hasPrefix("1 accepted"))
    let table = try Scratch.file("twice.csv", Data("kind,item,title,Title\nindex,a,b,c\n".utf8))
    let result = try store.run("import", table)
    #expect(result.status == 65 && result.errors.contains("columns 3 and 4"), "\(result.errors)")
  }

  @Test func `a kind that is none is told in one line`() throws {
    let store = Store()
    try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8))
    let result = try store.run("log", "--kind", "nope")
    #expect(result.status == 64 && result.errors.split(separator: "\n").count == 1)
    #expect(result.errors.contains("index, update"), "\(result.errors)")
  }

  @Test func `a use of an item that a purge blocked stays out with the item`() throws {
    let store = Store("blocked")
    try #require(try store.run("index", "a", "--title", "A", "--domain", "mine").status == 0)
    try #require(try store.run("view", "a").status == 0)
    try #require(try store.run("view", "b").status == 0)
    let file = try Scratch.file("events.ndjson", Data(try store.run("export").text.utf8))
    try #require(
      try store.run("purge", "--domain", "mine", "--block", "--yes").status == 0)
    let result = try store.run("import", file)
    #expect(result.status == 65 && result.text.contains("0 accepted"), "\(result)")
    #expect(result.errors.contains(":1: a purge refuses"), "\(result.errors)")
    #expect(result.errors.contains(":2: a purge refuses"), "\(result.errors)")
  }

  @Test func `a use that a purge blocked by its id keeps no other use of its item out`() throws {
    let store = Store("blocked-id")
    let lines = ["ann", "bob", "bob"].map { actor in
      #"{"kind":"view","item":"y","actor":"\#(actor)","time":1,"id":"\#(UUID().uuidString)"}"#
    }
    let file = try Scratch.file("uses.ndjson", Data(lines.joined(separator: "\n").utf8))
    #expect(try store.run("import", file).text.hasPrefix("3 accepted"))
    #expect(try store.run("purge", "--actor", "ann", "--block", "--yes").status == 0)
    let again = try store.run("import", file)
    #expect(again.status == 65, "\(again.errors)")
    #expect(again.text.hasPrefix("0 accepted, 2 duplicates, 1 rejected"), "\(again.text)")
  }

  @Test(arguments: [
    ("SQLite format 3\0\n\n\n", "a SQLite database; a history in one comes in with: cairn import"),
    ("\u{FEFF}{}\n{}\n", "UTF-16; convert the file: iconv -f UTF-16 -t UTF-8"),
  ])
  func `a file without lines of text is refused once, and not by each line`(
    text: String, told: String
  ) throws {
    let isWide = text.unicodeScalars.first == "\u{FEFF}"
    let bytes =
      isWide ? text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } : Array(text.utf8)
    let path = try Scratch.file("no-lines", Data(bytes))
    for word in ["append", "import ndjson"] {
      let words = word.split(separator: " ").map(String.init)
      let result = try Store("no-lines").run(words + [path])
      #expect(result.status == 65)
      #expect(result.errors.hasPrefix("cairn: \(path): is \(told)"), "\(result.errors)")
      #expect(result.errors.count { $0 == "\n" } == 1, "\(result.errors)")
    }
  }
}
