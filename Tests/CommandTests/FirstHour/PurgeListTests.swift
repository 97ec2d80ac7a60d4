import Foundation
import Testing

/// Purges made after a backup, and the evidence of one.
@Suite struct PurgeListTests {
  private static func store() throws -> Store {
    let store = Store()
    for line in [
      ["index", "a", "--domain", "hr", "--title", "Zebrafinch8812"],
      ["index", "b", "--domain", "web", "--title", "Beta"], ["view", "a", "--actor", "ann"],
    ] { try #require(store.run(line).status == 0) }
    return store
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
    #expect(try store.run("purge", "--domain", "hr", "--yes").status == 0)
    let list = Scratch.path("purges")
    #expect(try store.run("purges", "export", list).status == 0)
    let text = try String(contentsOfFile: list, encoding: .utf8)
    #expect(text.split(separator: "\n").count == 3)
    #expect(!text.contains("hr") && !text.contains("Zebra"))

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
    #expect(!FileManager.default.fileExists(atPath: into + "/log.mdb"))
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
    #expect(try store.run("purge", "--domain", "hr", "--yes").status == 0)
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

    let plan = try store.run("purge", "--domain", "hr", "--dry-run", "--json")
    let row = try #require(try plan.objects().first)
    let copies = try #require(row["copies"] as? [[String: Any]])
    #expect(copies.map { $0["directory"] as? String } == [before, copy])
    #expect(copies.first?["sequence"] as? Int == 3)
    let text = try store.run("purge", "--domain", "hr", "--dry-run").text
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
    #expect(try checked.objects().first?["leafIndex"] as? Int == 3)
    var text = try String(contentsOfFile: receipt, encoding: .utf8)
    text = text.replacing("index 3", with: "index 2")
    let forged = try Scratch.file("forged", Data(text.utf8))
    #expect(try Shell.run(Store.binary, ["check", forged, "--key", key]).status != 0)
  }
}
