import Catalog
import LMDB
import Ranking

/// Ranks by use and by how well the circumstances fit, as a search without words does.
///
/// Items stand in the order of ``ContextScore``. Circumstances never shut an item out.
struct ContextualTopK {
  private let evidence: ContextEvidence
  private let moment: Moment

  /// Nil when no circumstances are given.
  init?(
    _ context: SearchContext?, _ moment: Moment, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard let evidence = try ContextEvidence(context, moment, view, txn) else { return nil }
    self.evidence = evidence
    self.moment = moment
  }

  /// Evidence for one item: X and f.
  func evidence(of item: UInt32, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> (fit: Double, follow: Double)
  {
    let uses = try view.generation.ranking.history.latest(
      ScoreConstants.current.evidenceUseCount, of: item, asOf: view.sequence, in: txn)
    return (evidence.score(uses), evidence.follow(uses))
  }

  /// The best of candidates that are in order of frecency; all of them without a limit.
  /// - Complexity: O(candidates) where an item used just before is told; else some hundred looks.
  func best(
    of candidates: [TopCandidate], _ subtree: Set<UInt32>?, limit: Int?,
    _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TopCandidate] {
    var greatest = TopKThreshold(count: limit ?? 0)
    var best: [TopCandidate] = []
    for var candidate in candidates {
      let most = key(candidate.use, evidence.followMax, ScoreConstants.current.evidenceMax)
      if limit != nil, most + 1e-9 < greatest.needed { break }
      guard let whole = try moment.presentWhole(candidate.item, view, txn),
        subtree?.contains(whole.state.domain) ?? true
      else { continue }
      let (fit, follow) = try evidence(of: candidate.item, view, txn)
      candidate.sortKey = key(candidate.use, follow, fit)
      candidate.score = ContextScore.score(key: candidate.sortKey)
      guard limit == nil || candidate.sortKey >= greatest.needed else { continue }
      greatest.insert(candidate.sortKey)
      best.append(candidate)
    }
    return best
  }

  private func key(_ use: UseState, _ follow: Double, _ fit: Double) -> Double {
    ContextScore.key(
      use.frecency, atMicroseconds: moment.rankingClock.microseconds,
      amplitudes: moment.scales.amplitudes, follow: follow, fit: fit)
  }
}
