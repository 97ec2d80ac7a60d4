import LMDB
import TestSupport
import Testing

@Suite struct RowRunTests {
  let scratch = TestDirectory()

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `a run does what single puts and deletes do, whatever the order`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let environment = try scratch.environment()
    let rows = environment["rows"]
    var model: [[UInt8]: [UInt8]] = [:]
    for batch in 0..<6 {
      var pairs: [(key: [UInt8], value: [UInt8]?)] = []
      for _ in 0..<2_000 {
        let key = random.bytes(1 + Int(random.next() % 4))
        let isDeleted = random.next() % 4 == 0
        pairs.append((key, isDeleted ? nil : random.bytes(Int(random.next() % 90))))
      }
      if batch > 0 { pairs.sort { $0.key.lexicographicallyPrecedes($1.key) } }
      var before: [[UInt8]?] = []
      for pair in pairs {
        before.append(model[pair.key])
        model[pair.key] = pair.value
      }
      let (sorted, known) = (pairs, before)
      try environment.write { (txn) throws(CairnError) in
        try txn.run(rows) { (run) throws(CairnError) in
          for (pair, before) in zip(sorted, known) {
            let found = try run.get(pair.key.rawSpan)?.array()
            guard found == before else { throw CairnError(.internal, "another row was read") }
            if let value = pair.value {
              try run.put(pair.key.rawSpan, value.rawSpan)
            } else {
              try run.delete(pair.key.rawSpan)
            }
          }
        }
        // The run is over: the table can be changed otherwise in the same transaction.
        try txn.put(rows, [255, 255, 255, 255, 255], [UInt8(batch)])
      }
    }
    model[[255, 255, 255, 255, 255]] = [5]
    var found: [[UInt8]: [UInt8]] = [:]
    try environment.read { (txn) throws(CairnError) in
      try txn.scan(rows) { (key, value) throws(CairnError) in
        found[key.array()] = value.array()
        return true
      }
    }
    #expect(found == model, "seed \(seed)")
  }
}
