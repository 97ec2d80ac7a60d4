import Synchronization
import TestSupport
import Testing
import Values

@testable import LMDB

@Suite struct CursorTests {
  let scratch = TestDirectory()

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `seeking finds the neighbours a sorted array has`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var keys = Set<[UInt8]>()
    for _ in 0..<300 { keys.insert(random.bytes(1 + Int(random.next() % 3)).map { $0 % 12 }) }
    let sorted = keys.sorted { $0.lexicographicallyPrecedes($1) }
    let environment = try scratch.environment()
    let rows = environment["rows"]
    try environment.write { (txn) throws(CairnError) in
      for key in sorted { try txn.append(rows, key, key) }
    }
    try environment.read { (txn) throws(CairnError) in
      var cursor = try txn.cursor(rows)
      for _ in 0..<500 {
        let wanted = random.bytes(1 + Int(random.next() % 4)).map { $0 % 13 }
        let above = sorted.firstIndex { !$0.lexicographicallyPrecedes(wanted) }
        let below = sorted.lastIndex { !wanted.lexicographicallyPrecedes($0) }
        let found = try cursor.seek(wanted)?.key.array()
        #expect(found == above.map { sorted[$0] }, "seed \(seed)")
        let again = try cursor.find(wanted)?.key.array()
        #expect(again == found, "seed \(seed)")
        if let above {
          let next = try cursor.next()?.key.array()
          #expect(next == (above + 1 < sorted.count ? sorted[above + 1] : nil), "seed \(seed)")
        }
        let atMost = try cursor.seek(atMost: wanted.rawSpan)?.value.array()
        #expect(atMost == below.map { sorted[$0] }, "seed \(seed)")
        if let below {
          let previous = try cursor.previous()?.key.array()
          #expect(previous == (below > 0 ? sorted[below - 1] : nil), "seed \(seed)")
        }
      }
    }
  }

  @Test func `nothing is read once nobody waits for it, on that thread alone`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    try environment.write { (txn) throws(CairnError) in
      for key in 1...9 as ClosedRange<UInt8> { try txn.append(rows, [key], [key]) }
    }
    let cancellation = Cancellation()
    var seen = 0
    let error = #expect(throws: CairnError.self) {
      try cancellation.run { () throws(CairnError) in
        try environment.read { (txn) throws(CairnError) in
          try txn.scan(rows) { _, _ in
            seen += 1
            if seen == 3 { cancellation.cancel() }
            return true
          }
        }
      }
    }
    #expect(error?.code == .aborted && seen == 3)
    let refused = #expect(throws: CairnError.self) {
      try cancellation.run { () throws(CairnError) in
        try environment.read { (txn) throws(CairnError) in _ = try txn.get(rows, [1]) }
      }
    }
    #expect(refused?.code == .aborted)
    try environment.read { (txn) throws(CairnError) in
      #expect(try txn.get(rows, [1])?.array() == [1])
    }
  }

  @Test func `a cursor walks both ways and stays at the ends`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    try environment.write { (txn) throws(CairnError) in
      for key in 1...3 as ClosedRange<UInt8> { try txn.append(rows, [key], []) }
    }
    try environment.read { (txn) throws(CairnError) in
      var forward = try txn.cursor(rows)
      var keys: [UInt8] = []
      while let entry = try forward.next() { keys.append(entry.key.byte(at: 0)) }
      #expect(keys == [1, 2, 3])
      #expect(try forward.next() == nil)
      var backward = try txn.cursor(rows)
      keys = []
      while let entry = try backward.previous() { keys.append(entry.key.byte(at: 0)) }
      #expect(keys == [3, 2, 1])
      #expect(try backward.previous() == nil)
      #expect(try backward.seek([])?.key.array() == [1])
      #expect(try backward.last()?.key.array() == [3])
      #expect(try backward.seek([])?.key.array() == [1])
    }
  }

  @Test func `lookups in a write count as far as they go together`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    let count: UInt32 = 8_000
    let value = [UInt8](repeating: 7, count: 1_000)
    try environment.write { (txn) throws(CairnError) in
      for number in 0..<count { try txn.append(rows, [UInt8](bigEndian: number), value) }
    }
    let passed = try environment.write { (txn) throws(CairnError) -> Int in
      // The rows put before may have counted nearly as far as memory is given back.
      environment.passedByteCount.store(0, ordering: .relaxed)
      var cursor = try txn.reader.cursor(rows)
      // Three pages on each time: less than what one lookup maps.
      for number in stride(from: 0, to: count, by: 12) {
        _ = try cursor.seek([UInt8](bigEndian: number))
      }
      return environment.passedByteCount.load(ordering: .relaxed)
    }
    #expect(passed > 4 << 20)
    let walked = try withBoundedMemory { () throws(CairnError) in
      environment.passedByteCount.store(0, ordering: .relaxed)
      try environment.read { (txn) throws(CairnError) in
        var cursor = try txn.cursor(rows)
        while try cursor.next() != nil {}
      }
      return environment.passedByteCount.load(ordering: .relaxed)
    }
    // Row after row counts the pages that are mapped, once each, whatever of them rows fill.
    #expect((4 << 20...Int(environment.byteCount)).contains(walked))
  }

  @Test func `a walk that keeps its pages adds up to nothing, but in long work`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    let value = [UInt8](repeating: 7, count: 1_000)
    try environment.write { (txn) throws(CairnError) in
      for number in 0..<2_000 as Range<UInt32> {
        try txn.append(rows, [UInt8](bigEndian: number), value)
      }
    }
    func passed(keepsPages: Bool) throws(CairnError) -> Int {
      environment.passedByteCount.store(0, ordering: .relaxed)
      try environment.read { (txn) throws(CairnError) in
        var cursor = try txn.cursor(rows, keepsPages: keepsPages)
        while try cursor.next() != nil {}
      }
      return environment.passedByteCount.load(ordering: .relaxed)
    }
    #expect(try passed(keepsPages: true) == 0)
    #expect(try passed(keepsPages: false) > 1 << 20)
    let inLongWork = try withBoundedMemory { () throws(CairnError) in
      try passed(keepsPages: true)
    }
    #expect(inLongWork > 1 << 20)
  }

  @Test func `a cursor over an empty table finds nothing`() throws {
    let environment = try scratch.environment()
    try environment.read { (txn) throws(CairnError) in
      var cursor = try txn.cursor(environment["rows"])
      #expect(try cursor.next() == nil)
      #expect(try cursor.previous() == nil)
      #expect(try cursor.seek([]) == nil)
      #expect(try cursor.last() == nil)
      #expect(try cursor.seek([1]) == nil)
      #expect(try cursor.find([1]) == nil)
      #expect(try cursor.seek(atMost: [1 as UInt8].rawSpan) == nil)
    }
  }
}
