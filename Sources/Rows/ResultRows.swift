package import Cairn

extension JSONLine {
  /// The fields of how often each value of an attribute occurs.
  package mutating func fields(of facet: FacetCounts) {
    field("facet", facet.key)
    field("values", objects: facet.values) { line, value in
      line.field("value", value.value)
      line.field("count", value.count)
    }
    field("other", facet.otherCount)
    field("missing", facet.missingCount)
  }

  /// The fields of a group, its rows written by `row`.
  package mutating func fields<Row, Failure: Error>(
    of group: Results<Row>.Group, row: (inout JSONLine, Row) throws(Failure) -> Void
  ) throws(Failure) {
    field("group", group.value ?? .null)
    field("count", group.count)
    try field("hits", objects: group.rows, row)
  }

  /// The hits of a query of `search --queries` or their groups, and what was counted.
  package mutating func fields(
    of results: Results<SearchHit>, names: Set<String>? = nil,
    sources: KeyOrdered<[ItemSource]> = [:]
  ) {
    func write(_ hit: SearchHit, to line: inout JSONLine) {
      line.fields(of: hit, names: names)
      if let own = sources[hit.item] { line.field("sources", own) }
    }
    if let groups = results.groups {
      field("groups", objects: groups) { line, group in
        line.fields(of: group) { write($1, to: &$0) }
      }
    } else {
      field("hits", objects: results.rows) { write($1, to: &$0) }
    }
    guard !results.facets.isEmpty else { return }
    field("facets", objects: results.facets) { $0.fields(of: $1) }
  }

  private mutating func field(_ key: StaticString, _ value: AttributeValue) {
    field(key, JSONValue(value))
  }
}
