/// What the columns of somebody else's table mean, and what its rows have in common.
package struct TableNaming: Sendable {
  /// Keys of events or names of attributes, by the names of their columns in lower case.
  package var keys: [String: String] = [:]
  /// What a row says where no column of it does, by key.
  package var values: [(key: String, text: String)] = []

  /// Every column means what it is called.
  package init() {}

  /// What the columns of a header mean.
  func meanings(of header: [String]) -> [String] {
    header.map { CSV.meaning(of: keys[$0.lowercased()] ?? $0) }
  }

  package func isOfEvents(_ header: [String]) -> Bool {
    CSV.isHeader(Set(meanings(of: header) + values.map { CSV.meaning(of: $0.key) }))
  }
}
