package import Cairn

extension JSONLine {
  /// The fields of what a store holds; with `tables` also what each of them takes, with `horizon`
  /// what that would let go.
  package mutating func fields(
    of statistics: Statistics, tables: [StoredTable]? = nil, horizon: HorizonPlan? = nil
  ) {
    field("head", statistics.head)
    field("recorded", optional: statistics.recorded)
    field("items", statistics.itemCount)
    field("events", statistics.eventCount)
    field("kinds", json: Self.counts(statistics.kinds.map { ($0, $1) }))
    field("domains", json: Self.counts(statistics.domains.map { ($0.key, $0.value) }))
    field("bytes", statistics.byteCount)
    if let schema = statistics.schema {
      object("schema") { line in
        line.field("version", schema.version)
        line.field("sequence", schema.sequence)
      }
    } else {
      field("schema", json: "null".utf8)
    }
    field("projections", objects: statistics.projections) { line, projection in
      line.field("name", projection.name)
      line.field("sequence", projection.sequence)
      line.field("lag", projection.lag)
      line.field("digest", optional: projection.digest)
    }
    if let horizon { object("horizon") { $0.fields(of: horizon) } }
    guard let tables else { return }
    field("tables", objects: tables) { line, table in
      line.field("file", table.file)
      line.field("table", optional: table.table)
      line.field("rows", table.rowCount)
      line.field("bytes", table.byteCount)
    }
  }

  /// An object of counts, names in byte order.
  package static func counts(_ counts: [(name: String, count: Int)]) -> [UInt8] {
    var bytes: [UInt8] = []
    let listed = counts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    JSONText.appendObject(listed.lazy.map { ($0.name, $0.count) }, to: &bytes) {
      JSONText.append($0, to: &$1)
    }
    return bytes
  }
}
