import LMDB
import TestSupport
import Testing

@Suite struct MapGrowthTests {
  let scratch = TestDirectory()
  static let value = [UInt8](repeating: 7, count: 1_000)

  @Test func `a write that outgrows the map runs again in a larger one`() throws {
    let environment = try scratch.environment(mapByteCount: 1 << 16)
    let rows = environment["rows"]
    var runs = 0
    try environment.write { (txn) throws(CairnError) in
      runs += 1
      for key in 0..<1_000 as Range<UInt16> {
        try txn.put(rows, [UInt8(key >> 8), UInt8(key & 255)], Self.value)
      }
    }
    #expect(runs > 1)
    #expect(try environment.count() == 1_000)
    #expect(environment.mapByteCount >= 1 << 20)
  }

  @Test func `swallowing the error of a full map does not commit a half`() throws {
    let environment = try scratch.environment(mapByteCount: 1 << 16)
    let rows = environment["rows"]
    var runs = 0
    try environment.write { (txn) throws(CairnError) in
      runs += 1
      for key in 0..<200 as Range<UInt8> { do { try txn.put(rows, [key], Self.value) } catch {} }
    }
    #expect(runs > 1)
    #expect(try environment.count() == 200)
  }

  @Test func `giving up after a full map leaves nothing`() throws {
    let environment = try scratch.environment(mapByteCount: 1 << 16)
    let rows = environment["rows"]
    var runs = 0
    expectError(.aborted) {
      try environment.write { (txn) throws(CairnError) in
        runs += 1
        if runs == 2 { throw CairnError(.aborted, "on purpose") }
        for key in 0..<200 as Range<UInt8> { try txn.put(rows, [key], Self.value) }
      }
    }
    #expect(runs == 2)
    #expect(try environment.count() == 0)
  }

  @Test func `the map grows under concurrent readers, nested ones included`() async throws {
    let environment = try scratch.environment(mapByteCount: 1 << 16)
    let rows = environment["rows"]
    try environment.put([0], [1, 2, 3])
    let isDone = Shared(false)
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          while !isDone.value {
            let pair = try? environment.read { (txn) throws(CairnError) in
              let outer = try txn.get(rows, [0])?.array()
              return [outer, try environment.value([0])]
            }
            #expect(pair == [[1, 2, 3], [1, 2, 3]])
            await Task.yield()
          }
        }
      }
      group.addTask {
        for batch in 1...40 as ClosedRange<UInt8> {
          try? environment.write { (txn) throws(CairnError) in
            for key in 0..<50 as Range<UInt8> { try txn.put(rows, [batch, key], Self.value) }
          }
        }
        isDone.change { $0 = true }
      }
    }
    #expect(try environment.count() == 2_001)
    #expect(environment.mapByteCount > 1 << 20)
  }

  @Test func `a map grown by another process is taken over`() async throws {
    let path = scratch.file("data.mdb")
    let environment = try scratch.environment(mapByteCount: 1 << 20)
    try environment.put([0], [1])
    await #expect(processExitsWith: .success) { [path = path as String] in
      let other = try Environment.open(path, .init(tables: ["rows"], mapByteCount: 1 << 20))
      try other.write { (txn) throws(CairnError) in
        for key in 0..<4_000 as Range<UInt16> {
          try txn.put(
            other["rows"], [1, UInt8(key >> 8), UInt8(key & 255)],
            [UInt8](repeating: 7, count: 1_000))
        }
      }
    }
    #expect(try environment.count() == 4_001)
    try environment.put([2], [2])
    #expect(try environment.count() == 4_002)
    #expect(environment.mapByteCount > 1 << 20)
  }
}
