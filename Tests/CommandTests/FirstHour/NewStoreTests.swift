import Foundation
import Testing

/// Folders that are made for a store, by whatever command.
@Suite struct NewStoreTests {
  private static func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `a folder made for a history is its owner's alone, and one that was there stays`()
    throws
  {
    let store = try Store(running: [["view", "a"], ["snapshot", "create", "first"]])
    let backup = Scratch.path("backup")
    let made = [Scratch.path("restored"), Scratch.path("replayed"), Scratch.path("snapshot")]
    for line in [
      ["backup", backup], ["restore", backup, "--into", made[0]],
      ["replay", "--into", made[1]], ["snapshot", "restore", "first", "--into", made[2]],
    ] {
      #expect(try store.run(line).status == 0, "\(line)")
    }
    for path in [store.path, backup] + made { #expect(try Self.mode(path) == 0o700, "\(path)") }
    let shared = Scratch.path("shared")
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o750]
    try FileManager.default.createDirectory(
      atPath: shared, withIntermediateDirectories: false, attributes: attributes)
    #expect(try Store(at: shared).run("view", "a").status == 0)
    #expect(try Self.mode(shared) == 0o750)
  }

  @Test func `what is published is for everybody to read`() throws {
    let store = try Store(running: [["view", "a"]])
    let tiles = Scratch.path("tiles")
    #expect(try store.run("export", tiles, "--format", "tiles").status == 0)
    let mode = try #require(try Self.mode(tiles))
    #expect(mode & 0o055 == 0o055, "\(mode)")
  }

  @Test func `a replayed store is told of`() throws {
    let store = try Store(running: [["view", "a"], ["view", "b"]])
    let path = Scratch.path("replayed")
    let told = try store.run("replay", "--to", "1", "--into", path)
    #expect(told.text == "\(path): a store with 1 event\n")
    let other = Scratch.path("replayed")
    let row = try store.run("replay", "--into", other, "--json").objects().first
    #expect(row?["store"] as? String == other && row?["head"] as? Int == 2)
  }
}
