import Foundation
import Testing

/// Purges made after a backup, and the evidence of one.
@Suite struct PurgeListTests {
  private static func store() throws -> Store {
    try Store(running: [
      ["index", "a", "--domain", "personnel", "--title", "Zebrafinch8812"],
      ["index", "b", "--domain", "web", "--title", "Beta"], ["view", "a", "--actor", "ann"],
    ])
  }

  private static func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path + "/log.mdb"))
  }

  @Test func `a backup restored elsewhere has what was purged since only when nothing tells of it`()
    throws
  {
    let store = try Self.store()
    let backup = Scratch.path("backup")
    #expect(try store.run("backup", backup).status == 0)
    #expect(try store.run("purge", "--domain", "personnel", "--yes").status == 0)
    let list = Scratch.path("purges")
    #expect(try store.run("purges", "export", list).status == 0)
    let text = try String(contentsOfFile: list, encoding: .utf8)
    #expect(text.split(separator: "\n").count == 3)
    #expect(!text.contains("personnel") && !text.contains("Zebra"))

    let elsewhere = Store(at: Scratch.path("none"))
    let plain = Scratch.path("plain")
    let without = try elsewhere.run("restore", backup, "--into", plain)
    #expect(without.status == 0)
    #expect(without.errors.contains("--purges FILE"), "\(without.errors)")
    #expect(without.errors.split(separator: "\n").count == 1)
    #expect(try Self.bytes(plain).range(of: Data("Zebrafinch8812".utf8)) != nil)

    let clean = Scratch.path("clean")
    let with = try elsewhere.run("restore", backup, "--into", clean, "--purges", list, "--json")
    #expect(with.status == 0 && with.errors.isEmpty, "\(with.errors)")
    let row = try #require(try with.objects().first)
    #expect(row["purged"] as? Int == 2)
    #expect(row["purgesKnown"] as? Bool == true)
    #expect(try Self.bytes(clean).range(of: Data("Zebrafinch8812".utf8)) == nil)
    #expect(try Store(at: clean).run("verify", "--deep").status == 0)

    let beside = Scratch.path("beside")
    let known = try store.run("restore", backup, "--into", beside)
    #expect(known.status == 0 && known.errors.isEmpty, "\(known.errors)")
  }

  @Test func `a list that cannot know what was purged since is no answer`() throws {
    let store = try Self.store()
    #expect(try store.run("purge", "--item", "b", "--yes").status == 0)
    let old = Scratch.path("purges")
    #expect(try store.run("purges", "export", old).status == 0)
    let backup = Scratch.path("backup")
    #expect(try store.run("backup", backup).status == 0)
    #expect(try store.run("purge", "--domain", "personnel", "--yes").status == 0)
    let elsewhere = Store(at: Scratch.path("none"))
    let back = try elsewhere.run(
      "restore", backup, "--into", Scratch.path("back"), "--purges", old, "--json")
    #expect(back.status == 0)
    #expect(back.errors.contains("no newer than the backup: what was purged"), "\(back.errors)")
    #expect(try back.objects().first?["purgesKnown"] as? Bool == false)

    // What it names is erased in the backup already: there is nothing to say.
    let (newer, late) = (Scratch.path("purges"), Scratch.path("backup"))
    #expect(try store.run("backup", late).status == 0)
    #expect(try store.run("view", "late").status == 0)
    #expect(try store.run("purges", "export", newer).status == 0)
    let clean = try elsewhere.run("restore", late, "--into", Scratch.path("c"), "--purges", newer)
    #expect(clean.status == 0 && clean.errors.isEmpty, "\(clean.errors)")

    // All that it names came after the backup, be it of this store or of another.
    let other = Store()
    for item in 0..<8 { #expect(try other.run("view", "item \(item)").status == 0) }
    #expect(try other.run("purge", "--item", "item 7", "--yes").status == 0)
    let foreign = Scratch.path("purges")
    #expect(try other.run("purges", "export", foreign).status == 0)
    let unnamed = try elsewhere.run(
      "restore", backup, "--into", Scratch.path("unnamed"), "--purges", foreign)
    #expect(unnamed.status == 0)
    #expect(unnamed.errors.contains("names no event of this backup"), "\(unnamed.errors)")
    let applied = try store.run("purges", "apply", foreign, "--yes")
    #expect(applied.status == 0)
    #expect(applied.errors.contains("names no event of this store"), "\(applied.errors)")
    #expect(try store.run("purges", "apply", newer, "--yes").errors.isEmpty)
  }

  @Test func `a list of another history or a damaged one is refused`() throws {
    let store = try Self.store()
    let backup = Scratch.path("backup")
    #expect(try store.run("backup", backup).status == 0)
    let other = try Self.store()
    #expect(try other.run("purge", "--item", "a", "--yes").status == 0)
    let list = Scratch.path("purges")
    #expect(try other.run("purges", "export", list).status == 0)
    let into = Scratch.path("into")
    let refused = try store.run("restore", backup, "--into", into, "--purges", list)
    #expect(refused.status == 1 && refused.errors.contains("another history"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: into))
    let whole = try String(contentsOfFile: list, encoding: .utf8)
    for text in [
      "", "{}\n", String(whole.dropLast(whole.count / 3)), whole + whole,
      whole.replacing("\"sequence\":1", with: "\"sequence\":0"),
    ] {
      let damaged = try Scratch.file("purges", Data(text.utf8))
      let result = try store.run("restore", backup, "--into", into, "--purges", damaged)
      #expect(result.status == 65, "\(text): \(result.errors)")
    }
  }

  @Test func `a copy in use purges what a list names, and keeps what it did by itself`() throws {
    let store = try Self.store()
    let directory = Scratch.path("copy")
    #expect(try store.run("snapshot", "create", "first").status == 0)
    #expect(try store.run("snapshot", "restore", "first", "--into", directory).status == 0)
    let copy = Store(at: directory)
    #expect(try copy.run("index", "own", "--title", "Kestrel4711").status == 0)
    #expect(try store.run("purge", "--domain", "personnel", "--yes").status == 0)
    let list = Scratch.path("purges")
    #expect(try store.run("purges", "export", list).status == 0)

    let plan = try copy.run("purges", "apply", list, "--dry-run", "--json")
    #expect(try plan.objects().first?["events"] as? Int == 2, "\(plan.errors)")
    let unasked = try copy.run("purges", "apply", list)
    #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.errors)")
    let done = try copy.run("purges", "apply", list, "--yes", "--json")
    #expect(done.status == 0, "\(done.errors)")
    let receipt = try #require(try done.objects().first)
    #expect(receipt["events"] as? Int == 2 && receipt["residue"] as? Int == 0)
    #expect(try Self.bytes(directory).range(of: Data("Zebrafinch8812".utf8)) == nil)
    #expect(try copy.run("search", "kestrel4711", "--json").objects().count == 1)
    #expect(try copy.run("verify", "--deep").status == 0)
    let again = try copy.run("purges", "apply", list, "--yes", "--json")
    #expect(again.status == 0)
    #expect(try again.objects().first?["events"] as? Int == 0)

    let stranger = try Self.store()
    let refused = try stranger.run("purges", "apply", list, "--yes")
    #expect(refused.status == 1 && refused.errors.contains("another history"), "\(refused.errors)")
    #expect(try stranger.run("items", "--count", "--json").text.contains("2"))
  }

  @Test func `a plan names the backups that still hold what goes`() throws {
    let store = try Self.store()
    let (before, gone, copy) = (
      Scratch.path("before"), Scratch.path("gone"), Scratch.path("replica")
    )
    for path in [before, gone] { #expect(try store.run("backup", path).status == 0) }
    #expect(try store.run("snapshot", "create", "first").status == 0)
    #expect(try store.run("snapshot", "restore", "first", "--into", copy).status == 0)
    try FileManager.default.removeItem(atPath: gone)
    #expect(try store.run("index", "late", "--title", "Later").status == 0)

    let plan = try store.run("purge", "--domain", "personnel", "--dry-run", "--json")
    let row = try #require(try plan.objects().first)
    let copies = try #require(row["copies"] as? [[String: Any]])
    #expect(copies.map { $0["directory"] as? String } == [before, copy])
    #expect(copies.first?["sequence"] as? Int == 3)
    let text = try store.run("purge", "--domain", "personnel", "--dry-run").text
    #expect(text.contains("still holds some of it: \(before)"), "\(text)")
    let late = try store.run("purge", "--item", "late", "--dry-run", "--json")
    #expect(try late.objects().first?["copies"] == nil)
  }

  @Test func `the receipt of a purge is checked without the store`() throws {
    let store = try Self.store()
    let receipt = Scratch.path("receipt")
    let done = try store.run("purge", "--actor", "ann", "--yes", "--receipt", receipt, "--json")
    #expect(done.status == 0, "\(done.errors)")
    let row = try #require(try done.objects().first)
    #expect(row["sequence"] as? Int == 4)
    let key = try store.run("checkpoint", "--key").text.trimmingCharacters(in: .newlines)
    let checked = try Shell.run(Store.binary, ["check", receipt, "--key", key, "--json"])
    #expect(checked.status == 0, "\(checked.errors)")
    let shown = try #require(try checked.objects().first)
    #expect(shown["leafIndex"] as? Int == 3)
    let purge = try #require(shown["purge"] as? [String: Any])
    #expect(purge["events"] as? Int == 1)
    #expect(purge["sequences"] as? [[Int]] == [[3, 3]])
    #expect(purge["digest"] as? String == row["digest"] as? String)
    let said = try Shell.run(Store.binary, ["check", receipt, "--key", key]).text
    #expect(said.contains("it is a purge of 1 event") && said.hasSuffix(": 3\n"), "\(said)")
    // The proof of another event is no receipt.
    let other = Scratch.path("other")
    #expect(try store.run("prove", "inclusion", "2", "--tlog-proof", other).status == 0)
    #expect(
      try Shell.run(Store.binary, ["check", other, "--key", key, "--json"]).objects().first?[
        "purge"]
        == nil)
    // What is shown is what the leaf commits to.
    let extra = try #require(
      try String(contentsOfFile: receipt, encoding: .utf8).split(separator: "\n").first {
        $0.hasPrefix("extra ")
      })
    var bytes = try #require(Data(base64Encoded: String(extra.dropFirst(6))))
    bytes[bytes.count - 3] ^= 1
    let changed = try String(contentsOfFile: receipt, encoding: .utf8).replacing(
      extra, with: "extra " + bytes.base64EncodedString())
    let lie = try Scratch.file("lie", Data(changed.utf8))
    #expect(try Shell.run(Store.binary, ["check", lie, "--key", key]).status == 1)
    var text = try String(contentsOfFile: receipt, encoding: .utf8)
    text = text.replacing("index 3", with: "index 2")
    let forged = try Scratch.file("forged", Data(text.utf8))
    #expect(try Shell.run(Store.binary, ["check", forged, "--key", key]).status != 0)
  }

  @Test func `a receipt that cannot be written keeps everything where it is`() throws {
    let store = try Self.store()
    for path in [Scratch.path("nowhere") + "/receipt", "."] {
      let refused = try store.run("purge", "--item", "a", "--yes", "--receipt", path)
      #expect(refused.status == 66, "\(refused.errors)")
      #expect(try store.run("items", "--json").objects().count == 2)
    }
    let other = try Scratch.file("thesis", Data("years of work\n".utf8))
    let refused = try store.run("purge", "--item", "a", "--yes", "--receipt", other)
    #expect(refused.status == 64 && refused.errors.contains("name another file"))
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "years of work\n")
    #expect(try store.run("items", "--json").objects().count == 2)
  }

  @Test func `what mentions somebody goes, whatever it is about`() throws {
    let store = try Store(running: [
      ["index", "p1", "--title", "Jane Roe"], ["update", "p1", "--title", "x"],
      ["index", "jane roe.txt", "--title", "P"], ["index", "p3", "--title", "JANE ROE"],
      ["delete", "p3"], ["index", "p4", "--title", "x", "--set", "note=about Jane Roe"],
      ["view", "p4", "--actor", "Jane Roe"], ["select", "jane roe's", "p4"],
      ["index", "p5", "--title", "Janet"], ["view", "p5"],
    ])
    let plan = try store.run("purge", "--mentioning", "jane roe", "--dry-run", "--json")
    #expect(try plan.objects().first?["events"] as? Int == 6, "\(plan.text)")
    let done = try store.run("purge", "--mentioning", "jane roe", "--yes", "--all-of-it", "--json")
    #expect(done.status == 0, "\(done.errors)")
    #expect(!(try store.run("export").text.lowercased().contains("jane roe")))
    let kept = try store.run("items", "--json").objects().compactMap { $0["item"] as? String }
    #expect(kept == ["p5"])
    #expect(try store.run("verify", "--deep").status == 0)
  }

  @Test func `a copy of the log under another name is named, since it was not looked through`()
    throws
  {
    let store = try Self.store()
    try FileManager.default.copyItem(
      atPath: store.path + "/log.mdb", toPath: store.path + "/log.mdb.bak")
    let folder = store.path + "/old"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(try store.run("backup", folder + "/backup").status == 0)
    try FileManager.default.copyItem(
      atPath: store.path + "/log.mdb", toPath: folder + "/CURRENT.mdb")
    let done = try store.run("purge", "--item", "a", "--yes", "--json")
    let unknown = try done.objects().first?["unknownFiles"] as? [String]
    #expect(unknown == ["log.mdb.bak", "old/CURRENT.mdb"])
    let clean = try Self.store()
    #expect(
      try clean.run("purge", "--item", "a", "--yes", "--json").objects().first?["unknownFiles"]
        == nil)
    let undone = try clean.run("undo", "--yes").text
    #expect(undone.contains("a purge: what it erased cannot be brought back"), "\(undone)")
  }

  @Test func `an option that takes one value is refused when it is given twice`() throws {
    let store = try Self.store()
    for line in [
      ["purge", "--actor", "ann", "--actor", "bob", "--yes"],
      ["purge", "--item=a", "--item=b", "--yes"], ["log", "--kind", "view", "--kind", "index"],
      ["snapshot", "create", "x", "--as-of", "1", "--as-of", "2"],
    ] {
      let refused = try store.run(line)
      #expect(refused.status == 64, "\(line)")
      #expect(refused.errors.contains("is given twice"), "\(refused.errors)")
    }
    #expect(try store.run("index", "z", "--set", "a=1", "--set", "b=2").status == 0)
    #expect(try store.run("index", "y", "--title", "--", "x").status != 70)
  }
}
