import LMDB
import ProjectionSupport
import Projections
import Timeline

typealias TimelineStore = ProjectionStore<Timeline>

/// What tests ask a timeline.
extension ProjectionStore<Timeline> {
  /// The records of sequences that ascend, each with its place among them.
  func records(of sequences: [UInt64]) throws -> [(place: Int, record: TimelineRecord)] {
    let projection = projection
    return try environment.read { (txn) throws(CairnError) in
      var found: [(place: Int, record: TimelineRecord)] = []
      try projection.forEach(of: sequences, in: txn) { found.append(($0, $1)) }
      return found
    }
  }

  func records(
    from first: UInt64 = 0, through last: UInt64 = .max, isReversed: Bool = false,
    atMost count: Int = .max
  ) throws -> [TimelineRecord] {
    let projection = projection
    return try environment.read { (txn) throws(CairnError) in
      var found: [TimelineRecord] = []
      func take(_ record: TimelineRecord) -> Bool {
        found.append(record)
        return found.count < count
      }
      if isReversed {
        try projection.forEachReversed(from: first, through: last, in: txn) { take($0) }
      } else {
        try projection.forEach(from: first, through: last, in: txn) { take($0) }
      }
      return found
    }
  }
}
