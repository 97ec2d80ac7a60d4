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
    var request = request
    let head = try at(request.point).sequence
    if request.kinds.isEmpty {
      request.kinds =
        try has([.view, .select], through: head) ? [.view, .select] : [.index, .update]
    }
    var query = EventQuery()
    query.through = head
    var counting = EvaluationReplay(request, stride: nil)
    try forEachStored(query) { (stored) throws(CairnError) in
      try counting.take(stored)
      return true
    }
    counting.finish()
    let count = counting.occasionCount
    let stride = request.sampleCount.map { max(1, count / max(1, $0)) } ?? 1
    var replay = EvaluationReplay(request, stride: stride)
    try forEachStored(query) { (stored) throws(CairnError) in
      try replay.take(stored)
      return progress(stored.sequence)
    }
    replay.finish()
    return replay.evaluation
  }

  func has(_ kinds: Set<EventKind>, through sequence: UInt64) throws(CairnError) -> Bool {
    guard sequence > 0 else { return false }
    for kind in kinds {
      var query = EventQuery()
      query.through = sequence
      query.kind = kind
      query.limit = 1
      var isFound = false
      try forEachStored(query) { _ in
        isFound = true
        return false
      }
      if isFound { return true }
    }
    return false
  }
}
