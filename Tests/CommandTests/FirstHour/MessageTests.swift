import Foundation
import TestSupport
import Testing

/// Every message that ends a command is forced, and read as people read it: one line that says what
/// is wrong, where, and what to do.
@Suite struct MessageTests {
  /// A message as it stands in the sources: its longest part without values in it.
  struct Message: Hashable, CustomStringConvertible {
    var file: String
    var text: String
    var description: String { "\(file): “\(text)”" }
  }

  /// Rooms whose own suites force what they say.
  private static let elsewhere = [
    "Import/", "Web/", "Serve/", "Schema/", "Rebuild", "Replay", "Migrate", "Schema", "Serve",
    "Inspect", "WebLink",
  ]

  /// What only a terminal, a failing disk or another desktop brings up.
  private static let unforced = [
    // FindTests and ConfirmationTests are at a terminal.
    "nothing was purged", "nothing was deleted", "nothing was changed", "nothing was imported",
    "is gone", "cannot be made: ", "cannot be taken over: ",
    // RemovedStoreTests takes the store away.
    "the store was removed or replaced; ",
    // A desktop opens items.
    "the item has no contentURL", "cannot be started; install", "could not open the item",
    // DiskTests, DoctorTests and InputLimitTests fill disks and memory.
    "cannot be flushed: ", "is too large for ", "projections differed", "was given up",
    // EvidenceTests lets witnesses refuse.
    "refused: ",
    // Asked at a terminal.
    "no version went",
    // A user without a home.
    "no witness is named", "only who may write the store can sign; ",
  ]

  static func messages() throws -> [Message] {
    var found: Set<Message> = []
    let literal = /(?:Failure\(\s*\.\w+,|ValidationError\()\s*"((?:[^"\\]|\\.)*)"/
    for file in try Checkout.files(in: ["Sources/CairnCommand"]) {
      guard !elsewhere.contains(where: { file.path.contains($0) }) else { continue }
      let text = try String(
        contentsOf: Checkout.root.appending(path: file.path), encoding: .utf8)
      for match in text.matches(of: literal) {
        let parts = String(match.1).split(separator: /\\\([^)]*(?:\)+|$)/).map(String.init)
        guard let longest = parts.max(by: { $0.count < $1.count }) else { continue }
        var part = longest.replacing("\\\"", with: "\"")
        while part.last == "." { part.removeLast() }
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        found.insert(Message(file: name, text: part))
      }
    }
    return found.sorted { $0.description < $1.description }
  }

  /// Lines that bring messages up, with what they are told on standard input.
  private static func lines(_ folder: String, _ store: Store) throws -> [[String]] {
    let packed = try Scratch.file("x.gz", Data([0x1F, 0x8B, 8, 0, 0, 0]))
    let zstd = try Scratch.file("x.zst", Data([0x28, 0xB5, 0x2F, 0xFD]))
    let table = try Scratch.file("x.csv", Data("name,size\na,1\n".utf8))
    let full = try Scratch.file("full", Data("x".utf8))
    let events = try Scratch.file("e.ndjson", Data(#"{"kind":"view","item":"a"}"#.utf8))
    return [
      ["view", "a", "--wait=-1"], ["evaluate", "--scales", "fit"], ["evaluate"],
      ["log", "--follow", "--reverse"], ["log", "--oldest-first", "--reverse"],
      ["log", "--from", "5", "--to", "2"], ["prove", "consistency", "1", "0"],
      ["log", "--follow", "--as-of", "1"], ["search"], ["show", "nope"], ["help", "time"],
      ["items", "--count", "--limit", "3"], ["update", "a", "--unset", "x", "--set", "x=1"],
      ["index", "a", "--title", "x", "--set", "title=y"], ["revert", "--to", "1", "--domain", ""],
      ["log", "--since", "2026-02", "--until", "2026-01"], ["top", "--now", "2020-01-01"],
      ["import", "--name", "a/b", try Self.filled() + "/.bash_history"],
      ["snapshot", "delete", "nope"], ["top", "--by", "count", "--actor", "a"],
      ["checkpoint", "--key", "--new-key"],
      ["checkpoint", "--origin", "x", "--old", "1"],
      ["prove", "inclusion", "1", "--checkpoint", full],
      ["prove", "inclusion", "1", "--tlog-proof", "-", "--size", "1"],
      ["export", folder], ["export", "csv"],
      ["export", folder, "--format", "tiles", "--as-of", "1"],
      ["purge", "--before", "2020", "--block"], ["purge", "--item", "a", "--block", "--unblock"],
      ["purge", "--item", "a", "--list"], ["purge", "--item", "a", "--unblock"], ["purge"],
      ["purge", "--actor", ""], ["purge", "--before", "2020", "--until", "2021"],
      ["purge", "--item", "a"], ["purge", "--before", "2999-01-01", "--yes"],
      ["purge", "--item", "a", "--yes", "--receipt", full],
      ["retention", "add"], ["retention", "remove", "9"],
      ["retention", "add", "--versions", "--events", "3"],
      ["retention", "add", "--versions", "--days", "3", "--source", "a"],
      ["backup", full], ["restore", folder, "--into", folder],
      ["backup", try Self.filled()],
      ["append", "--batch", "0"], ["delete"], ["delete", "a", "b", "--id", UUID().uuidString],
      ["import", "ndjson"], ["import", "ndjson", full, "--host", "h"],
      ["import", events, try Self.filled() + "/.bash_history", "--dry-run"], ["import"],
      ["import", "auto", folder], ["import", "auto", try Self.filled()],
      ["impression", "x"], ["less", "a", "b", "--id", UUID().uuidString],
      ["index", "a", "--set", "x"], ["index", "a", "--set", "x:=y"],
      ["index", "a", "--set", ":=3"],
      ["index", "a", "--domain", "x", "--no-domain"], ["update", "nope", "--add", "keywords=x"],
      ["update", "a", "--domain", "x", "--no-domain"], ["undo", "99999"], ["undo", "1.5"],
      ["revert", "--to", "0", "--domain", "x", "--item", "a"], ["view", "a", "--visits", "0"],
      ["select", "q", "a", "--position", "0"], ["find"], ["import", "csv", table],
      ["import", table, "--column", "item=name"], ["top", "--explain", "--since", "2020"],
      ["import", "csv", table, "--column", "item:=5"],
      ["append", packed], ["append", zstd], ["append", full, "--rejects", full],
      ["purges", "export", store.path + "/log.mdb"],
      ["replay", "--to", "1", "--into", full],
      ["replay", "--to", "1", "--into", try Self.filled()],
    ]
  }

  private static func filled() throws -> String {
    let folder = Scratch.path("filled")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("#1700000000\nls\n".utf8).write(to: URL(filePath: folder + "/.bash_history"))
    return folder
  }

  @Test func `every message is forced, and is one line that says what, where and what to do`()
    throws
  {
    let store = try Store(running: [["index", "a", "--title", "Harbour"], ["view", "a"]])
    let folder = Scratch.path("empty")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var said: [String] = []
    for line in try Self.lines(folder, store) {
      let result = try store.run(line, input: Data())
      #expect(result.status != 0 && result.signal == 0, "\(line)")
      said.append(result.errors)
      Self.read(result.errors, line)
    }
    let homeless = try Shell.run(
      "/usr/bin/env", "-u", "HOME", "-u", "XDG_DATA_HOME", "-u", "CAIRN_STORE", Store.binary, "top")
    said.append(homeless.errors)
    let closed = try Shell.run(
      "/bin/sh", "-c", "\(Store.binary) log --store \(store.path) >&-")
    said.append(closed.errors)
    let past = Store()
    try #require(past.run("view", "a").status == 0)
    try #require(past.run("retention", "add", "--versions", "--days", "3").status == 0)
    said.append(try past.run(["retention", "apply"], input: Data()).errors)
    let quorum = try Shell.run(
      Store.binary, "check", "proof", "--key", "name+1+AAAA", "--quorum", "9")
    said.append(quorum.errors)
    for path in ["", "~/x"] {
      said.append(try Shell.run(Store.binary, "items", "--store", path).errors)
    }
    let key = try store.run("checkpoint", "--key").text.split(separator: "\n").joined()
    let receipt = try Scratch.file("receipt.json", Data("{\"purge\":null}\n".utf8))
    said.append(try Shell.run(Store.binary, "check", receipt, "--key", key).errors)
    let signed = try Scratch.file("signed", Data(store.run("checkpoint").text.utf8))
    let leaf = try Shell.run(Store.binary, "check", signed, "--key", key, "--leaf", "AAAA")
    #expect(leaf.status == 64)
    said.append(leaf.errors)
    for message in try Self.messages() {
      guard
        !Self.unforced.contains(where: { message.text.contains($0) || $0.contains(message.text) })
      else { continue }
      #expect(said.contains { $0.contains(message.text) }, "nothing forces \(message)")
    }
  }

  @Test func `a message is one line that steers no terminal, whatever a file is called`() throws {
    let store = try Store(running: [["index", "a", "--title", "A"]])
    let name = Scratch.path("\u{1B}[31mred\nline")
    try Data("no event\n".utf8).write(to: URL(filePath: name))
    for line in [
      ["append", name], ["import", name], ["append", name + "-none"], ["backup", name],
      ["purges", "apply", name, "--yes"], ["index", "b", "--set", "\u{1B}[31m\n"],
    ] {
      let said = try store.run(line).errors
      #expect(said.split(separator: "\n").count == 1 && said.hasSuffix("\n"), "\(line)")
      #expect(!said.contains("\u{1B}"), "\(line)")
    }
  }

  /// Reads a message as somebody does who has to go on.
  private static func read(_ text: String, _ line: [String]) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines.last == "", "\(line): \(text)")
    guard let said = lines.first.map(String.init) else { return }
    #expect(said.hasPrefix("cairn: ") || said.contains(": "), "\(line): \(said)")
    #expect(!said.hasSuffix("."), "\(line): \(said)")
    // What to do: a command, an option, another value, or the rule that a value breaks.
    let remedies = [
      "cairn ", "--", "name ", "give ", "say ", "takes", "unpack", "see: ", "add ", "choose ",
      "ends in the middle", "; ",
    ]
    #expect(remedies.contains { said.dropFirst(7).contains($0) }, "what to do? \(line): \(said)")
    for word in ["rror domain", "Optional(", "nil", "fatal", "Fatal", "0x"] {
      #expect(!said.contains(word), "\(line): \(said)")
    }
  }
}
