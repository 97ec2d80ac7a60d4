/// Recall and precision, each the mean over the queries.
package struct RecallAndPrecision: CustomStringConvertible {
  private var recalls = 0.0
  private var precisions = 0.0
  package private(set) var count = 0
  package private(set) var misses: [String] = []

  package init() {}

  package mutating func add(
    _ query: String, found: some Sequence<String>, wanted: some Sequence<String>
  ) {
    let found = Set(found)
    let wanted = Set(wanted)
    let both = Double(found.intersection(wanted).count)
    recalls += wanted.isEmpty ? 1 : both / Double(wanted.count)
    precisions += found.isEmpty ? 1 : both / Double(found.count)
    count += 1
    if found != wanted { misses.append(query) }
  }

  package var recall: Double { recalls / Double(count) }
  package var precision: Double { precisions / Double(count) }
  package var description: String {
    "recall \(recall), precision \(precision), \(count) queries; not equal: \(misses.prefix(9))"
  }
}
