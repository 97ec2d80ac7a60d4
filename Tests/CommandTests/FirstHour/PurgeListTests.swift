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
