import LMDB
import TestSupport
import Testing

@testable import TextIndex

@Suite("The digest is a function of the log") struct DigestTests {
  @Test(arguments: 0..<12) func `incremental, recomputed, merged and rebuilt agree`(seed: Int)
    throws
  {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed) + 1_000))
    if seed >= 8 { text.weights = RandomText.someWeights }
    var fixture = try Fixture()
    for step in 0..<6 {
      let digest = try fixture.apply(
        text.events(Int.random(in: 1...50, using: &text.random), items: 25))
      #expect(try fixture.recomputedDigest() == digest, "seed \(seed)")
      if step % 3 == 1, seed.isMultiple(of: 2) { try fixture.merge() }
      if seed % 3 > 0 {
        fixture.context.pace = .hurried
        for _ in 0..<step * 3 { try fixture.merge(force: false) }
      }
      #expect(try fixture.digest() == digest, "seed \(seed)")
      #expect(try fixture.recomputedDigest() == digest, "seed \(seed)")
    }
    let digest = try fixture.digest()
    for (batch, isBulk) in [(1, false), (7, false), (1_000, true), (13, true)] {
      let other = try fixture.rebuilt(batch: batch, isBulk: isBulk)
      #expect(try other.digest() == digest, "seed \(seed), batches of \(batch)")
      #expect(try other.recomputedDigest() == digest, "seed \(seed), batches of \(batch)")
    }
  }

  @Test(arguments: 0..<6) func `postings put into delta rows and lists by turns agree`(seed: Int)
    throws
  {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed) + 2_500))
    if seed >= 4 { text.weights = RandomText.someWeights }
    var fixture = try Fixture()
    fixture.context.bulkPutCount = 1
    for round in 0..<12 {
      fixture.context.directPutCount = round.isMultiple(of: 2) ? .max : 1
      try fixture.apply(text.events(20, items: 30))
      if round % 5 == 4 { try fixture.merge(force: false) }
      #expect(try fixture.recomputedDigest() == fixture.digest(), "seed \(seed), round \(round)")
    }
    for _ in 0..<60 {
      let request = text.request(head: UInt64(fixture.log.count))
      let expected = fixture.oracle.search(request, bonus: { _ in 0 }, accept: { _ in true })
      #expect(try fixture.search(request) == expected, "seed \(seed): \(request)")
    }
  }

  @Test(arguments: 0..<6)
  func `pending, merged, bulk-loaded and rebuilt indexes give the same hits`(seed: Int) throws {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed) + 2_000))
    var fixture = try Fixture()
    try fixture.apply(text.events(150, items: 40))
    let requests = (0..<150).map { _ in text.request(head: 150) }
    let expected = try requests.map { try fixture.search($0) }
    let bulk = try fixture.rebuilt(batch: 1_000, isBulk: true)
    let mixed = try fixture.rebuilt(batch: 40, isBulk: false)
    try mixed.merge()
    try fixture.merge()
    for (request, hits) in zip(requests, expected) {
      #expect(try fixture.search(request) == hits, "seed \(seed), merged: \(request)")
      #expect(try bulk.search(request) == hits, "seed \(seed), bulk: \(request)")
      #expect(try mixed.search(request) == hits, "seed \(seed), in batches: \(request)")
    }
  }

  /// Three failures: nothing is taken of what was analysed, something is, or too much is wanted.
  @Test(arguments: [0, 700, 1_500]) func `an analysis given up half-way leaves no trace`(
    putCount: Int
  ) throws {
    var text = RandomText(random: SeededGenerator(seed: UInt64(putCount) + 4_000))
    var fixture = try Fixture()
    fixture.context.bulkPutCount = 1
    try fixture.apply(text.events(300, items: 100))
    let before = try fixture.digest()
    let lost = text.events(1_500, items: 2_000).map { ($0.item, $0.fields ?? []) }
    let changes = lost.indices.map { Fixture.change(lost[$0].0, UInt64(1_000 + $0), lost[$0].1) }
    let (index, context) = (fixture.index, fixture.context)
    #expect(throws: CairnError.self) {
      try fixture.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        defer { context.endCall() }
        try index.analyseAhead(count: 1_000, in: &txn, context: context) { place in
          guard case .put(_, _, _, let fields, let bytes) = changes[place] else { return ([], []) }
          return (fields, bytes)
        }
        if putCount > 0 { try index.apply(Array(changes[..<putCount]), in: &txn, context: context) }
        throw CairnError(.diskFull, "as if")
      }
    }
    #expect(try fixture.digest() == before)
    try fixture.apply(text.events(300, items: 100))
    let rebuilt = try fixture.rebuilt(batch: 40, isBulk: false)
    #expect(try rebuilt.digest() == fixture.digest())
    #expect(try fixture.recomputedDigest() == fixture.digest())
    for _ in 0..<50 {
      let request = text.request(head: 600)
      #expect(try fixture.search(request) == rebuilt.search(request), "\(request)")
    }
  }

  @Test func `a put of the same tokens makes no version`() throws {
    var fixture = try Fixture()
    let first = try fixture.apply([(1, [(.title, "Hello World"), (.text, "body")])])
    let second = try fixture.apply([(1, [(.title, "hello, WORLD!"), (.text, "Body.")])])
    #expect(first == second)
    try fixture.merge()
    #expect(try fixture.apply([(1, [(.text, "body"), (.title, "hello world")])]) == first)
    #expect(try fixture.apply([(1, [(.title, "world hello"), (.text, "body")])]) != first)
  }

  @Test func `a put of the same tokens with another weight makes a version`() throws {
    var fixture = try Fixture()
    func body(_ weight: Float) -> Fixture.Fields {
      [(.title, "hello"), (.text, Fixture.weighted("body", weight))]
    }
    let first = try fixture.apply([(1, body(1))])
    let second = try fixture.apply([(1, body(0.5))])
    #expect(first != second)
    try fixture.merge()
    #expect(try fixture.apply([(1, body(0.5))]) == second)
    #expect(try fixture.apply([(1, body(0.25))]) != second)
    #expect(try fixture.recomputedDigest() == fixture.digest())
  }

  @Test func `a removed item leaves the trace of its versions, not of its sequences`() throws {
    var one = try Fixture()
    var two = try Fixture()
    try one.apply([(1, [(.title, "a")]), (1, nil), (2, [(.title, "b")])])
    try two.apply([(9, nil), (1, [(.title, "a")]), (2, [(.title, "b")]), (9, nil), (1, nil)])
    #expect(try one.digest() == two.digest())
    try two.merge()
    #expect(try two.recomputedDigest() == one.digest())
  }
}
