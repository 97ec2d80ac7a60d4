package import Cairn
import EventLog

extension Store {
  /// Replays the store's own history and ranks before each use with ours and the peers' formulas.
  ///
  /// An occasion is one event, or, of edits, all that were made together (one time, one actor):
  /// a commit. Before each but the first thirty and those of more than twenty items, every item
  /// present is ranked by what came before; what was then used is looked up in every ranking.
  /// - Complexity: O(events + occasions looked at · items · formulas), some 50 ns each.
  /// - Throws: `corrupt` for an event that cannot be read.
  package func evaluate(
    _ request: EvaluationRequest = EvaluationRequest(), progress: (UInt64) -> Bool = { _ in true }
  ) throws(CairnError) -> Evaluation {
    let head = try at(request.point).sequence
    let count = try replayed(request, through: head).occasionCount
    let stride = request.sampleCount.map { max(1, count / max(1, $0)) } ?? 1
    return try replayed(request, through: head, stride: stride, progress).evaluation
  }

  /// The history up to a sequence on its way through the formulas, every so many occasions
  /// predicted or none.
  func replayed(
    _ request: EvaluationRequest, through last: UInt64, stride: Int? = nil,
    _ progress: (UInt64) -> Bool = { _ in true }
  ) throws(CairnError) -> EvaluationReplay {
    var request = request
    if request.kinds.isEmpty {
      request.kinds =
        try has([.view, .select], through: last) ? [.view, .select] : [.index, .update]
    }
    var replay = EvaluationReplay(request, stride: stride)
    var query = EventQuery()
    query.through = last
    try forEachStored(query) { (stored) throws(CairnError) in
      try replay.take(stored)
      return progress(stored.sequence)
    }
    replay.finish()
    return replay
  }

  private func has(_ kinds: Set<EventKind>, through sequence: UInt64) throws(CairnError) -> Bool {
    guard sequence > 0 else { return false }
    for kind in kinds {
      var query = EventQuery()
      query.through = sequence
      query.kind = kind
      query.limit = 1
      if try !events(query).isEmpty { return true }
    }
    return false
  }
}
