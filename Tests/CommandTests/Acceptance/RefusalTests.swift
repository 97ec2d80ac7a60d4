import Foundation
import Testing

/// What must not be taken for something else.
@Suite struct RefusalTests {
  @Test func `a store whose log was emptied is damaged, and no new one`() throws {
    let store = Store("emptied")
    #expect(try store.run("index", "a", "--title", "one").status == 0)
    #expect(try store.run("checkpoint").status == 0)
    try Data().write(to: URL(filePath: store.path + "/log.mdb"))
    for line in [
      ["index", "c", "--title", "three"], ["checkpoint"], ["items"], ["verify"], ["doctor"],
      ["purge", "--item", "a", "--yes"],
    ] {
      let result = try store.run(line)
      #expect(result.status != 0, "\(line)")
      #expect(
        (result.text + result.errors).contains("restore a backup"), "\(line): \(result.errors)")
    }
    #expect(FileManager.default.contents(atPath: store.path + "/log.mdb") == Data())
  }

  @Test func `a log that was only about to be made is made`() throws {
    let store = Store("begun")
    try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: store.path + "/log.mdb"))
    #expect(try store.run("index", "a", "--title", "one").status == 0)
    #expect(try store.run("verify").status == 0)
  }

  @Test func `what is no store's log is told of in one sentence`() throws {
    let store = Store("noise")
    try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 9_000).write(to: URL(filePath: store.path + "/log.mdb"))
    for line in [["index", "a"], ["items"], ["verify"]] {
      let said = try store.run(line).errors
      #expect(said.hasPrefix("cairn: log.mdb: the start of the file is not that"), "\(said)")
      #expect(!said.contains(". ") && !said.contains(".;") && !said.hasSuffix(".\n"), "\(said)")
    }
  }

  @Test func `an argument that is not UTF-8 is refused and not changed into another one`() throws {
    let store = Store("bytes")
    #expect(try store.run("view", "é", "--title", "日本").status == 0)
    for arguments in ["view \"$(printf '\\377')\"", "search \"$(printf 'caf\\351')\""] {
      let result = try Shell.run(
        "sh", ["-c", "\"$cairn\" \(arguments) --store \"$store\""],
        environment: ["cairn": Store.binary, "store": store.path])
      #expect(result.status == 64)
      #expect(result.errors.hasPrefix("cairn: argument 2 is not UTF-8"))
    }
    #expect(try store.stats().head == 1)
  }
}
