internal import Glibc

extension TextIndex {
  /// What single items' bonuses stay below, where most have none.
  package struct BonusBounds: Sendable {
    /// By item, a level; 0, also for items behind the last, for no bonus above zero.
    package let levels: [UInt8]
    /// Grows whenever a level changes.
    package let version: UInt64
    /// What a level is worth at most, beside what every level above 0 may be worth.
    private let step: Double
    private let least: Double
    /// What no bonus exceeds, whatever its level; that of the highest level.
    private let most: Double

    /// An item of a level l has a bonus of `least + l · step` at most, and of `most`; without a
    /// step, of `most`.
    package init(levels: [UInt8], version: UInt64, step: Double?, least: Double, most: Double) {
      (self.levels, self.version) = (levels, version)
      self.step = step ?? 0
      self.least = step == nil ? most : least
      self.most = most
    }

    /// What no bonus of a level exceeds.
    func bonusMax(_ level: UInt8) -> Double {
      switch level {
      case 0: 0
      case .max: most
      default: min(most, least + Double(level) * step)
      }
    }

    /// By level, e to the bonus: what one more than a text is multiplied by.
    var worths: [Double] {
      let (greatest, factor) = (exp(most) * (1 + 1e-9), exp(step))
      var worth = exp(least) * (1 + 1e-9)
      var worths = [1.0]
      worths.reserveCapacity(256)
      for _ in 1..<UInt8.max {
        worth *= factor
        worths.append(min(worth, greatest))
      }
      return worths + [greatest]
    }

    func level(of item: UInt32) -> UInt8 { item < levels.count ? levels[Int(item)] : 0 }
  }
}
