import Foundation
import LMDB
import Testing

/// Whether a file is open elsewhere.
@Suite struct CompanyTests {
  let scratch = ScratchDirectory()

  @Test func `another process that has the file open is seen, and that it is gone`() async throws {
    let path = scratch.file("data.mdb")
    let environment = try scratch.environment()
    #expect(!environment.isShared)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let other = try Environment.open(path, .init(access: .readOnly, tables: ["rows"]))
      guard other.isShared else { exit(1) }
      other.close()
    }
    #expect(!environment.isShared)
    try environment.put([1], [1])
    #expect(try environment.count() == 1)
  }

  @Test func `another part of this process that has the file open is seen`() throws {
    let environment = try scratch.environment()
    let other = try Environment.open(scratch.file("data.mdb"), .init(tables: ["rows"]))
    #expect(environment.isShared)
    other.close()
    #expect(!environment.isShared)
    try environment.reopen()
    #expect(!environment.isShared)
  }
}
