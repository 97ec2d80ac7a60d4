import Ranking
import Testing

/// Weights of the time scales, learned from what was used.
@Suite struct ScaleWeightsTests {
  private static let start: Int64 = 1_700_000_000_000_000
  private static let day: Int64 = 86_400_000_000

  /// Learns from a history of items and times.
  private func weights(_ uses: [(item: Int, time: Int64)]) -> ScaleWeights {
    var weights = ScaleWeights()
    var items: [Int: Frecency] = [:]
    for use in uses {
      if let item = items[use.item] { weights.learn([item], atMicroseconds: use.time) }
      weights.use(weight: 1, atMicroseconds: use.time)
      items[use.item, default: Frecency()].add(weight: 1, atMicroseconds: use.time)
    }
    return weights
  }

  @Test func `nothing learned leaves the model's weights`() {
    #expect(ScaleWeights().amplitudes == Frecency.amplitudes)
    #expect(ScaleWeights().multipliers == [1, 1, 1, 1, 1, 1])
  }

  @Test func `what is used again at once strengthens the fast scales, old habits the slow ones`() {
    var bursts: [(Int, Int64)] = []
    var habits: [(Int, Int64)] = []
    for step in 0..<600 as Range<Int64> {
      let time = Self.start + step * Self.day / 4
      bursts += [(Int(step), time), (Int(step), time + 60_000_000)]
      habits += [(Int(step % 40), time), (1_000 + Int(step), time + 60_000_000)]
    }
    let fast = weights(bursts).multipliers
    let slow = weights(habits).multipliers
    #expect(fast[0] > 1 && fast[5] < 1)
    #expect(slow[0] < 1 && slow[5] > 1)
  }

  @Test func `no weight leaves its bounds, however long a history insists`() {
    let uses = (0..<20_000 as Range<Int64>).map { (Int($0 / 2), Self.start + $0 / 2 * Self.day) }
    let multipliers = weights(uses).multipliers
    #expect(multipliers.allSatisfy { (1 / 64.0...64).contains($0) })
  }

  @Test func `hostile times and weights give finite weights`() {
    var weights = ScaleWeights()
    var item = Frecency()
    for time in [Int64.max, .min, 0, Self.start, -Self.start] {
      weights.learn([item], atMicroseconds: time)
      weights.use(weight: 1e300, atMicroseconds: time)
      item.add(weight: 1e300, atMicroseconds: time)
    }
    #expect(weights.amplitudes.allSatisfy { $0.isFinite && $0 > 0 })
  }
}
