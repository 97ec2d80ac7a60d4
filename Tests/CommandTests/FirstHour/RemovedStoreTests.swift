import Foundation
import Testing

/// A store that goes away while a command has it: no new one takes its place.
@Suite struct RemovedStoreTests {
  @Test(.enabled(if: TmuxScreen.isHere, "SKIPPED: needs tmux (apt-get install tmux)"))
  func `find makes no new store`() throws {
    let store = try Store(running: [["view", "photo-1", "--title", "Harbour"]])
    let screen = try TmuxScreen("cairn find; echo \"status $?\"", store: store)
    try screen.wait("the start") { $0.count > 2 && $0[2].contains("Harbour") }
    try FileManager.default.removeItem(atPath: store.path)
    try screen.press("Enter")
    let seen = try screen.wait("the end") { $0.contains("status 66") }
    #expect(seen.contains { $0.contains("the store was removed") }, "\(seen)")
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `a verification reads what a server was told, which is beside the log`() throws {
    let store = try Store(running: [["view", "photo-1"]])
    #expect(try store.run("verify").status == 0)
    try Data("x".utf8).write(to: URL(filePath: store.path + "/serve.settings"))
    let result = try store.run("verify")
    #expect(result.status == 1 && result.errors.contains("something other than settings"))
  }

  @Test func `who may read the tokens of a server is no damage of its store`() throws {
    let store = try Store(running: [["view", "photo-1"]])
    let path = store.path + "/serve.tokens"
    let made = FileManager.default.createFile(
      atPath: path, contents: Data(), attributes: [.posixPermissions: 0o644])
    try #require(made)
    #expect(try store.run("verify").status == 0)
    try Data("x\n".utf8).write(to: URL(filePath: path))
    #expect(try store.run("verify").status == 1)
  }

  @Test func `watch makes no new store`() throws {
    let home = Scratch.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let history = URL(filePath: home + "/.bash_history")
    try Data("#1700000000\nls\n".utf8).write(to: history)
    let store = Store()
    let running = try store.start(["watch", home])
    while try store.headNow() == 0 { usleep(100_000) }
    try FileManager.default.removeItem(atPath: store.path)
    try Data("#1700000000\nls\n#1700000001\npwd\n".utf8).write(to: history)
    let result = running.finish()
    #expect(result.status == 66, "\(result.errors)")
    #expect(result.errors.contains("the store was removed"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `watch ends where no store can be`() throws {
    let home = Scratch.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let file = try Scratch.file("no-store", Data("x".utf8))
    // With nothing to take in, too.
    for _ in 0..<2 {
      for more in [[], ["--once"]] {
        let line = ["20", Store.binary, "watch", home, "--store", file] + more
        let result = try Shell.run("timeout", line)
        #expect(result.status == 66, "\(result.errors)")
        #expect(result.errors.hasSuffix("is a file; name the directory of a store\n"))
      }
      try Data("ls\n".utf8).write(to: URL(filePath: home + "/.bash_history"))
    }
  }

  @Test func `a log that is followed ends with its reader, and with its store`() throws {
    let store = try Store(running: [["view", "a", "--title", "A"]])
    let followed = "timeout 20 \(Store.binary) log --follow --store '\(store.path)'"
    func status(_ reader: String) throws -> (status: String, errors: String) {
      let line = "\(followed) | (read -r line; \(reader)); echo ${PIPESTATUS[0]}"
      let result = try Shell.run("/bin/bash", "-c", line)
      return (result.text, result.errors)
    }
    // No event comes whose writing would tell.
    #expect(try status("true").status == "141\n")
    let removed = try status("rm -r '\(store.path)'; cat")
    #expect(removed.status == "66\n" && removed.errors.contains("the store was removed"))
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }
}
