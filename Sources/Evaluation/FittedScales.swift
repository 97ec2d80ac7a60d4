package import Cairn

extension Moment {
  /// The weights of the time scales that the store's own history until this moment fits best.
  ///
  /// They follow from the events before, each moving them a little by what it was; so the order of
  /// arrival counts for them, other than for frecencies. Nothing is stored.
  /// - Complexity: O(events), some six microseconds each use. Blocks the calling thread.
  /// - Throws: `corrupt` for an event that cannot be read.
  package func fittedScales() throws(CairnError) -> RankingScales {
    guard sequence > 0 else { return RankingScales() }
    return try store.replayed(EvaluationRequest(), through: sequence).fittedScales
  }
}
