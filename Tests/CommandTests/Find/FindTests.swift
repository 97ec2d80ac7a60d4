import Foundation
import Testing

/// `cairn find` through a real terminal, screen by screen.
@Suite(.enabled(if: TmuxScreen.isHere, "SKIPPED: needs tmux (apt-get install tmux)"))
struct FindTests {
  private static func store() throws -> Store {
    try Store(running: [
      ["index", "report-7", "--domain", "work", "--title", "Harbour survey"],
      ["index", "photo-1", "--domain", "home", "--title", "Harbour at dusk"],
      ["index", "note-2", "--title", "Shopping list"],
      ["view", "photo-1", "--actor", "ann"],
    ])
  }

  private static func isAt(_ lines: [String], _ place: Int, _ text: String) -> Bool {
    lines.count > place && lines[place].contains(text)
  }

  @Test func `hits come while one types, and the choice is printed and learned`() throws {
    let store = try Self.store()
    let screen = try TmuxScreen("cairn find; echo \"status $?\"", store: store)
    let start = try screen.wait("the start") { Self.isAt($0, 2, "› Harbour at dusk") }
    #expect(start[1] == "  used most, then latest")
    #expect(start.contains { $0.hasPrefix("  Shopping list") }, "\(start)")
    #expect(start[23].contains("Enter choose"), "\(start)")
    #expect(start.allSatisfy { $0.count < 80 })

    try screen.type("har")
    var seen = try screen.wait("hits") { $0[0] == "> har" && $0[1] == "  2 items" }
    #expect(seen[2].hasPrefix("› Harbour at dusk  (photo-1)") && seen[2].hasSuffix("home"))
    #expect(seen[3].hasPrefix("  Harbour survey  (report-7)") && seen[3].hasSuffix("work"))
    try screen.press("Down")
    seen = try screen.wait("the life of the second") {
      Self.isAt($0, 3, "› ") && Self.isAt($0, 15, "Harbour survey  ·  report-7  ·  work")
    }
    #expect(seen[16].hasPrefix("1 event · first seen "), "\(seen)")
    #expect(seen[17].hasSuffix("Z  index"), "\(seen)")
    try screen.press("Enter")
    seen = try screen.wait("the id") { $0.contains("status 0") }
    #expect(seen.contains("report-7"), "\(seen)")

    let row = try #require(try store.run("log", "--json", "--kind", "select").objects().first)
    #expect(row["item"] as? String == "report-7" && row["query"] as? String == "har")
    #expect(row["position"] as? Int == 2)
    #expect(row["shown"] as? [String] == ["photo-1", "report-7"])

    try screen.type("clear; cairn find har")
    try screen.press("Enter")
    try screen.wait("what was chosen leads") { Self.isAt($0, 2, "› Harbour survey") }
    try screen.press("Escape")
  }

  @Test func `leaving is an impression, and breaking off is nothing`() throws {
    let store = try Self.store()
    let screen = try TmuxScreen("cairn find harb; echo \"status $?\"", store: store)
    try screen.wait("hits") { $0[1] == "  2 items" }
    try screen.press("Escape")
    try screen.wait("the shell") { $0.contains("status 1") }
    let rows = try store.run("log", "--json", "--kind", "impression").objects()
    #expect(rows.count == 1 && rows.first?["query"] as? String == "harb")
    try screen.type("clear; cairn find dusk; echo \"status $?\"")
    try screen.press("Enter")
    try screen.wait("a hit") { $0[1] == "  1 item" }
    try screen.press("C-c")
    try screen.wait("the shell") { $0.contains("status 130") }
    #expect(try store.stats().events == 5)
  }

  @Test func `Ctrl-D takes a letter away, and leaves where none is`() throws {
    let screen = try TmuxScreen("cairn find h; echo \"status $?\"", store: Self.store())
    try screen.wait("hits") { $0[0] == "> h" }
    try screen.press("Home")
    try screen.press("C-d")
    try screen.wait("no letter") { $0[0].hasPrefix(">") && !$0[0].contains("h") }
    try screen.press("C-d")
    try screen.wait("the shell") { $0.contains("status 1") }
  }

  @Test func `a dumb terminal gets text alone`() throws {
    let store = try Self.store()
    let line = "TERM=dumb cairn find harb; echo \"status $?\"; TERM=dumb cairn find; echo \"no $?\""
    let screen = try TmuxScreen(line, store: store)
    let seen = try screen.wait("both answers") { $0.contains("no 64") }
    #expect(seen.contains("status 0"), "\(seen)")
    #expect(seen.contains("  1. Harbour at dusk  (photo-1)"), "\(seen)")
    #expect(try store.stats().events == 4)
    // Less waits for a key before the first line there.
    try screen.type("clear; TERM=dumb env -u PAGER cairn log; echo \"shown $?\"")
    try screen.press("Enter")
    try screen.wait("the log") { $0.contains("4 events") && $0.contains("shown 0") }
  }

  @Test func `a pager shows what is not ASCII in every locale`() throws {
    let store = Store()
    let title = "Zoë " + String(repeating: "über ", count: 30)
    try #require(store.run("index", "a", "--title", title).status == 0)
    let screen = try TmuxScreen("LC_ALL=C env -u PAGER cairn log; echo \"shown $?\"", store: store)
    let seen = try screen.wait("the log") { $0.contains("shown 0") }
    #expect(seen.contains { $0.contains("Zoë") && $0.hasSuffix("…") }, "\(seen)")
  }

  @Test func `two keys travel in time`() throws {
    let store = try Self.store()
    try #require(store.run("delete", "photo-1").status == 0)
    let screen = try TmuxScreen("cairn find har; echo \"status $?\"", store: store)
    try screen.wait("the present") { $0[1] == "  1 item" }
    // All happened within minutes, so that the ladder may begin with the hour or the minute before.
    try screen.press("M-Left")
    var seen = try screen.wait("the past") { $0[1].contains("as of") }
    #expect(seen[1].contains("Z, event "), "\(seen)")
    for _ in 0..<8 where !seen[1].contains("event 1 ") {
      try screen.press("M-Left")
      let before = seen[1]
      seen = try screen.wait("an earlier point") { $0[1] != before }
    }
    #expect(seen[2].hasPrefix("› Harbour survey"), "\(seen)")
    for _ in 0..<9 where seen[1].contains("as of") {
      try screen.press("C-Right")
      let before = seen[1]
      seen = try screen.wait("a later point") { $0[1] != before }
    }
    // The point is shown at once, what was there when it is found.
    try screen.wait("the present again") { $0[1] == "  1 item" }
    try screen.press("C-c")
    try screen.wait("the shell") { $0.contains("status 130") }

    try screen.type("clear; cairn find har --as-of 4; echo \"status $?\"")
    try screen.press("Enter")
    try screen.wait("the past") { $0[1].contains("event 4 · 2 items") }
    try screen.press("Enter")
    try screen.wait("the id of what was there") { $0.contains("photo-1") }
    // A choice in the past says nothing of the present.
    #expect(try store.stats().events == 5)
  }

  @Test func `every size is filled, and the terminal is given back`() throws {
    let store = try Self.store()
    let screen = try TmuxScreen("true", store: store)
    let before = try screen.modes()
    #expect(!before.isEmpty)
    for (columns, lines) in [(80, 24), (132, 50), (40, 12), (20, 5), (80, 24)] {
      try screen.resize(columns: columns, lines: lines)
      try screen.type("clear; cairn find har")
      try screen.press("Enter")
      try screen.wait("\(columns)×\(lines)") {
        // A screen that has not shrunk yet is longer, and may be wider for a moment.
        $0.count >= lines && $0.count <= lines + 1 && $0[0] == "> har"
          && $0[1].contains("2 items") && Self.isAt($0, 2, "Harbour")
          && $0[lines - 1].hasPrefix("Enter choose") && $0.allSatisfy { $0.count < columns }
      }
      try screen.resize(columns: columns + 10, lines: lines + 3)
      try screen.wait("the new size") {
        $0.count >= lines + 3 && $0.count <= lines + 4
          && $0[lines + 2].hasPrefix("Enter choose")
          && $0.filter { $0.hasPrefix("Enter choose") }.count == 1
      }
      try screen.press("Escape")
      try screen.wait("the shell") { !$0.contains { $0.hasPrefix("Enter choose") } }
    }
    #expect(try screen.modes() == before)
    for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGILL] {
      try screen.type("clear; cairn find har")
      try screen.press("Enter")
      try screen.wait("find") { Self.isAt($0, 2, "› ") }
      try screen.kill(signal)
      try screen.wait("the shell") { !$0.contains { $0.hasPrefix("Enter choose") } }
      #expect(try screen.modes() == before, "\(signal)")
    }
  }

  @Test func `the line is edited as shells edit it`() throws {
    let store = try Self.store()
    let screen = try TmuxScreen("cairn find; echo \"status $?\"", store: store)
    try screen.wait("the start") { Self.isAt($0, 2, "›") }
    try screen.type("shopping lost")
    try screen.press("BSpace", "BSpace", "BSpace")
    try screen.type("ist")
    try screen.wait("a hit") { $0[0] == "> shopping list" && $0[1] == "  1 item" }
    try screen.press("C-w")
    try screen.wait("a word less") { $0[0] == "> shopping" }
    try screen.press("C-a")
    try screen.type("日本 é ")
    try screen.wait("no hit") {
      $0[0] == "> 日本 é shopping" && $0[1] == "  no item has these words"
    }
    try screen.press("Enter", "C-u")
    try screen.wait("the rest") { $0[0] == "> shopping" || $0[0] == ">" }
    try screen.press("C-e", "C-u")
    try screen.wait("the start") { $0[0] == ">" && $0[1] == "  used most, then latest" }
    try screen.press("Down", "Down", "Down", "Up", "Enter")
    try screen.wait("a choice without a query") { $0.contains("status 0") }
    let last = try #require(try store.run("log", "--json", "--reverse", "-n", "1").objects().first)
    #expect(last["kind"] as? String == "view")
  }

  @Test func `a key of bash puts an item on the line`() throws {
    let store = try Self.store()
    let screen = try TmuxScreen(
      "eval \"$(cairn find --shell bash)\"; clear; echo ready", store: store)
    try screen.wait("the shell") { $0.contains("ready") }
    try screen.type("echo got:")
    try screen.press("C-g")
    try screen.wait("find") { Self.isAt($0, 2, "› ") }
    try screen.type("survey")
    try screen.wait("a hit") { $0[1] == "  1 item" }
    try screen.press("Enter")
    try screen.wait("the line") { $0.contains { $0.contains("echo got:report-7") } }
    try screen.press("Enter")
    try screen.wait("the id") { $0.contains("got:report-7") }
  }

  @Test func `a command comes as it was typed, and what is none in quotes`() throws {
    let store = Store()
    let command = "shell:echo got: \"a b\" $((1+1))"
    try #require(store.run("view", command, "--title", "echo got").status == 0)
    try #require(store.run("index", #"it's \ a"#, "--title", "Odd").status == 0)
    try #require(store.run("view", "file:///no/B%C3%BCcher", "--title", "Folder").status == 0)
    let screen = try TmuxScreen("cairn find echo", store: store)
    try screen.wait("a hit") { $0.count > 1 && $0[1] == "  1 item" }
    try screen.press("Enter")
    try screen.wait("the command") { $0.contains("echo got: \"a b\" $((1+1))") }
    try screen.type("eval \"$(cairn find --shell bash)\"; clear; echo ready")
    try screen.press("Enter")
    try screen.wait("the shell") { $0.contains("ready") }
    try screen.press("C-g")
    try screen.wait("find") { Self.isAt($0, 2, "› ") }
    try screen.type("got")
    try screen.wait("a hit") { $0[1] == "  1 item" }
    try screen.press("Enter")
    try screen.wait("the line") { $0.contains { $0.contains("$ echo got: \"a b\" $((1+1))") } }
    try screen.press("Enter")
    try screen.wait("what it says") { $0.contains("got: a b 2") }
    try screen.type("printf '<%s>' ")
    try screen.press("C-g")
    try screen.wait("find") { Self.isAt($0, 2, "› ") }
    try screen.type("odd")
    try screen.wait("a hit") { $0[1] == "  1 item" }
    try screen.press("Enter")
    try screen.wait("the line") { $0.contains { $0.contains("printf '<%s>' 'it") } }
    try screen.press("Enter")
    try screen.wait("the word") { $0.contains { $0.contains(#"<it's \ a>"#) } }
    // A folder goes behind cd.
    try screen.press("C-g")
    try screen.wait("find") { Self.isAt($0, 2, "› ") }
    try screen.type("folder")
    try screen.wait("a hit") { $0[1] == "  1 item" }
    try screen.press("Enter")
    try screen.wait("the path") { $0.contains { $0.contains("$ '/no/Bücher'") } }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `bindings are in the shell's own words`(
    shell: String
  ) throws {
    let text = try Shell.run(Store.binary, "find", "--shell", shell)
    #expect(text.status == 0 && text.text.contains("cairn find"))
    let file = try Scratch.file("binding.\(shell)", text.output)
    guard try Shell.run("/bin/sh", "-c", "command -v \(shell)").status == 0 else { return }
    let check = try Shell.run(shell, shell == "fish" ? "--no-execute" : "-n", file)
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test func `without a terminal it answers as search does`() throws {
    let store = try Self.store()
    #expect(
      try store.run("find", "toy", "harb", "--json").output
        == store.run("search", "toy", "harb", "--json").output)
    #expect(try store.run("find", "dusk").text == store.run("search", "dusk").text)
    let bare = try store.run("find")
    #expect(bare.status == 64 && bare.errors.contains("cairn search"), "\(bare.errors)")
    #expect(try store.run("find", "x", "--filter", "(((").status == 64)
  }
}
