import LMDB
import TestSupport
import Testing

@Suite struct PartedTests {
  let scratch = TestDirectory()
  static let sizes = [0, 1, 1_891, 1_892, 1_893, 3_788, 3_789, 10_000, 250_000]

  @Test(arguments: sizes, [true, false]) func `a long value comes back whole`(
    size: Int, append: Bool
  ) throws {
    var random = SeededGenerator(seed: UInt64(size))
    let value = random.bytes(size)
    let environment = try scratch.environment()
    try put(environment, value, append: append)
    #expect(try get(environment) == value)
  }

  @Test(arguments: sizes, sizes) func `a new value leaves no part of the old one`(
    old: Int, new: Int
  ) throws {
    let environment = try scratch.environment()
    try put(environment, [UInt8](repeating: 1, count: old))
    try put(environment, [UInt8](repeating: 2, count: new))
    #expect(try get(environment) == [UInt8](repeating: 2, count: new))
    let fresh = try scratch.environment("fresh.mdb")
    try put(fresh, [UInt8](repeating: 2, count: new))
    #expect(try environment.count() == fresh.count())
    let wasThere = try environment.write { (txn) throws(CairnError) in
      try Parted.delete(&txn, environment["rows"], key: [1])
    }
    #expect(wasThere)
    #expect(try environment.count() == 0)
    #expect(try get(environment) == nil)
  }

  @Test func `a missing part is corrupt, not a shorter value`() throws {
    let environment = try scratch.environment()
    try put(environment, [UInt8](repeating: 1, count: 5_000))
    try environment.write { (txn) throws(CairnError) in
      _ = try txn.delete(environment["rows"], [1, 0, 1])
    }
    expectError(.corrupt) { try get(environment) }
  }

  private func put(_ environment: Environment, _ value: [UInt8], append: Bool = false)
    throws(CairnError)
  {
    try environment.write { (txn) throws(CairnError) in
      try Parted.put(&txn, environment["rows"], key: [1], value: value.rawSpan, append: append)
    }
  }

  private func get(_ environment: Environment) throws(CairnError) -> [UInt8]? {
    try environment.read { (txn) throws(CairnError) in
      try Parted.get(txn, environment["rows"], key: [1])
    }
  }
}
