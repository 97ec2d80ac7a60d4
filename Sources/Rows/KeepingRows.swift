package import Cairn

extension JSONLine {
  package mutating func fields(of status: RebuildStatus) {
    field("running", status.isRunning)
    field("sequence", optional: status.sequence)
    field("head", status.head)
    field("reason", optional: status.reason?.rawValue)
    field("projections", json: Self.strings(status.projections))
    field("rate", optional: status.rate)
    field("secondsLeft", optional: status.secondsLeft)
    field("generations", objects: status.generations) { line, generation in
      line.field("number", generation.number)
      line.field("state", generation.state.rawValue)
      line.field("schema", generation.schema)
      line.field("sequence", generation.sequence)
      line.field("bytes", generation.byteCount)
    }
  }

  /// The fields of the first row in which a projection differs from a fresh fold.
  package mutating func fields(of row: RowDifference) {
    field("sequence", row.sequence)
    field("key", row.key)
    field("live", optional: row.live)
    field("fresh", optional: row.fresh)
  }

  package mutating func fields(of step: ItemStep) {
    field("sequence", step.sequence)
    field("kind", step.kind.name.description)
    field("present", step.item != nil)
    field("domain", optional: step.item?.domain)
    field("attributes", step.item?.attributes ?? [:])
    field("changed", json: Self.fields(step.changes))
    field("views", step.viewCount)
    field("score", optional: step.score)
  }
}
