import CLMDB
import Foundation
import LMDB
import TestSupport
import Testing

/// What deleting leaves in a file and in copies of it: the reason why a purge rewrites row by row.
@Suite struct ResidueTests {
  private let scratch = TestDirectory()
  private let canary = "canary-7261"

  private func holdsCanary(_ name: String) throws -> Bool {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file(name)))
    return bytes.range(of: Data(canary.utf8)) != nil
  }

  /// Three thousand domains, one in ten of them the canary's, deleted again.
  private func purgedByDeleting() throws -> Environment {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    let value = [UInt8](repeating: 7, count: 60)
    try environment.write { (txn) throws(CairnError) in
      for number in 0..<3_000 { try txn.put(rows, key(number), value) }
    }
    try environment.write { (txn) throws(CairnError) in
      for number in stride(from: 0, to: 3_000, by: 10) { try txn.delete(rows, key(number)) }
    }
    return environment
  }

  private func key(_ number: Int) -> [UInt8] {
    let digits = String(10_000 + number)
    return Array("domain \(digits) \(number.isMultiple(of: 10) ? canary : "plain")".utf8)
  }

  @Test func `plain delete and a compacting copy leave residue, a copy of the rows none`() throws {
    let environment = try purgedByDeleting()
    #expect(try holdsCanary("data.mdb"), "deleting")

    let copy = try scratch.environment("copy.mdb", tables: ["rows"])
    try environment.read { (txn) throws(CairnError) in
      let writer = RowWriter(copy)
      try writer.copyRows(of: environment["rows"], in: txn, to: copy["rows"]) {
        (key, value, batch) in batch.append(key, value)
      }
      try writer.finish()
    }
    let count = try copy.read { (txn) throws(CairnError) in try txn.count(copy["rows"]) }
    #expect(count == 2_700)
    try copy.sync()
    try copy.checkStructure()
    #expect(try !holdsCanary("copy.mdb"), "copying the rows")

    environment.close()
    try compact("data.mdb", into: "compact.mdb")
    #expect(try holdsCanary("compact.mdb"), "a compacting copy")
  }

  /// What `mdb_copy -c` does.
  private func compact(_ source: String, into target: String) throws {
    var raw: OpaquePointer?
    #expect(unsafe mdb_env_create(&raw) == 0)
    guard let environment = unsafe raw else { return }
    defer { unsafe mdb_env_close(environment) }
    let flags = UInt32(MDB_NOSUBDIR | MDB_RDONLY)
    #expect(unsafe mdb_env_open(environment, scratch.file(source), flags, 0o600) == 0)
    let status = unsafe mdb_env_copy2(environment, scratch.file(target), UInt32(MDB_CP_COMPACT))
    #expect(status == 0)
  }
}
