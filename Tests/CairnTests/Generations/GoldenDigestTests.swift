import Cairn
import Testing

/// Digests of a history's projections as they were when a format or a constant was last changed.
@Suite("The digests of a mixed history") struct GoldenDigestTests {
  /// Whoever changes these on purpose changes a format version or a constant of the formula with
  /// them, so that stores are folded anew.
  private static let golden = [
    "catalog": "b71896a11135cee83b4bcc157e287ddf", "text": "3099764af790f45aba6eb68bbd33e4d5",
    "ranking": "279becacf177d00f4be03f800577f407", "timeline": "39fc6bf2609be74cf79d1f63f3c2c923",
    // Without a schema nothing has a column.
    "columns": "00000000000000000000000000000000",
  ]

  @Test func `are those of the formats and constants of this version`() async throws {
    let history = MixedHistory(seed: 5, count: 1_000)
    try await withStore { store in
      // Small and large batches fold by different ways.
      try await store.append(Array(history.events.prefix(300)))
      for event in history.events[300..<340] { try await store.append([event]) }
      try await store.append(Array(history.events[340...]))
      for projection in try store.at().statistics().projections {
        #expect(projection.digest == Self.golden[projection.name], "\(projection.name)")
      }
      let rebuilt = try #require(try store.rebuild())
      #expect(rebuilt.allSatisfy { $0.isEqual })
    }
  }
}
