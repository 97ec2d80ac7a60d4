import HashTree
import TestSupport
import Testing

@Suite struct `Tiles` {
  static let paths: [(Tile.Content, UInt64, Int, String)] = [
    (.hashes(level: 0), 0, 256, "tile/0/000"), (.hashes(level: 0), 273, 112, "tile/0/273.p/112"),
    (.hashes(level: 1), 1, 17, "tile/1/001.p/17"), (.hashes(level: 63), 999, 1, "tile/63/999.p/1"),
    (.hashes(level: 0), 1000, 256, "tile/0/x001/000"),
    (.hashes(level: 0), 1_234_067, 256, "tile/0/x001/x234/067"),
    (.entries, 1_234_067, 255, "tile/entries/x001/x234/067.p/255"),
    (.entries, UInt64.max, 256, "tile/entries/x018/x446/x744/x073/x709/x551/615"),
  ]

  @Test(arguments: paths) func `a tile's path is the one of the format and reads back`(
    content: Tile.Content, index: UInt64, width: Int, path: String
  ) throws {
    let tile = try #require(Tile(content, index: index, width: width))
    #expect(tile.path == path)
    #expect(Tile(path: path) == tile)
  }

  @Test(arguments: [
    "", "tile", "tile/0", "tile/0/", "tile/0/0", "tile/0/00", "tile/0/0000", "tile/00/000",
    "tile/64/000", "tile/-1/000", "tile/0/x000/000", "tile/0/001/000", "tile/0/x001",
    "tile/0/x001/x000", "tile/0/000.p", "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/01",
    "tile/0/000.p/256", "tile/0/000.p/1/", "tile/0/+01", "tile/0/00a", "/tile/0/000",
    "tile/data/000", "tile/entries/000.p/x", "tile/0/x018/x446/x744/x073/x709/x551/616",
    "tile/0/.p/1", "tile/0/000.p\r\n/1",
  ]) func `another path is no tile`(path: String) { #expect(Tile(path: path) == nil) }

  @Test func `a level or a width out of bounds is no tile`() {
    #expect(Tile(.hashes(level: -1), index: 0) == nil)
    #expect(Tile(.hashes(level: 64), index: 0) == nil)
    #expect(Tile(.entries, index: 0, width: 0) == nil)
    #expect(Tile(.entries, index: 0, width: 257) == nil)
  }

  @Test func `the tiles of the format's two examples are there`() {
    let paths = Tile.added(from: 0, to: 70_000).map(\.path)
    #expect(paths.filter { $0.hasPrefix("tile/0/") }.count == 274)
    #expect(paths.contains("tile/0/273.p/112"))
    #expect(paths.filter { $0.hasPrefix("tile/1/") } == ["tile/1/000", "tile/1/001.p/17"])
    #expect(paths.filter { $0.hasPrefix("tile/2/") } == ["tile/2/000.p/1"])
    #expect(paths.count == 2 * 274 + 3)
    #expect(
      Tile.added(from: 0, to: 256).map(\.path) == [
        "tile/entries/000", "tile/0/000", "tile/1/000.p/1",
      ])
    #expect(Tile.added(from: 256, to: 256).isEmpty)
  }

  @Test func `growing step by step publishes what growing at once does`() {
    var random = SeededGenerator(seed: 11)
    var seen: Set<Tile> = []
    var size: UInt64 = 0
    while size < 140_000 {
      let next = size + UInt64.random(in: 1...5000, using: &random)
      seen.formUnion(Tile.added(from: size, to: next))
      size = next
    }
    #expect(seen.isSuperset(of: Tile.added(from: 0, to: size)))
  }

  @Test func `a bundle that ends within an entry or holds 257 is refused`() throws {
    let bytes = try EntryBundle.encode([[], [1], [UInt8](repeating: 2, count: 300)])
    for count in 1..<bytes.count where ![2, 5].contains(count) {
      #expect(throws: CairnError.self) { try EntryBundle.decode(Array(bytes.prefix(count))) }
    }
    #expect(throws: CairnError.self) { try EntryBundle.decode([UInt8](repeating: 0, count: 514)) }
    #expect(throws: CairnError.self) {
      try EntryBundle.encode([[UInt8](repeating: 0, count: 65_536)])
    }
  }
}
