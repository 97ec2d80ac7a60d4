import Foundation
import Testing

@Suite struct `What the command says when it cannot` {
  private static let reading: [[String]] = [
    ["items"], ["show", "a"], ["search", "a"], ["search", "--queries", "-"], ["suggest", "a"],
    ["top"], ["log"], ["stats"], ["timeline"], ["replay"], ["diff", "1", "2"], ["export"],
    ["snapshot", "list"], ["verify"], ["migrate"], ["migrate", "--dry-run"],
  ]

  private static let takingAway: [[String]] = [
    ["delete", "a"], ["delete", "--domain", "d", "--yes"], ["delete", "--all", "--yes"],
    ["purge", "--item", "a", "--yes"], ["undo"], ["retention", "apply", "--yes"],
  ]

  private static func expectOneLine(_ result: ProcessResult, _ status: Int32) {
    #expect(result.status == status, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  @Test(arguments: reading + takingAway)
  func `reading or emptying a store that is not there is 66 and makes none`(
    command: [String]
  ) throws {
    let store = Store("missing")
    Self.expectOneLine(try store.run(command), 66)
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test(arguments: [["items"], ["append", "-"], ["view", "a"]])
  func `a path that is a file is 66 and is left alone`(command: [String]) throws {
    let file = try Scratch.file("file", Data("mine".utf8))
    let line = Data(#"{"kind":"view","item":"a"}"#.utf8)
    Self.expectOneLine(try Store(at: file).run(command, input: line), 66)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
  }

  @Test func `a store whose maker was killed before it wrote is none, and can be made`() throws {
    let store = Store()
    try FileManager.default.createDirectory(
      atPath: store.path, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: store.path + "/log.mdb"))
    for command in ["verify", "items", "doctor"] {
      #expect(try store.run(command).status == 66, "\(command)")
    }
    #expect(try store.run("view", "a").status == 0)
    #expect(try store.run("verify").status == 0)
    // With projections beside it there was a log.
    try Data().write(to: URL(filePath: store.path + "/log.mdb"))
    #expect(try store.run("verify").status == 1)
  }

  @Test(arguments: [["items"], ["append", "-"], ["view", "a"]])
  func `a folder that is no store is 66 and is left alone`(command: [String]) throws {
    let folder = Scratch.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: folder + "/notes.txt"))
    let line = Data(#"{"kind":"view","item":"a"}"#.utf8)
    Self.expectOneLine(try Store(at: folder).run(command, input: line), 66)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
  }

  @Test(arguments: ["purge", "top", "search", "snapshot", "append"], ["--help", "-h"])
  func `help says how the command is called`(command: String, flag: String) throws {
    let result = try Store("help").run([command, flag])
    #expect(result.status == 0 && result.errors.isEmpty)
    let help = String(decoding: result.output, as: UTF8.self)
    #expect(help.contains("USAGE: cairn \(command) "), "\(help)")
  }

  @Test(arguments: [
    ["frobnicate"], ["items", "--frobnicate"], ["top", "--limit", "many"], ["top", "--by", "luck"],
    ["show"], ["search", "a", "--match", "some"], ["snapshot", "create", "123"],
    ["snapshot", "create", "2020-01-01T00:00:00Z"], ["timeline", "--by", "fortnight"],
    ["log", "--since", "tomorrowish"], ["top", "--limit", "-1"], ["search", "a", "--offset", "-1"],
  ]) func `a command line that means nothing is 64`(command: [String]) throws {
    let store = Store("usage")
    try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8))
    let result = try store.run(command)
    #expect(result.status == 64)
    #expect(result.output.isEmpty && !result.errors.isEmpty)
  }

  @Test func `bare, it helps and says 64; asked for help it says 0`() throws {
    let bare = try Shell.run(Store.binary)
    #expect(bare.status == 64)
    #expect((bare.text + bare.errors).contains("append"))
    for (line, command) in [(["snapshot"], "create"), (["serve", "token"], "remove")] {
      let group = try Shell.run(Store.binary, line)
      #expect(group.status == 64 && group.output.isEmpty && group.errors.contains(command))
      let help = try Shell.run(Store.binary, line + ["--help"])
      #expect(help.status == 0 && help.text.contains(command))
    }
    let help = try Shell.run(Store.binary, "--help")
    #expect(help.status == 0 && help.text.contains("append"))
  }

  @Test func `what is not there is 1`() throws {
    let store = Store("absent")
    try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8))
    for command in [
      ["show", "b"], ["items", "--as-of", "no-such-snapshot"], ["items", "--as-of", "2"],
      ["items", "--as-of", "99999999999999999999999999"], ["show", ""],
      ["snapshot", "show", "none"], ["snapshot", "delete", "none"],
    ] { Self.expectOneLine(try store.run(command), 1) }
    _ = try store.run("snapshot", "create", "once")
    Self.expectOneLine(try store.run("snapshot", "create", "once"), 1)
  }

  @Test func `a file that is not there is 66 and a folder to write into must be empty`() throws {
    let store = Store("files")
    try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8))
    Self.expectOneLine(try store.run("append", Scratch.path("nowhere")), 66)
    Self.expectOneLine(try store.run("import", "git", Scratch.path("nowhere")), 66)
    let full = Scratch.path("full")
    try FileManager.default.createDirectory(atPath: full, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: full + "/there"))
    Self.expectOneLine(try store.run("replay", "--into", full), 64)
  }

  @Test func `an answer nobody reads ends quietly`() throws {
    let store = Store("pipe")
    var lines = EventLines()
    for number in 0..<5000 { try lines.add(["kind": "index", "item": "item-\(number)"]) }
    try store.append(lines.data)
    let result = try Shell.run(
      "bash", "-c",
      "set -o pipefail; '\(Store.binary)' items --json --store '\(store.path)' | head -n 1")
    #expect(result.errors.isEmpty, "\(result.errors)")
    #expect(result.text.split(separator: "\n").count == 1)
  }

  @Test func `interrupted, it is 130 and what was acknowledged is there`() throws {
    let store = Store("interrupted")
    let writer = try store.start(["append", "-", "--batch", "1"])
    for number in 0..<20 {
      writer.write(Data(#"{"kind":"view","item":"\#(number)"}"#.utf8 + [0x0A]))
    }
    let seen = try waitForHead(of: store, atLeast: 20)
    writer.kill(SIGINT)
    let result = writer.finish()
    #expect(result.status == 130, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count <= 1)
    #expect(try store.stats().head >= seen && seen == 20)
  }

  @Test func `a stream that pauses is committed though its batch is not full`() throws {
    let store = Store("paused")
    let writer = try store.start(["append", "-", "--batch", "100000"])
    writer.write(Data(#"{"kind":"view","item":"a"}"#.utf8 + [0x0A]))
    #expect(try waitForHead(of: store, atLeast: 1) == 1)
    #expect(writer.finish().status == 0)
  }

  @Test func `while another process writes, a writer waits and then says 69`() throws {
    let store = Store("second-writer")
    try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8))
    let holder = try RunningProcess(
      "flock", ["\(store.path)/writer.lock", "-c", "echo held; sleep 5"])
    usleep(300_000)
    let line = Data(#"{"kind":"view","item":"b"}"#.utf8)
    let result = try store.run("append", "-", "--wait", "1", input: line)
    Self.expectOneLine(result, 69)
    #expect(try store.json(["items"], as: ItemRow.self).isEmpty)
    holder.kill(SIGKILL)
    _ = holder.finish()
  }
}

/// Waits until a reader sees that many events, at most ten seconds.
func waitForHead(of store: Store, atLeast count: Int) throws -> Int {
  let deadline = Date().addingTimeInterval(10)
  var head = 0
  while head < count && Date() < deadline { head = try store.headNow() }
  return head
}
