import Cairn
import TestSupport
import Testing

/// How items fared is not looked up of those that nobody was shown; a failure names its seed.
@Suite struct EngagedItemsTests {
  private static let start: Int64 = 1_700_000_000
  private static let words = ["tram", "tide", "dusk", "harbour"]

  /// A store that was just opened knows nothing of any item, and looks everything up.
  @Test(arguments: 1...6) func `a store that was asked much answers as one just opened`(seed: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    try await withStore { store in
      var time = Self.start
      try await store.append((0..<60).map { Self.made($0, at: time, &random) })
      for round in 0..<12 {
        var events: [Event] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          time += 900
          // Towards the end results are shown that nobody wants, until domains are held back.
          events.append(Self.event(isShown: round > 7, at: time, &random))
        }
        try await store.append(events)
        let now = Timestamp(seconds: time + Int64.random(in: -900...90 * 86_400, using: &random))
        let fresh = try Store.open(at: store.directory, access: .readOnly)
        defer { fresh.close() }
        for word in Self.words + ["t", "tide dusk"] {
          var request = SearchRequest(word)
          request.limit = Int.random(in: 3...20, using: &random)
          let found = try store.at(.head, now: now).search(request)
          #expect(try fresh.at(.head, now: now).search(request) == found, "seed \(seed), \(round)")
        }
      }
    }
  }

  private static func made(_ number: Int, at time: Int64, _ random: inout SeededGenerator) -> Event
  {
    let title = (0..<3).map { _ in words.randomElement(using: &random) ?? "" }
    return Event(
      kind: .index, item: "i\(number)", domain: .value("d\(number % 3)"),
      time: Timestamp(seconds: time), attributes: ["title": .string(title.joined(separator: " "))]
    )
  }

  private static func event(isShown: Bool, at time: Int64, _ random: inout SeededGenerator) -> Event
  {
    func item() -> String { "i\(Int.random(in: 0..<60, using: &random))" }
    let word = words.randomElement(using: &random)
    // An item that is made anew is another one than it was.
    let anew = made(Int.random(in: 0..<60, using: &random), at: time, &random)
    let time = Timestamp(seconds: time)
    switch Int.random(in: 0..<(isShown ? 5 : 3), using: &random) {
    case 0: return Event(kind: .view, item: item(), time: time, dwell: 20)
    case 1: return Event(kind: .select, item: item(), time: time, query: word, position: 1)
    case 2:
      return Bool.random(using: &random) ? Event(kind: .delete, item: item(), time: time) : anew
    default:
      let shown = (0..<40).map { _ in item() }
      return Event(kind: .impression, time: time, query: word, shown: shown)
    }
  }
}
