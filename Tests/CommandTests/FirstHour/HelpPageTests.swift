import Foundation
import Testing

/// The pages of the help, and that what they say holds.
@Suite struct HelpPageTests {
  @Test(arguments: ["filters", "times", "points", "schemas"])
  func `a page is printed`(page: String) throws {
    let result = try Shell.run(Store.binary, ["help", page])
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.text.hasPrefix(page.uppercased() + ":"))
    for line in result.text.split(separator: "\n") { #expect(line.count <= 104, "\(line)") }
  }

  @Test func `every filter given as an example finds something and leaves something out`() throws {
    let store = Store()
    let now = Date()
    func day(_ back: Double) -> String { (now - back * 86_400).formatted(.iso8601) }
    let history = """
      {"kind":"index","item":"1","domain":"work.reports","attributes":{"title":"Harbour survey","authorNames":["Zoë Bär"],"keywords":["tide","sea"],"rating":4,"archived":true,"pageCount":366,"contentType":"public.html","contentModificationDate":"\(day(1))","contentCreationDate":"2001-01-01T00:00:00Z","textContent":"Tides and tables","projectCode":"X-7"}}
      {"kind":"index","item":"2","domain":"home","attributes":{"title":"Recipes","keywords":["sport"],"pageCount":3,"contentModificationDate":"2024-05-15T10:30:00Z","contentCreationDate":"\(day(0))"}}

      """
    try store.append(Data(history.utf8))
    let page = try Shell.run(Store.binary, ["help", "filters"]).text
    let examples = page.split(separator: "\n").filter { $0.hasPrefix("    ") }.compactMap { line in
      line.dropFirst(4).firstRange(of: "   ").map { String(line.dropFirst(4)[..<$0.lowerBound]) }
    }
    #expect(examples.count >= 20)
    for example in examples {
      let result = try store.run("items", "--filter", example, "--json")
      #expect(result.status == 0, "\(example): \(result.errors)")
      #expect(try result.objects().count == 1, "\(example)")
    }
  }

  @Test func `times of filters take a number where the page says so`() throws {
    let store = try Store(running: [["index", "a", "--title", "A"]])
    let page = try Shell.run(Store.binary, ["help", "filters"]).text
    let words = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let plain = try #require(words.firstMatch(of: /Times, in UTC, are (.*?); (.*?), these/))
    for (list, expected) in [(plain.1, Int32(64)), (plain.2, Int32(0))] {
      for match in list.matches(of: /\$time\.\w+/) {
        let filter = "contentModificationDate >= \(match.0)"
        #expect(try store.run("items", "--filter", filter).status == 0, "\(filter)")
        #expect(try store.run("items", "--filter", filter + "(-1)").status == expected, "\(filter)")
      }
    }
  }

  @Test(arguments: ["2025-11-25", "2025-06-18"])
  func `the help of mcp names the revisions that it shakes hands in`(revision: String) throws {
    let store = try Store(running: [["index", "a", "--title", "A"]])
    let hello = """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\(revision)",\
      "capabilities":{},"clientInfo":{"name":"x","version":"1"}}}

      """
    let answer = try #require(store.run("mcp", input: Data(hello.utf8)).objects().first)
    let result = answer["result"] as? [String: Any]
    #expect(result?["protocolVersion"] as? String == revision, "\(answer)")
    #expect(try Shell.run(Store.binary, ["help", "mcp"]).text.contains(revision))
  }

  @Test func `mcp tells each call on standard error, without its words`() throws {
    let store = try Store(running: [["index", "a", "--title", "secret words"]])
    let calls = [
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
      #"{"jsonrpc":"2.0","id":"secret","method":"tools/call","params":{"name":"search_history","#
        + #""arguments":{"query":"secret words"}}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"secret/method"}"#,
    ]
    let answer = try store.run("mcp", input: Data((calls.joined(separator: "\n") + "\n").utf8))
    #expect(try answer.objects().count == 3)
    let lines = try answer.errors.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(lines.map { $0?["call"] as? String } == ["tools/list", "search_history", nil])
    #expect(lines.map { $0?["status"] as? Int } == [200, 200, 200])
    #expect(!answer.errors.contains("secret"))
  }

  @Test func `mcp goes on where nobody reads standard error any more`() throws {
    let store = try Store(running: [["view", "a"]])
    let result = try Shell.run(
      "/bin/bash", ["-c", "exec 3> >(:); wait $!; exec \"$CAIRN\" mcp 2>&3 3>&-"],
      input: Data((#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"# + "\n").utf8),
      environment: ["CAIRN_STORE": store.path, "CAIRN": Store.binary])
    #expect(result.status == 0)
    #expect(try result.objects().count == 1)
  }

  @Test func `examples are not broken on a terminal of 80 columns`() throws {
    let dump = try Shell.run(Store.binary, ["--experimental-dump-help"]).output
    let help = try #require(JSONSerialization.jsonObject(with: dump) as? [String: Any])
    var waiting = [try #require(help["command"] as? [String: Any])]
    var lineCount = 0
    while let command = waiting.popLast() {
      waiting += command["subcommands"] as? [[String: Any]] ?? []
      let lines = (command["discussion"] as? String ?? "").split(separator: "\n")
      for line in lines where line.hasPrefix("  ") {
        #expect(line.count <= 80, "\(line)")
        lineCount += 1
      }
    }
    #expect(lineCount > 40)
  }

  @Test(arguments: ["help", "--version", "--generate-completion-script bash", "help times"])
  func `help that cannot be written is no success`(line: String) throws {
    let full = try Shell.run("/bin/sh", "-c", "\(Store.binary) \(line) >/dev/full")
    #expect(full.status == 74, "\(line)")
    #expect(full.errors.hasPrefix("cairn: standard output: cannot write"), "\(full.errors)")
  }

  @Test func `every command has a line in the help and a help of its own`() throws {
    let help = try Shell.run(Store.binary, ["--help"]).text
    let names = help.split(separator: "\n").compactMap { line -> Substring? in
      let word = line.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
      return line.hasPrefix("  ") && word.first?.isLetter == true ? word : nil
    }.filter { $0.first?.isLowercase == true }
    #expect(names.count >= 35)
    for name in names {
      let page = try Shell.run(Store.binary, ["help", String(name)])
      #expect(page.status == 0 && page.text.contains("USAGE: cairn \(name)"), "\(name)")
      #expect(page.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(page.text)")
    }
  }
}
