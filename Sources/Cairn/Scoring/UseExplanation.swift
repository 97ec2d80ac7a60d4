import LMDB
import Ranking

/// Why an item has its place by use: its scales, whose scores add up to its frecency F, and its
/// latest uses.
///
/// In circumstances, its score is `(1 + F + follow) · e^(fit · contextWeight / useWeight) − 1`; the
/// constants stand in <doc:Ranking>.
public struct UseExplanation: Sendable, Hashable {
  /// One time scale.
  public struct Scale: Sendable, Hashable {
    /// Seconds in which a use loses half of its weight.
    public var halfLife: Double
    /// Sum of the uses' weights, each halved so often since.
    public var sum: Double
    /// What the sum is multiplied by, `scaleFactor · (half-life in days)^−scaleExponent`.
    public var amplitude: Double
    /// Their product.
    public var score: Double
  }

  /// One use.
  public struct Use: Sendable, Hashable {
    /// The event.
    public var sequence: UInt64
    /// When it happened.
    public var time: Timestamp
    /// What it counts.
    public var weight: Double
    /// Whether it is a view.
    public var isView: Bool
  }

  /// Fastest first.
  public var scales: [Scale]
  /// The latest ones, newest first.
  public var uses: [Use]
  /// How well its latest uses fit the circumstances, `evidenceMin … evidenceMax`; nil when none
  /// were given.
  public var fit: Double?
  /// Frecency that having followed the item used just before is worth; nil when none were given.
  public var follow: Double?
}

extension Moment {
  private static let explainedUseCount = 8

  func explanation(
    of item: UInt32, _ use: UseState, _ topK: ContextualTopK?, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> UseExplanation {
    let now = rankingClock.microseconds
    let uses = try view.generation.ranking.history.latest(
      Self.explainedUseCount, of: item, asOf: view.sequence, in: txn)
    let evidence = try topK?.evidence(of: item, view, txn)
    return UseExplanation(
      scales: (0..<Frecency.scaleCount).map { scale in
        let sum = use.frecency.sum(ofScale: scale, atMicroseconds: now)
        return UseExplanation.Scale(
          halfLife: Frecency.halfLives[scale], sum: sum, amplitude: scales.amplitudes[scale],
          score: scales.amplitudes[scale] * sum)
      },
      uses: uses.reversed().map { record in
        UseExplanation.Use(
          sequence: record.sequence, time: Timestamp(microseconds: record.use.timeMicroseconds),
          weight: Double(record.use.weight), isView: record.use.isView)
      }, fit: evidence?.fit, follow: evidence?.follow)
  }
}
