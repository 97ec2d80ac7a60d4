/// What the columns of somebody else's table mean, and what its rows have in common.
package struct TableNaming: Sendable {
  /// Keys of events or names of attributes, with the names of their columns; one may be several.
  package var keys: [(key: String, column: String)] = []
  /// What a row says where no column of it does, by key.
  package var values: [(key: String, text: String)] = []

  /// Every column means what it is called.
  package init() {}

  /// What the columns of a header mean, each with its place.
  func meanings(of header: [String]) -> [(place: Int, meaning: String)] {
    header.enumerated().flatMap { place, name in
      let named = keys.filter { $0.column.lowercased() == name.lowercased() }.map(\.key)
      return (named.isEmpty ? [name] : named).map { (place, CSV.meaning(of: $0)) }
    }
  }

  package func isOfEvents(_ header: [String]) -> Bool {
    CSV.isHeader(
      Set(meanings(of: header).map(\.meaning) + values.map { CSV.meaning(of: $0.key) }))
  }
}
