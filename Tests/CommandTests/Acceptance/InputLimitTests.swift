import Foundation
import Testing

@Suite struct `Input of every size` {
  @Test func `no input is no error`() throws {
    let store = Store("empty")
    for input in ["", "\n", "  \n\r\n\n"] {
      let result = try store.append(Data(input.utf8))
      #expect(result.accepted == 0 && result.rejected == 0)
    }
  }

  @Test func `the last line needs no newline`() throws {
    let store = Store("no-newline")
    #expect(try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8)).accepted == 1)
  }

  @Test func `ids longer than a storage key are told apart to the last byte`() throws {
    let store = Store("long-ids")
    let stem = String(repeating: "k", count: 4095)
    var lines = EventLines()
    for letter in ["a", "b", "c"] {
      try lines.add([
        "kind": "index", "item": stem + letter, "attributes": ["title": "long \(letter)"],
      ])
      try lines.add(["kind": "view", "item": stem + letter])
    }
    try lines.add(["kind": "delete", "item": stem + "b"])
    try store.append(lines.data)
    #expect(try store.json(["items"], as: ItemRow.self).map(\.item) == [stem + "a", stem + "c"])
    #expect(try store.run("show", stem + "a").status == 0)
    #expect(try store.run("show", stem + "b").status == 1)
    #expect(try store.json(["search", "long", "--exact"], as: RankedRow.self).count == 2)
  }

  @Test func `an id one byte too long is refused and its neighbours are kept`() throws {
    let store = Store("too-long")
    var lines = EventLines()
    try lines.add(["kind": "view", "item": "before"])
    try lines.add(["kind": "view", "item": String(repeating: "é", count: 2049)])
    try lines.add(["kind": "view", "item": "after"])
    let result = try store.run("append", "-", "--json", input: lines.data)
    #expect(result.status == 65)
    #expect(try JSONDecoder().decode(AppendResult.self, from: result.output).accepted == 2)
    #expect(result.errors.hasPrefix("-:2: ") || result.errors.contains(":2: "))
  }

  @Test func `rejects are never written over an input`() throws {
    let store = Store("same-rejects")
    let input = Data(#"{"kind":"view","item":"a"}"#.utf8)
    let file = try Scratch.file("same", input)
    let link = Scratch.path("same-link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    let commands = [["append"], ["import", "ndjson"], ["import", "access-log"]]
    for (command, rejects) in zip(commands + commands, [file, file, file, link, link, link]) {
      let result = try store.run(command + [file, "--rejects", rejects])
      #expect(result.status == 64 && result.errors.contains("--rejects"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == input)
    }
    #expect(try store.run("append", file, "--rejects", Scratch.path("others")).status == 0)
  }

  @Test func `a web server's line that is too long is refused where it stands`() throws {
    func line(_ path: String) -> String {
      #"h - - [17/May/2015:10:05:03 +0000] "GET \#(path) HTTP/1.1" 200 1"#
    }
    // A domain writes each dot of a folder in three bytes.
    let dots = "/" + String(repeating: ".", count: 2_000) + "/x"
    let long = line("/" + String(repeating: "x", count: 4_096))
    let log = try Scratch.file(
      "access",
      Data([line("/a"), long, line("/b"), line(dots), line("/c")].joined(separator: "\n").utf8))
    let rejects = Scratch.path("rejects")
    let store = Store("long-lines")
    let result = try store.run("import", "access-log", log, "--rejects", rejects)
    #expect(result.status == 65)
    #expect(result.errors.contains("\(log):2: ") && result.errors.contains("\(log):4: "))
    #expect(try String(contentsOfFile: rejects, encoding: .utf8) == "\(long)\n\(line(dots))\n")
    #expect(try store.run("log", "--json").objects().count == 3)
  }

  @Test func `a payload of ten megabytes comes back as it was`() throws {
    let store = Store("ten-megabytes")
    let text = String(repeating: "the quick brown fox — ", count: 450_000)
    var lines = EventLines()
    try lines.add([
      "kind": "index", "item": "big", "attributes": ["title": "big one", "textContent": text],
    ])
    try store.append(lines.data)
    let events = try store.run("log", "--json").objects()
    #expect((events.first?["attributes"] as? [String: String])?["textContent"] == text)
    #expect(try store.json(["search", "quick fox", "--exact"], as: RankedRow.self).count == 1)
  }

  @Test(arguments: [
    #"{"kind":"index"}"#, #"{"kind":"index","item":""}"#, #"{"item":"a"}"#,
    #"{"kind":"look","item":"a"}"#, #"{"kind":"index","item":"a","domain":""}"#,
    #"{"kind":"index","item":"a","domain":"a..b"}"#, #"{"kind":"index","item":"a","domain":".a"}"#,
    #"{"kind":"index","item":"a","time":"yesterday"}"#,
    #"{"kind":"index","item":"a","id":"not-a-uuid"}"#, #"{"kind":"index","item":7}"#,
    #"{"kind":"index","item":"a","attributes":{"k":[["nested"]]}}"#, #"["kind"]"#, "null", "}",
    #"{"kind":"delete"}"#, #"{"kind":"index","item":"a","attributes":"none"}"#,
  ]) func `a line that breaks a rule is refused with its place`(line: String) throws {
    let store = Store("rule")
    let file = try Scratch.file("rule.ndjson", Data((line + "\n").utf8))
    let result = try store.run("append", file, "--json")
    #expect(result.status == 65)
    #expect(result.errors.hasPrefix("\(file):1: "))
    #expect(result.errors.split(separator: "\n").first.map { $0.count > file.count + 6 } ?? false)
  }

  @Test func `the same id with other content is refused, with the same counted as a duplicate`()
    throws
  {
    let store = Store("ids")
    let id = UUID().uuidString
    let line = { (title: String, id: String) in
      Data(#"{"kind":"index","item":"a","id":"\#(id)","attributes":{"title":"\#(title)"}}"#.utf8)
    }
    #expect(try store.append(line("one", id.uppercased())).accepted == 1)
    #expect(try store.append(line("one", id.lowercased())).duplicates == 1)
    let other = try store.run("append", "-", "--json", input: line("two", id))
    #expect(other.status == 65)
    #expect(try store.stats().head == 1)
  }
}
