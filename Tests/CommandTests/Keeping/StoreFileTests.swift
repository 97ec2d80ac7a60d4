import Foundation
import Testing

/// Commands that write to a file that the user names.
@Suite struct StoreFileTests {
  @Test func `no command writes over a file of a store, under whatever name`() throws {
    let store = try Store(running: [["index", "a", "--title", "Tide"], ["checkpoint"]])
    let lines = try Scratch.file("lines.ndjson", Data("no event\n".utf8))
    let link = Scratch.path("link")
    try FileManager.default.linkItem(atPath: "\(store.path)/signer.key", toPath: link)
    let other = Store()
    for name in ["log.mdb", "CURRENT", "signer.key", "view-1.mdb"] {
      let own = "\(store.path)/\(name)"
      let before = try Data(contentsOf: URL(filePath: own))
      for path in name == "signer.key" ? [own, link] : [own] {
        for words in [
          ["purges", "export", path], ["prove", "inclusion", "1", "--tlog-proof", path],
          ["append", lines, "--rejects", path], ["import", "ndjson", lines, "--rejects", path],
        ] {
          let result = try store.run(words)
          #expect(result.status == 64 && result.errors.contains("in a store's folder"), "\(words)")
        }
      }
      #expect(try other.run("append", lines, "--rejects", own).status == 64)
      #expect(try Data(contentsOf: URL(filePath: own)) == before)
    }
    let links = Scratch.path("links")
    try FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: true)
    let log = "\(store.path)/log.mdb"
    try FileManager.default.createSymbolicLink(atPath: links + "/r", withDestinationPath: log)
    try FileManager.default.linkItem(atPath: log, toPath: links + "/h")
    for path in [links + "/r", links + "/h", "\(store.path)/view-9.mdb"] {
      #expect(try other.run("append", lines, "--rejects", path).status == 64, "\(path)")
    }
    let inside = try Shell.run(
      "/bin/sh", "-c", "cd \(store.path) && \(Store.binary) append x --rejects log.mdb --store o")
    #expect(inside.status == 64, "\(inside.errors)")
    let free = Scratch.path("free")
    #expect(try store.run("purges", "export", free).status == 0)
    #expect(try store.run("append", lines, "--rejects", free).status == 65)
    #expect(try String(contentsOfFile: free, encoding: .utf8) == "no event\n")
  }
}
