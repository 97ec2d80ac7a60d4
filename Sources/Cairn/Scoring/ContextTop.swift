import Catalog
import LMDB
import Projections
import Ranking

/// Ranks by use and by how well the circumstances fit, as a search without words does.
///
/// An item's key is `ln(1 + F + f) + X·0.5/0.8`, F its frecency, f what having followed the item
/// used just before is worth and X the evidence of the circumstances; its score is e^key − 1, which
/// is the frecency where nothing speaks for or against it. Circumstances never shut an item out.
struct ContextTop {
  private static let evidenceWeight = RankingTerms.contextWeight / RankingTerms.useWeight
  private static let naturalLogarithmOfTwo = DeterministicMath.naturalLogarithm(2)
  /// Where one use more or less is lost in rounding, and where plain values may overflow.
  private static let logarithmFrom = 60.0

  private let evidence: ContextEvidence
  private let moment: Moment

  /// Nil when no circumstances are given.
  init?(
    _ context: SearchContext?, _ moment: Moment, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    guard let evidence = try ContextEvidence(context, moment, view, txn) else { return nil }
    self.evidence = evidence
    self.moment = moment
  }

  /// Evidence for one item: X and f.
  func evidence(of item: UInt32, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(StorageError) -> (fit: Double, follow: Double)
  {
    let uses = try view.generation.ranking.history.latest(
      ContextEvidence.useCount, of: item, asOf: view.sequence, in: txn)
    return (evidence.score(uses), evidence.follow(uses))
  }

  /// The best of candidates that are in order of frecency; all of them for a limit of 0.
  ///
  /// - Complexity: O(candidates) where an item used just before is told; else some hundred looks.
  func best(
    of candidates: [TopCandidate], _ subtree: Set<UInt32>?, limit: Int,
    _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> [TopCandidate] {
    var greatest = GreatestKeys(count: limit)
    var best: [TopCandidate] = []
    for var candidate in candidates {
      let most = key(candidate.use, evidence.followMax, ContextEvidence.scoreMax)
      if limit > 0, most + 1e-9 < greatest.needed { break }
      guard
        let version = try view.generation.catalog.state(
          of: candidate.item, asOf: moment.sequence, in: txn), moment.isPresent(version.state),
        subtree?.contains(version.state.domain) ?? true
      else { continue }
      let (fit, follow) = try evidence(of: candidate.item, view, txn)
      candidate.sortKey = key(candidate.use, follow, fit)
      candidate.score = DeterministicMath.power(candidate.sortKey / Self.naturalLogarithmOfTwo) - 1
      guard limit == 0 || candidate.sortKey >= greatest.needed else { continue }
      greatest.insert(candidate.sortKey)
      best.append(candidate)
    }
    return best
  }

  private func key(_ use: UseState, _ follow: Double, _ fit: Double) -> Double {
    let now = moment.rankingClock.microseconds
    let amplitudes = moment.scales.amplitudes
    var key: Double
    if use.frecency.referenceMicroseconds > now,
      use.frecency.logarithm(atMicroseconds: now, amplitudes: amplitudes) > Self.logarithmFrom
    {
      key =
        use.frecency.logarithm(atMicroseconds: now, amplitudes: amplitudes)
        * Self.naturalLogarithmOfTwo
    } else {
      let frecency = use.frecency.score(atMicroseconds: now, amplitudes: amplitudes)
      key = DeterministicMath.naturalLogarithm(1 + frecency + follow)
    }
    key += Self.evidenceWeight * fit
    return key
  }
}
