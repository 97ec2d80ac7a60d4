import Query
import TestSupport
import Testing

struct RandomExpressionTests {
  @Test(arguments: [UInt64(1), 2, 3, 4]) func `Random expressions say what brute force says`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var answers = [0, 0]
    for round in 0..<750 {
      let query = RandomQuery.make(&random)
      let text = query.rendered(&random)
      var evaluator = Predicate(try QueryParser.parse(text), in: TramFixture.context).evaluator()
      for _ in 0..<6 {
        let record = RandomQuery.makeRecord(&random)
        let expected = NaiveEvaluator.holds(query, record)
        let actual = evaluator.matches(record.compactMapValues(\.recordValue))
        #expect(actual == expected, "seed \(seed), round \(round): \(text) on \(record)")
        answers[actual ? 1 : 0] += 1
      }
    }
    // The comparison says nothing if nearly all answers are alike.
    #expect(answers.min() ?? 0 > 750)
  }
}
