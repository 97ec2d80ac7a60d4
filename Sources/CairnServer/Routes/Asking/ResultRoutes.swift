import Cairn
import Rows

extension Parameters {
  /// Rows or groups to leave out at the beginning.
  func offset() throws(Refusal) -> Int { try count("offset", max: Parameter.offsetMax) ?? 0 }

  /// What is counted over all that is found.
  func facets() throws(Refusal) -> [AttributeLimit] {
    try texts("facet").map { (text) throws(Refusal) in try Self.attribute(text, 10, "facet") }
  }

  func groupBy() throws(Refusal) -> AttributeLimit? {
    try text("groupBy").map { (text) throws(Refusal) in try Self.attribute(text, 1, "groupBy") }
  }

  func order(_ name: String) throws(Refusal) -> AttributeOrder? {
    guard let text = text(name) else { return nil }
    guard let order = AttributeOrder(rawValue: text) else {
      throw .parameter(name, "takes KEY, KEY:asc or KEY:desc")
    }
    return order
  }

  private static func attribute(_ text: String, _ limit: Int, _ name: String) throws(Refusal)
    -> AttributeLimit
  {
    guard let attribute = AttributeLimit(text, otherwise: limit) else {
      throw .parameter(name, "takes KEY or KEY:N")
    }
    return attribute
  }
}

extension Call {
  /// The query of the page that begins with a row of what is ranked; nil where none goes so far.
  func next(offset: Int, of moment: Moment) -> String? {
    guard offset <= Parameter.offsetMax else { return nil }
    var pin = moment.pin + [("offset", String(offset))]
    if moment.rankingClock != moment.clock { pin.append(("now", moment.rankingClock.rfc3339)) }
    return next(pin)
  }

  /// Answers with rows or groups of rows, and what was counted over all of them.
  /// - Parameters:
  ///   - results: What was found.
  ///   - limit: How many rows or groups were asked for; nil for all.
  ///   - offset: How many were left out.
  ///   - moment: What was asked.
  ///   - fields: Writes the fields of a row.
  ///   - more: Writes what a page holds beside its rows, which follows from them or may differ from
  ///     one answer to the same question to the next.
  /// - Returns: A page; nil where lines were sent.
  /// - Throws: `gone` when the client went away.
  func answer<Row>(
    _ results: Results<Row>, _ limit: Int?, _ offset: Int, of moment: Moment,
    _ fields: (inout JSONLine, Row) -> Void, more: (inout JSONLine) -> Void = { _ in }
  ) throws(Refusal) -> Answer? {
    if wantsLines {
      return try list(at: moment.sequence, limit: nil) { sink in
        for row in results.rows { guard sink.add({ fields(&$0, row) }) else { return } }
        for group in results.groups ?? [] {
          guard sink.add({ $0.fields(of: group, row: fields) }) else { return }
        }
        for facet in results.facets { guard sink.add({ $0.fields(of: facet) }) else { return } }
      }
    }
    let count = results.groups?.count ?? results.rows.count
    // A page that is full may have a next one.
    let next = count == limit ? self.next(offset: offset + count, of: moment) : nil
    return .page(at: moment.sequence, next: next, more: more) { line in
      if let groups = results.groups {
        line.field("rows", objects: groups) { $0.fields(of: $1, row: fields) }
      } else {
        line.field("rows", objects: results.rows, fields)
      }
      if !results.facets.isEmpty {
        line.field("facets", objects: results.facets) { $0.fields(of: $1) }
      }
    }
  }
}
