import TestSupport
import Testing
import Text

@testable import TextIndex

@Suite("Search equals scoring everything") struct ExactnessTests {
  /// Ten thousand queries over twenty seeds without weights, five thousand with.
  @Test(arguments: 0..<30) func `every query gives the hits of a brute-force scorer, ties included`(
    seed: Int
  ) throws {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed)))
    if seed >= 20 { text.weights = RandomText.someWeights }
    var fixture = try Fixture()
    if seed % 2 == 1 { fixture.selectAlways() }
    var foundCount = 0
    for step in 0..<5 {
      let events = text.events(Int.random(in: 1...40, using: &text.random), items: 30)
      try fixture.apply(events)
      if seed % 4 == 0 {
        if step % 2 == 0 { try fixture.merge() }
      } else {
        // The hand stops anywhere, with something pending or nothing.
        fixture.context.pace = .hurried
        for _ in 0..<Int.random(in: 0...9, using: &text.random) { try fixture.merge(force: false) }
      }
      for query in 0..<100 {
        let request = text.request(head: UInt64(fixture.log.count))
        let strength = [0.0, 1, 5][query % 3]
        // Levels change from step to step, as items are used; some items have less than nothing.
        let level: (UInt32) -> UInt32 = { ($0 + UInt32(step / 2)) % 7 }
        let bonus: (UInt32) -> Double = {
          level($0) == 0 ? -strength / 9 : Double(level($0)) / 7 * strength
        }
        let bounds = TextIndex.BonusBounds(
          levels: (0..<30).map { UInt8(level($0)) }, version: UInt64(step / 2 + 1),
          step: query % 5 == 0 ? nil : strength / 7, least: 0, most: strength)
        let divisor = UInt32([1, 1, 2, 5][query % 4])
        let accept: (UInt32) -> Bool = { $0 % divisor == 0 }
        // More than all bonuses come to.
        let boosted: Set<UInt32> = query % 11 == 0 ? [3, 17] : []
        let boost: (UInt32) -> Double = { boosted.contains($0) ? 8 : 0 }
        let expected = fixture.oracle.search(
          request, bonus: { bonus($0) + boost($0) }, accept: accept)
        let found = try fixture.search(
          request, maximumBonus: strength, bounds: query % 7 == 0 ? nil : bounds,
          boosts: TextIndex.Boosts(items: boosted.sorted()) { (hit, _) in boost(hit.item) },
          bonus: bonus, accept: accept)
        if !boosted.isEmpty {
          // Their scores are added up in another order.
          #expect(found.map(\.item) == expected.map(\.item), "seed \(seed), \(request)")
          continue
        }
        #expect(found == expected, "seed \(seed), step \(step), query \(query): \(request)")
        if found != expected { return }
        if !found.isEmpty { foundCount += 1 }
      }
    }
    // Queries that find nothing prove little.
    #expect(foundCount > 150, "seed \(seed)")
  }

  /// Lists of dozens of blocks, whose bounds let a search of few hits pass over most.
  @Test(arguments: [false, true]) func `the best few of many are those of all`(isWeighted: Bool)
    throws
  {
    var text = RandomText(random: SeededGenerator(seed: 77))
    if isWeighted { text.weights = RandomText.someWeights }
    var fixture = try Fixture()
    fixture.context.bulkPutCount = 1
    try fixture.apply((0..<6_000).map { item in (item, text.fields()) })
    try fixture.merge()
    for number in 0..<120 {
      var request = text.request(head: 6_000)
      (request.asOf, request.limit) = (nil, nil)
      let all = try fixture.search(request)
      request.limit = [1, 3, 10, 50][number % 4]
      let best = try fixture.search(request)
      #expect(best == Array(all.prefix(request.limit ?? 0)), "\(request)")
      guard number < 6 else { continue }
      let expected = fixture.oracle.search(request, bonus: { _ in 0 }, accept: { _ in true })
      #expect(best == expected, "\(request)")
    }
  }

  @Test func `a title that begins with a relative of the word has all that its text gives`() throws
  {
    var fixture = try Fixture()
    fixture.selectAlways()
    try fixture.apply(
      (0..<10).map { item -> (item: UInt32, fields: Fixture.Fields?) in
        item < 9
          ? (item, [(.title, "files a")]) : (item, [(.title, "file a"), (.text, "files files")])
      })
    try fixture.merge()
    var request = TextIndex.Request(query: Analyzer().analyzeQuery("files"))
    (request.prefixLast, request.stemmer) = (true, Stemmer(.english))
    for limit in 1...2 {
      request.limit = limit
      let expected = fixture.oracle.search(request, bonus: { _ in 0 }, accept: { _ in true })
      #expect(expected.first?.item == 9)
      #expect(try fixture.search(request) == expected)
    }
  }

  @Test(arguments: [nil, 1, 2] as [UInt64?])
  func `words that came later make nothing rare in the past`(point: UInt64?) throws {
    var fixture = try Fixture()
    try fixture.apply([(1, [(.title, "runing late")]), (2, [(.title, "running")])])
    var request = TextIndex.Request(query: Analyzer().analyzeQuery("running late "))
    (request.typoTolerant, request.asOf, request.mode) = (true, point, .any)
    let found = try fixture.search(request)
    #expect(found.count == (point == 1 ? 1 : 2))
    let expected = fixture.oracle.search(request, bonus: { _ in 0 }, accept: { _ in true })
    #expect(found == expected)
    // It is what was answered then.
    guard point == 1 else { return }
    var then = try Fixture()
    try then.apply([(1, [(.title, "runing late")])])
    request.asOf = nil
    #expect(try then.search(request) == found)
  }
}
