import Foundation
import Testing

/// Messages name the whole place, and what to do there.
@Suite struct WordingTests {
  /// What a command says and ends with, after its `cairn: `.
  private static func said(
    _ line: [String], environment: [String: String] = [:]
  ) throws -> (status: Int32, text: String) {
    let result = try Shell.run(Store.binary, line, environment: environment)
    #expect(result.errors.hasPrefix("cairn: ") && result.errors.hasSuffix("\n"), "\(line)")
    return (result.status, String(result.errors.dropFirst(7).dropLast()))
  }

  @Test func `a store that cannot be there is named with all of its path`() throws {
    let file = try Scratch.file("file", Data("x".utf8))
    for line in [["items"], ["view", "a"], ["purge", "--item", "a", "--yes"]] {
      let below = try Self.said(line + ["--store", file + "/x"])
      #expect(below == (66, "\(file)/x: lies below a file; name the directory of a store"))
      let empty = try Self.said(line + ["--store", ""])
      #expect(empty == (64, "--store is empty: give a directory"))
      let home = try Self.said(line + ["--store=~/x"])
      #expect(home == (64, "the store's ~ was not read by a shell; give the whole path"))
      let named = try Self.said(line, environment: ["CAIRN_STORE": "~/x"])
      #expect(named == (64, "the store's ~ was not read by a shell; give the whole path"))
    }
    let made = try Self.said(["view", "a", "--store", "/proc/none/store"])
    #expect(made == (74, "/proc/none: cannot be made; check the folders above it"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "x")
  }

  @Test func `a copy makes the folders above it, or names all of the path that cannot be`() throws {
    let store = Store()
    try #require(store.run("view", "a").status == 0)
    let above = Scratch.path("above")
    for line in [["backup"], ["replay", "--into"]] {
      let made = try store.run(line + ["\(above)/\(line[0])/copy"])
      #expect(made.status == 0, "\(made.errors)")
      let not = try store.run(line + ["/proc/none/copy"])
      #expect(not.status == 74)
      #expect(not.errors == "cairn: /proc/none: cannot be made; check the folders above it\n")
    }
    #expect(try store.run("restore", "\(above)/backup/copy", "--into", "\(above)/b/c").status == 0)
  }

  @Test(arguments: [["backup", ""], ["replay", "--into", ""], ["restore", "x", "--into", ""]])
  func `a copy into no name is a slip, not a damaged disk`(line: [String]) throws {
    let store = try Store(running: [["view", "a"]])
    let whole = line.map { $0 == "x" ? store.path : $0 }
    let result = try store.run(whole)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.hasPrefix("cairn: the directory has no name; "), "\(result.errors)")
  }

  @Test func `an empty name in a script is told of before anything is done`() throws {
    let store = try Store(running: [["index", "a", "--title", "A"]])
    let events = try Scratch.file("events", Data("{\"kind\":\"view\",\"item\":\"b\"}\n".utf8))
    for option in ["--except", "--only"] {
      let imported = try store.run("import", "ndjson", events, option, "")
      #expect(imported.status == 64, "\(imported.text)")
      #expect(imported.errors.hasPrefix("cairn: --only and --except take a name"))
    }
    let purged = try store.run("purge", "--item", "a", "--yes", "--receipt", "")
    #expect(purged.status == 66 && purged.output.isEmpty, "\(purged.text)")
    #expect(purged.errors.hasPrefix("cairn: '': cannot be written: "), "\(purged.errors)")
    #expect(try store.headNow() == 1)
  }

  @Test func `a data directory that is no whole path does not count`() throws {
    let home = Scratch.path("home")
    let environment = ["HOME": home, "XDG_DATA_HOME": "rel", "CAIRN_STORE": ""]
    let items = try Self.said(["items"], environment: environment)
    #expect(items.text.hasPrefix("\(home)/.local/share/cairn: no store here"), "\(items.text)")
    let witness = try Self.said(["witness", "cosign"], environment: environment)
    #expect(witness.text.hasPrefix("\(home)/.local/share/cairn-witness"), "\(witness.text)")
  }

  @Test func `what a purge refuses is said alike by all commands`() throws {
    let store = Store()
    try #require(store.run("index", "a", "--title", "Harbour").status == 0)
    try #require(store.run("purge", "--item", "a", "--block", "--yes").status == 0)
    let result = try store.run("view", "a")
    #expect(result.status == 65)
    let reason =
      "a purge refuses this event; lift that by its conditions: cairn purge --unblock "
      + "CONDITIONS\n"
    #expect(result.errors == "cairn: \(reason)")
    let appended = try store.run("append", input: Data(#"{"kind":"view","item":"a"}"#.utf8))
    #expect(appended.errors == "-:1: \(reason)")
    // One below what is blocked is refused as well, and has no block of its own.
    try #require(store.run("purge", "--domain", "d", "--block", "--yes").status == 0)
    #expect(try store.run("index", "b", "--domain", "d.x").status == 65)
    let below = try store.run("purge", "--unblock", "--domain", "d.x")
    #expect(below.status == 1 && below.errors.hasPrefix("cairn: no purge blocks just that; "))
  }

  @Test func `damage is named once, with what mends it`() throws {
    let store = Store()
    for name in ["Harbour wall", "Harbour lights"] {
      try #require(store.run("index", name, "--title", name).status == 0)
    }
    let log = URL(filePath: store.path + "/log.mdb")
    var bytes = try Data(contentsOf: log)
    for name in ["Harbour wall", "Harbour lights"] {
      var start = bytes.startIndex
      while let range = bytes.range(of: Data(name.utf8), in: start..<bytes.endIndex) {
        bytes[range.lowerBound] ^= 1
        start = range.upperBound
      }
    }
    try bytes.write(to: log)
    let said = try Self.said(["verify", "--store", store.path])
    #expect(said.status == 1 && said.text.hasPrefix("log.mdb, event 1: "), "\(said.text)")
    #expect(said.text.split(separator: "event 1").count == 2, "\(said.text)")
    #expect(said.text.contains("restore a backup into another directory with: cairn restore ("))
    #expect(said.text.hasSuffix(" more: --json lists all)"), "\(said.text)")
  }

  @Test(arguments: [
    (["index", ""], "`item` must not be empty"),
    (
      ["search", "toy", "--limit", "-1"],
      "--limit takes no number below 0; see: cairn help search"
    ),
    (["top", "-n", "-3"], "-n takes no number below 0; see: cairn help top"),
    (
      ["--generate-completion-script", "tcsh"],
      "--generate-completion-script takes bash, zsh or fish; see: cairn help"
    ),
    (
      ["update", "a", "--set", "pages:=abc"],
      "The value 'pages:=abc' is invalid for '--set <key=text|key:=json>': JSON stands behind := "
        + "(a text goes with = alone); see: cairn help update"
    ),
    (
      ["index", "a", "--set", "n:=12345678901234567890"],
      "The value 'n:=12345678901234567890' is invalid for '--set <key=text|key:=json>': the whole "
        + "number is beyond 64 bits and would be rounded; give it as a string; see: cairn help index"
    ),
    (
      ["index", "a", "--set", "n:={\"a\":1}"],
      "The value 'n:={\"a\":1}' is invalid for '--set <key=text|key:=json>': an attribute holds a "
        + "scalar, {\"base64\":…} or an array of those, nothing deeper; see: cairn help index"
    ),
    (
      ["update", "a", "--set", "pages:=null"],
      "The value 'pages:=null' is invalid for '--set <key=text|key:=json>': an attribute that is not "
        + "there is left out; to take an attribute away: --unset KEY; see: cairn help update"
    ),
    (
      ["update", "a", "--remove", "pages"],
      "The value 'pages' is invalid for '--remove <key=text|key:=json>': a key stands before = and "
        + "its value behind; to take an attribute away: --unset KEY; see: cairn help update"
    ),
  ]) func `a wrong value is named, and what would be right`(line: [String], text: String) throws {
    let store = Store()
    let said = try Self.said(line + ["--store", store.path])
    #expect(said.text == text)
  }

  @Test(arguments: [("bzip2", "bzcat"), ("zstd", "zstdcat")])
  func `compressed files are named as such by every import`(tool: String, unpacker: String) throws {
    let magic: [String: [UInt8]] = [
      "bzip2": Array("BZh91AY".utf8), "zstd": [0x28, 0xB5, 0x2F, 0xFD],
    ]
    let file = try Scratch.file("log", Data(try #require(magic[tool])))
    for line in [["import", file], ["import", "csv", file], ["import", "access-log", file]] {
      let result = try Store().run(line)
      let text = "\(file): is compressed; unpack it first: \(unpacker) FILE\n"
      #expect(result.status == 65 && result.errors.hasSuffix(text), "\(line): \(result.errors)")
    }
  }
}
