import Foundation
import LMDB
import TestSupport
import Testing

@testable import TextIndex

/// The promise in its long form: the best fifty of random queries, by whichever way the index came
/// to be.
///
/// 200 queries by default; `CAIRN_QUERIES=10000` asks as many as are promised, `CAIRN_SEED` is the
/// first seed.
@Suite("Search equals scoring everything, however the index was made") struct LongExactnessTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let firstSeed = environment["CAIRN_SEED"].flatMap { Int($0) } ?? 1_000
  private static let queryCount = environment["CAIRN_QUERIES"].flatMap { Int($0) } ?? 200
  private static let queriesEach = 100
  private static let seeds = firstSeed..<firstSeed + (queryCount + 99) / queriesEach

  /// A query with the strength of what is added to scores and the share of items let in.
  private struct Question {
    var request: TextIndex.Request
    var strength: Double
    var divisor: UInt32
    var expected: [TextIndex.Hit]

    func bonus(_ item: UInt32) -> Double { Double(item % 7) / 7 * strength }
    func accepts(_ item: UInt32) -> Bool { item % divisor == 0 }
  }

  @Test(arguments: seeds, [false, true])
  func `the best fifty are the same before and after merge, rebuild and restart`(
    seed: Int, isWeighted: Bool
  ) throws {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed)))
    if isWeighted { text.weights = RandomText.someWeights }
    var fixture = try Fixture()
    for step in 0..<4 {
      try fixture.apply(text.events(Int.random(in: 20...120, using: &text.random), items: 80))
      if step == 1, seed.isMultiple(of: 2) { try fixture.merge() }
    }
    let questions = (0..<Self.queriesEach).map { Self.question($0, &text, fixture) }
    // Queries that find nothing prove little.
    #expect(questions.count { !$0.expected.isEmpty } > Self.queriesEach / 3, "seed \(seed)")
    try Self.ask(questions, fixture, "seed \(seed), partly merged")
    try Self.ask(questions, try fixture.restarted(), "seed \(seed), restarted")
    fixture.context.pace = .hurried
    for step in 1...12 {
      try fixture.merge(force: false)
      guard step.isMultiple(of: 3) else { continue }
      try Self.ask(questions, try fixture.restarted(), "seed \(seed), \(step) steps of merging")
    }
    try fixture.merge()
    try Self.ask(questions, fixture, "seed \(seed), merged")
    let rebuilt = try fixture.rebuilt(batch: fixture.log.count, isBulk: true)
    try Self.ask(questions, rebuilt, "seed \(seed), rebuilt")
    try Self.ask(questions, try rebuilt.restarted(), "seed \(seed), rebuilt and restarted")
  }

  private static func question(_ number: Int, _ text: inout RandomText, _ fixture: Fixture)
    -> Question
  {
    var request = text.request(head: UInt64(fixture.log.count))
    request.limit = 50
    var question = Question(
      request: request, strength: [0.0, 1, 5][number % 3], divisor: [1, 1, 2, 5][number % 4],
      expected: [])
    question.expected = fixture.oracle.search(
      request, bonus: question.bonus, accept: question.accepts)
    return question
  }

  private static func ask(_ questions: [Question], _ fixture: Fixture, _ state: String) throws {
    for (number, question) in questions.enumerated() {
      let found = try fixture.search(
        question.request, maximumBonus: question.strength, bonus: question.bonus,
        accept: question.accepts)
      #expect(found == question.expected, "\(state), query \(number): \(question.request)")
    }
  }
}
