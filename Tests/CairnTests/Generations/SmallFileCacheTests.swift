import Files
import Projections
import Testing

@testable import Cairn

@Suite("Small files that are asked for all the time") struct SmallFileCacheTests {
  @Test func `a file that was replaced, removed or made is read anew`() throws {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let path = scratch.path + "/CURRENT"
    let cache = SmallFileCache()
    #expect(try cache.text(of: path) == nil)
    for text in ["1\n", "2\n", "1\n", "", "12\n"] {
      try SmallFile.replace(path, with: text)
      #expect(try cache.text(of: path) == text)
      #expect(try cache.text(of: path) == text)
    }
    try SmallFile.remove(path)
    #expect(try cache.text(of: path) == nil)
    try SmallFile.replace(path, with: "3\n")
    #expect(try cache.text(of: path) == "3\n")
  }

  @Test func `a file that cannot be read is an error, not an old text`() throws {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let path = scratch.path + "/CURRENT"
    let cache = SmallFileCache()
    try SmallFile.replace(path, with: "1\n")
    #expect(try cache.text(of: path) == "1\n")
    try SmallFile.replace(path, with: String(repeating: "x", count: 70_000))
    #expect(throws: CairnError.self) { try cache.text(of: path) }
    #expect(throws: CairnError.self) { try cache.text(of: path) }
  }
}
