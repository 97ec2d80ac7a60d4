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
    field("kinds", json: Self.counts(statistics.kinds))
    field("domains", json: Self.counts(statistics.domains))
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
  package static func counts(_ counts: [String: Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.appendObject(inByteOrder(counts).lazy.map { ($0, counts[$0] ?? 0) }, to: &bytes) {
      JSONText.append($0, to: &$1)
    }
    return bytes
  }

  /// Names in the order in which they are listed.
  package static func inByteOrder(_ counts: [String: Int]) -> [String] {
    counts.keys.map { Array($0.utf8) }.sorted { $0.rawSpan.lexicographicallyPrecedes($1.rawSpan) }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
