import Foundation
import Testing

/// Whatever the system refuses, a command ends with a word and an exit code, never by a trap.
@Suite struct NoTrapTests {
  private static let lines = [
    "search harb", "find harb", "top", "log", "items", "show a", "stats", "timeline", "doctor",
    "verify", "view a", "snapshot list",
  ]

  private static func store() throws -> Store {
    try Store(running: [["index", "a", "--title", "Harbour"]])
  }

  private static func shell(_ line: String, _ store: Store) throws -> ProcessResult {
    try Shell.run(
      "/bin/bash", ["-c", "\(line)"],
      environment: ["CAIRN_STORE": store.path, "CAIRN": Store.binary])
  }

  @Test func `a small address space is told of`() throws {
    let store = try Self.store()
    var refused = 0
    for kilobytes in stride(from: 80_000, through: 480_000, by: 12_500) {
      for line in ["search harb", "view a", "verify"] {
        let result = try Self.shell("ulimit -v \(kilobytes); exec \"$CAIRN\" \(line)", store)
        // 127: the loader of a debug build found no room for its libraries.
        #expect([0, 74, 127].contains(result.status), "\(kilobytes) \(line): \(result.errors)")
        #expect(result.signal == 0, "\(kilobytes) \(line): \(result.errors)")
        if result.status == 74 {
          refused += 1
          #expect(result.errors.contains("ulimit -v"), "\(result.errors)")
        }
      }
    }
    #expect(refused > 0)
    #expect(try store.run("verify").status == 0)
  }

  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
  func `closed descriptors are no trap, and write into no file of the store`(closed: String) throws
  {
    let store = try Self.store()
    for line in Self.lines {
      let result = try Self.shell("\"$CAIRN\" \(line) \(closed)", store)
      #expect(result.signal == 0 && result.status < 128, "\(line) \(closed): \(result.status)")
    }
    let verified = try store.run("verify", "--deep")
    #expect(verified.status == 0, "\(closed): \(verified.text)")
  }

  @Test func `few open files are told of`() throws {
    let store = try Self.store()
    for count in 3...16 {
      for line in ["search harb", "view a", "rebuild"] {
        let result = try Self.shell("ulimit -n \(count); exec \"$CAIRN\" \(line)", store)
        #expect(result.signal == 0 && result.status < 128, "\(count) \(line): \(result.errors)")
        #expect(!result.errors.contains("check the device"), "\(count) \(line): \(result.errors)")
      }
    }
    #expect(try store.run("verify", "--deep").status == 0)
  }
}
