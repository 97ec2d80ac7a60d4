import Cairn
import Rows

/// What `replay` tells of one item, of another log, and of projections that differ.
struct ReplayDebugging {
  let store: Store
  let json: Bool

  /// Writes what each event made of an item.
  func trace(_ item: String, through last: UInt64?) throws(Failure) {
    let steps = try answering(store.trace(item, through: last))
    guard let steps else {
      throw Failure(.no, "no event names this item up to there; see: cairn log")
    }
    var output = Output()
    for step in steps {
      if json {
        try output.object { $0.fields(of: step) }
        continue
      }
      let state = step.item == nil ? "absent" : "present"
      let score = step.score.map { ", score \(Readable.decimal($0, 4))" } ?? ""
      try output.line(
        "\(step.sequence) \(step.kind.name.description): \(state), "
          + "\(Readable.count(step.viewCount, "view"))\(score)")
      for change in step.changes { try output.line(Show.line(of: change)) }
    }
    try output.flush()
  }

  /// Writes where the log of another store parts from this one's.
  func compare(with directory: String) throws(Failure) {
    let difference = try answering { () throws(CairnError) in
      let other = try Store.open(at: directory, access: .readOnly)
      defer { other.close() }
      return try store.firstDifference(from: other)
    }
    let ours = try Self.line(difference.ours)
    let theirs = try Self.line(difference.theirs)
    var output = Output()
    if json {
      try output.object { line in
        line.field("equal", difference.isEqual)
        line.field("sequence", difference.sequence)
        guard !difference.isEqual else { return }
        line.field("ours", json: ours)
        line.field("theirs", json: theirs)
      }
    } else if difference.isEqual {
      try output.line("equal up to event \(difference.sequence), the last of both")
    } else {
      try output.line("differ at event \(difference.sequence)")
      try output.line("ours    \(String(decoding: ours, as: UTF8.self))")
      try output.line("theirs  \(String(decoding: theirs, as: UTF8.self))")
    }
    try output.flush()
    if !difference.isEqual { throw Failure(.no, nil) }
  }

  private static func line(_ event: RecordedEvent?) throws(Failure) -> [UInt8] {
    guard let event else { return Array("null".utf8) }
    var bytes: [UInt8] = []
    do throws(CairnError) { try event.appendJSON(to: &bytes) } catch {
      throw Failure(.disk, "\(error.message); see: cairn verify", place: "event \(event.sequence)")
    }
    return bytes
  }

  /// Writes what a fresh fold gave, with the first row that differs where one does.
  func write(_ comparisons: [ReplayComparison]) throws(Failure) {
    guard json else {
      try Rebuild.write(comparisons.map(\.result), json: false)
      var output = Output()
      for comparison in comparisons {
        guard let first = comparison.first else { continue }
        try output.line("\(comparison.result.projection): first after event \(first.sequence)")
        try output.line(DisplayText.harmless("  live   \(first.live ?? "(no row)")"))
        try output.line(DisplayText.harmless("  fresh  \(first.fresh ?? "(no row)")"))
      }
      return try output.flush()
    }
    var output = Output()
    for comparison in comparisons {
      try output.object { line in
        line.fields(of: comparison.result)
        if let first = comparison.first { line.object("first") { $0.fields(of: first) } }
      }
    }
    try output.flush()
  }
}
