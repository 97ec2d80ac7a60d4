import Foundation
import LMDB
import TestSupport
import Testing

@Suite struct ScrubTests {
  let scratch = TestDirectory()

  private func fileHolds(_ text: String) throws -> Bool {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file("data.mdb")))
    return bytes.range(of: Data(text.utf8)) != nil
  }

  @Test func `deleting leaves the bytes in the file, scrubbing does not`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    let canary = "canary-7261"
    for batch in 0..<20 {
      try environment.write { (txn) throws(CairnError) in
        for row in 0..<50 {
          let number = batch * 50 + row
          let text = number % 3 == 0 ? "\(canary) \(number)" : "kept \(number)"
          let value = Array((text + String(repeating: ".", count: number % 700)).utf8)
          try txn.put(rows, Array("row \(number % 7) \(number)".utf8), value)
        }
      }
    }
    try environment.write { (txn) throws(CairnError) in
      for number in stride(from: 0, to: 1_000, by: 3) {
        _ = try txn.delete(rows, Array("row \(number % 7) \(number)".utf8))
      }
    }
    // The test can fail: this is what plain deleting gives, and rewriting a few rows after it.
    #expect(try fileHolds(canary))

    try environment.reopen()
    for round in 0..<2 {
      try environment.write { (txn) throws(CairnError) in
        try txn.put(rows, [0xff], [UInt8(round)])
      }
    }
    let cleared = try #require(try environment.scrub(wait: .seconds(5)))
    #expect(cleared.clearedByteCount > 0 && cleared.residueByteCount == 0)
    #expect(try !fileHolds(canary))
    #expect(try environment.scrub(wait: .seconds(5))?.clearedByteCount == 0)
    try environment.checkStructure()

    // Later commits of this process do not bring old page buffers back.
    for round in 0..<30 {
      try environment.write { (txn) throws(CairnError) in
        try txn.put(rows, Array("late \(round)".utf8), Array(repeating: 7, count: 900))
      }
    }
    #expect(try !fileHolds(canary))
    let kept = try environment.read { (txn) throws(CairnError) in
      var kept = 0
      try txn.scan(rows) { (key, value) throws(CairnError) in
        if String(decoding: value.array(), as: UTF8.self).hasPrefix("kept") { kept += 1 }
        return true
      }
      return kept
    }
    #expect(kept == 666)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `what is in no row is in no byte, and every row stays`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let environment = try scratch.environment("random \(seed).mdb", tables: ["rows", "more"])
    var model: [TableName: [[UInt8]: [UInt8]]] = ["rows": [:], "more": [:]]
    for _ in 0..<40 {
      let changes = (0..<20).map { _ in
        (
          random.next() % 2 == 0 ? "rows" as TableName : "more", random.bytes(2).map { $0 % 16 },
          random.next() % 3 == 0 ? nil : random.bytes(Int(random.next() % 1_800))
        )
      }
      try environment.write { (txn) throws(CairnError) in
        for (table, key, value) in changes {
          if let value {
            try txn.put(environment[table], key, value)
          } else {
            _ = try txn.delete(environment[table], key)
          }
        }
      }
      for (table, key, value) in changes { model[table, default: [:]][key] = value }
    }
    try environment.reopen()
    #expect(try environment.scrub(wait: .seconds(5)) != nil)
    #expect(try environment.scrub(wait: .seconds(5))?.clearedByteCount == 0, "seed \(seed)")
    try environment.checkStructure()
    for (table, rows) in model {
      let found = try environment.read { (txn) throws(CairnError) in
        var found: [[UInt8]: [UInt8]] = [:]
        try txn.scan(environment[table]) { (key, value) throws(CairnError) in
          found[key.array()] = value.array()
          return true
        }
        return found
      }
      #expect(found == rows, "seed \(seed), table \(table)")
    }
  }

  @Test func `a reader of an earlier commit is waited for`() async throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    try environment.write { (txn) throws(CairnError) in try txn.put(rows, [1], [1]) }
    let started = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    let reader = onOwnThread {
      try environment.read { (txn) throws(CairnError) in
        let before = try txn.get(rows, [1] as [UInt8])?.array()
        started.signal()
        release.wait()
        let after = try txn.get(rows, [1] as [UInt8])?.array()
        return before == after && after == [1]
      }
    }
    started.wait()
    try environment.write { (txn) throws(CairnError) in try txn.put(rows, [1], [2]) }
    #expect(try environment.scrub(wait: .milliseconds(20)) == nil)
    release.signal()
    #expect(try await reader.value)
    #expect(try environment.scrub(wait: .seconds(5)) != nil)
  }
}
