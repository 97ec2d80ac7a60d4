import Cairn
import Rows

/// Results with their groups and counts, for programs or for people.
struct ResultsText {
  let json: Bool

  /// Writes rows or groups of rows, then what was counted.
  /// - Throws: What the writing of rows throws.
  func write<Row>(
    _ results: Results<Row>, to output: inout Output,
    fields: (inout JSONLine, Row) throws(Failure) -> Void,
    text: (Row, inout Output) throws(Failure) -> Void
  ) throws(Failure) {
    for row in results.rows {
      if json {
        try output.object { (line) throws(Failure) in try fields(&line, row) }
      } else {
        try text(row, &output)
      }
    }
    for group in results.groups ?? [] {
      if json {
        try output.object { (line) throws(Failure) in try line.fields(of: group, row: fields) }
      } else {
        let name = group.value.map(Show.text) ?? "(none)"
        try output.line(DisplayText.fit("\(name): \(Readable.number(group.count))", Terminal.width))
        for row in group.rows { try text(row, &output) }
      }
    }
    for facet in results.facets { try write(facet, to: &output) }
  }

  private func write(_ facet: FacetCounts, to output: inout Output) throws(Failure) {
    if json { return try output.object { $0.fields(of: facet) } }
    let table = Table([.right(10), .share(1)])
    try output.line(DisplayText.fit("\(facet.key):", Terminal.width))
    for value in facet.values {
      try output.line(table.row([Readable.number(value.count), Show.text(value.value)]))
    }
    for (count, name) in [(facet.otherCount, "(others)"), (facet.missingCount, "(none)")]
    where count > 0 { try output.line(table.row([Readable.number(count), name])) }
  }
}
