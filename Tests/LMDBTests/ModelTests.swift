import LMDB
import TestSupport
import Testing

@Suite struct ModelTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a table behaves like a sorted dictionary under any operations`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scratch = TestDirectory()
    let environment = try scratch.environment()
    let rows = environment["rows"]
    var model: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<40 {
      let start = random
      let before = model
      let isKept = random.next() % 4 != 0
      random = start
      try? environment.write { (txn) throws(CairnError) in
        // The body may run more than once, so it starts from the same state each time.
        model = before
        var steps = start
        for _ in 0..<50 {
          let key = Array("k\(steps.next() % 200)".utf8)
          switch steps.next() % 10 {
          case 0..<6:
            let value = steps.bytes(Int(steps.next() % 300))
            try txn.put(rows, key, value)
            model[key] = value
          case 6..<9:
            let wasThere = try txn.delete(rows, key)
            #expect(wasThere == (model.removeValue(forKey: key) != nil), "seed \(seed)")
          default:
            let found = try txn.reader.get(rows, key)
            #expect(found?.array() == model[key], "seed \(seed)")
          }
        }
        if !isKept { throw CairnError(.aborted, "on purpose") }
      }
      if !isKept { model = before }
      for _ in 0..<200 { _ = random.next() }
      try expect(environment, rows, equals: model, seed: seed)
    }
  }

  private func expect(
    _ environment: Environment, _ rows: Table, equals model: [[UInt8]: [UInt8]], seed: UInt64
  ) throws {
    let stored = try environment.read { (txn) throws(CairnError) in
      var pairs: [[[UInt8]]] = []
      var cursor = try txn.cursor(rows)
      while let entry = try cursor.next() {
        pairs.append([entry.key.array(), entry.value.array()])
      }
      #expect(try txn.count(rows) == pairs.count)
      return pairs
    }
    let expected = model.map { [$0.key, $0.value] }.sorted {
      $0[0].lexicographicallyPrecedes($1[0])
    }
    #expect(stored == expected, "seed \(seed)")
  }
}
