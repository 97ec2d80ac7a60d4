import LMDB
import Projections

/// How an item, or all items of a domain, fared when they were shown.
///
/// Sums that halve in ``FoldConstants/engagementHalfLifeDays``: choices, impressions weighted by
/// how likely a place is looked at (`rank^−lookExponent`), seconds of waiting for content; and what
/// speaks against it, halving in ``FoldConstants/dislikeHalfLifeDays``.
package struct EngagementState: Equatable, Sendable {
  private static let halfLifeDays = FoldConstants.current.engagementHalfLifeDays
  private static let dislikeHalfLifeDays = FoldConstants.current.dislikeHalfLifeDays
  static let byteCount = 4 + 8 + 5 * 8

  /// Number of changes so far.
  private var count: UInt32 = 0
  /// Time of the latest change, microseconds since 1970.
  private var reference = Int64.min
  package private(set) var clicks = 0.0
  /// Times it was looked at in results, in expectation.
  package private(set) var impressions = 0.0
  /// Seconds from choice to content.
  package private(set) var latency = 0.0
  /// Choices whose latency is known.
  package private(set) var latencyCount = 0.0
  /// What speaks against it: bounces and the user's word.
  package private(set) var dislike = 0.0

  package init() {}

  /// What one event adds.
  package struct Change: Sendable {
    package var clicks = 0.0
    package var impressions = 0.0
    package var latency: Double?
    package var dislike = 0.0

    package init() {}

    /// Adds what is due to being shown at a rank, from 1.
    mutating func show(rank: Int) {
      impressions += DeterministicMath.power(
        -FoldConstants.current.lookExponent * DeterministicMath.logarithm(Double(rank)))
    }
  }

  /// Folds in a change; late ones are welcome.
  mutating func add(_ change: Change, atMicroseconds time: Int64) {
    count &+= 1
    var slow = 1.0
    var fast = 1.0
    if reference == .min {
      reference = time
    } else if time >= reference {
      self = aged(to: time)
      reference = time
    } else {
      slow = Decay.factor(fromMicroseconds: time, to: reference, halfLifeDays: Self.halfLifeDays)
      fast = Decay.factor(
        fromMicroseconds: time, to: reference, halfLifeDays: Self.dislikeHalfLifeDays)
    }
    clicks += change.clicks * slow
    impressions += change.impressions * slow
    if let seconds = change.latency {
      latency += seconds * slow
      latencyCount += slow
    }
    dislike += change.dislike * fast
  }

  /// The sums as they are at a moment; before the latest change, as they were at it.
  package func aged(to now: Int64) -> EngagementState {
    guard reference != .min, now > reference else { return self }
    let slow = Decay.factor(fromMicroseconds: reference, to: now, halfLifeDays: Self.halfLifeDays)
    var aged = self
    aged.clicks *= slow
    aged.impressions *= slow
    aged.latency *= slow
    aged.latencyCount *= slow
    aged.dislike *= Decay.factor(
      fromMicroseconds: reference, to: now, halfLifeDays: Self.dislikeHalfLifeDays)
    return aged
  }

  private var words: [5 of UInt64] {
    [
      clicks.bitPattern, impressions.bitPattern, latency.bitPattern, latencyCount.bitPattern,
      dislike.bitPattern,
    ]
  }

  func encode(into row: inout [UInt8]) {
    row.appendBigEndian(count)
    row.appendBigEndian(UInt64(bitPattern: reference))
    let words = words
    for index in words.indices { row.appendBigEndian(words[index]) }
  }

  init(decoding row: RawSpan) throws(CairnError) {
    guard row.byteCount == Self.byteCount else { throw Engagement.damaged }
    count = row.loadBigEndian32(at: 0)
    reference = Int64(bitPattern: row.loadBigEndian64(at: 4))
    clicks = Double(bitPattern: row.loadBigEndian64(at: 12))
    impressions = Double(bitPattern: row.loadBigEndian64(at: 20))
    latency = Double(bitPattern: row.loadBigEndian64(at: 28))
    latencyCount = Double(bitPattern: row.loadBigEndian64(at: 36))
    dislike = Double(bitPattern: row.loadBigEndian64(at: 44))
  }

  func digestRow(kind: UInt8, name: NameKey) -> RowHasher {
    var hasher = RowHasher(kind: 6)
    hasher.add(UInt64(kind))
    hasher.add(name)
    hasher.add(UInt64(count))
    hasher.add(UInt64(bitPattern: reference))
    let words = words
    for index in words.indices { hasher.add(words[index]) }
    return hasher
  }
}
