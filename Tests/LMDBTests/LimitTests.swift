import LMDB
import TestSupport
import Testing

@Suite struct LimitTests {
  let scratch = TestDirectory()

  @Test(arguments: [1, 2, 510, 511], [0, 1, 1_895, 1_896])
  func `keys of 1 to 511 bytes and values up to 1,896 are kept`(key: Int, value: Int) throws {
    let environment = try scratch.environment()
    let name = [UInt8](repeating: 0xAB, count: key)
    let bytes = [UInt8](repeating: 0xCD, count: value)
    try environment.put(name, bytes)
    #expect(try environment.value(name) == bytes)
  }

  @Test func `values of the greatest size stay inside leaf pages`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    try environment.write { (txn) throws(CairnError) in
      for key in 0..<200 as Range<UInt8> {
        try txn.append(rows, [0, 0, 0, 0, 0, 0, 0, key], [UInt8](repeating: key, count: 1_896))
      }
    }
    // Two per page of 4,096 bytes, and a few pages of index.
    #expect(environment.byteCount < 110 * 4_096)
  }

  @Test func `looking for a key that cannot be stored is not a trap`() throws {
    let environment = try scratch.environment()
    expectError(.badArgument) { try environment.value([]) }
    #expect(try environment.value([UInt8](repeating: 1, count: 512)) == nil)
  }

  @Test func `storing a key of 512 bytes stops the program`() async {
    await #expect(processExitsWith: .failure) {
      try TestDirectory().environment().put([UInt8](repeating: 1, count: 512), [])
    }
  }

  @Test func `storing an empty key stops the program`() async {
    await #expect(processExitsWith: .failure) { try TestDirectory().environment().put([], []) }
  }

  @Test func `the longest rows fill their pages to the brim`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    let value = [UInt8](repeating: 1, count: Limits.rowByteCountMax - 8)
    try environment.write { (txn) throws(CairnError) in
      for key in 0..<200 as Range<UInt8> {
        try txn.append(rows, [0, 0, 0, 0, 0, 0, 0, key], value)
      }
    }
    let leaves = try environment.read { (txn) throws(CairnError) in try txn.leafCount(rows) }
    #expect(leaves == 100)
    #expect(environment.byteCount < 110 * 4_096)
    try environment.checkStructure()
  }

  @Test func `storing a row of more than half a page stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let value = [UInt8](repeating: 1, count: Limits.rowByteCountMax)
      try TestDirectory().environment().put([1], value)
    }
  }

  @Test func `a table of another environment stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let scratch = TestDirectory()
      let foreign = try scratch.environment("a.mdb")["rows"]
      try scratch.environment("b.mdb").write { (txn) throws(CairnError) in
        try txn.put(foreign, [1], [1])
      }
    }
  }

  @Test func `a write inside a write of the same store stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let environment = try TestDirectory().environment()
      try environment.write { (_) throws(CairnError) in try environment.put([1], [1]) }
    }
  }
}
