/// Where an attribute's text counts in search.
///
/// The attributes searched by default, as the contract lists them; identifiers, domains, content
/// types and URLs are never searched.
package enum SearchField: UInt8, Sendable {
  case title = 0
  case keywords = 1
  case description = 2
  case text = 3

  /// The field of an attribute name given as UTF-8 bytes, or nil when it is not searched.
  ///
  /// - Complexity: O(1): a name is compared only with those of its own length.
  package static func of(_ bytes: [UInt8], _ range: Range<Int>) -> SearchField? {
    guard let candidates = byLength[range.count] else { return nil }
    return candidates.first { $0.name.elementsEqual(bytes[range]) }?.field
  }

  private static let byLength: [Int: [(name: [UInt8], field: SearchField)]] = {
    let names: [(String, SearchField)] = [
      ("title", .title), ("displayName", .title), ("alternateNames", .title),
      ("keywords", .keywords), ("kind", .keywords), ("authorNames", .keywords),
      ("recipientNames", .keywords), ("namedLocation", .keywords), ("city", .keywords),
      ("country", .keywords), ("album", .keywords), ("artist", .keywords),
      ("composer", .keywords), ("phoneNumbers", .keywords), ("emailAddresses", .keywords),
      ("contentDescription", .description), ("subject", .description),
      ("comment", .description), ("textContent", .text),
    ]
    return Dictionary(grouping: names.map { (name: Array($0.0.utf8), field: $0.1) }) { entry in
      entry.name.count
    }
  }()
}
