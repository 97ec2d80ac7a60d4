import Cairn
import Testing

/// The explanation of a score against the score.
@Suite("The terms of a search explanation") struct ScoreTermsTests {
  private static func sum(_ terms: ScoreExplanation) -> Double {
    let words = terms.tierScore + terms.textScore + terms.guardScore
    let learned = terms.learnedScore + terms.latestChoiceScore
    let use = terms.useScore + terms.dislikeScore + terms.engagementScore
    return words + learned + use + terms.latencyScore + terms.domainScore + terms.contextScore
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `sum to the score, for every query, mode, circumstance and moment`(seed: UInt64) async throws
  {
    let history = MixedHistory(seed: seed, count: 400)
    var context = SearchContext()
    (context.actor, context.device, context.previousItem) = ("ann", "phone", "i3")
    context.countsHour = true
    try await withStore { store in
      try await store.append(history.events)
      var hitCount = 0
      for query in ["tram", "tra", "tide dusk", "harbuor", "lantern tram"] {
        for mode in SearchRequest.Mode.allCases {
          for point in [.head, .sequence(250)] as [Point] {
            for context in [nil, context] {
              var request = SearchRequest(query)
              (request.mode, request.explains, request.context) = (mode, true, context)
              let moment = try store.at(point, now: Timestamp(seconds: history.end + 3_600))
              for hit in try moment.search(request) {
                let terms = try #require(hit.explanation)
                #expect(abs(Self.sum(terms) - hit.score) < 1e-9, "seed \(seed), \(query), \(terms)")
                hitCount += 1
              }
            }
          }
        }
      }
      #expect(hitCount > 200)
    }
  }
}
