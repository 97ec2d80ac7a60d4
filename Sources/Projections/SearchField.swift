/// Where an attribute's text counts in search.
///
/// The attributes searched by default, and the text of custom keys declared so; identifiers,
/// domains, content types and URLs are never searched.
package enum SearchField: UInt8, Sendable {
  case title = 0
  case keywords = 1
  case description = 2
  case text = 3

  /// The field of an attribute name given as UTF-8 bytes, or nil when it is not searched.
  /// - Complexity: O(1): a name is compared only with those of its own length.
  package static func of(_ bytes: [UInt8], _ range: Range<Int>) -> SearchField? {
    if let known = byLength[range.count]?.first(where: { $0.name.elementsEqual(bytes[range]) }) {
      return known.field
    }
    guard range.count > CustomName.text.count, bytes[range].starts(with: CustomName.text) else {
      return nil
    }
    return .keywords
  }

  /// Adds which attributes are searched, and as what.
  package static func addVersion(to hasher: inout RowHasher) {
    for (name, field) in names {
      hasher.add(name)
      hasher.add(UInt64(field.rawValue))
    }
  }

  private static let names: [(name: String, field: SearchField)] = [
    ("title", .title), ("displayName", .title), ("alternateNames", .title),
    ("keywords", .keywords), ("kind", .keywords), ("authorNames", .keywords),
    ("recipientNames", .keywords), ("namedLocation", .keywords), ("city", .keywords),
    ("country", .keywords), ("album", .keywords), ("artist", .keywords), ("composer", .keywords),
    ("phoneNumbers", .keywords), ("emailAddresses", .keywords), ("genre", .keywords),
    ("publishers", .keywords), ("organizations", .keywords),
    ("contentDescription", .description), ("subject", .description), ("comment", .description),
    ("textContent", .text),
  ]

  private static let byLength: [Int: [(name: [UInt8], field: SearchField)]] =
    Dictionary(grouping: names.map { (name: Array($0.name.utf8), field: $0.field) }) { entry in
      entry.name.count
    }
}

/// How the attributes of an application's own keys are named in a store.
///
/// A key holds no dot, so a name with one of these prefixes belongs to no other attribute.
package enum CustomName {
  /// Before the key, for a copy of the texts under it that search is to find.
  package static let text = Array("cairn.text.".utf8)
  /// Before the key, for dates in place of the value itself.
  package static let date = Array("cairn.date.".utf8)
  /// Before the key, for values that only their being there can be asked of, in place of the value.
  package static let opaque = Array("cairn.opaque.".utf8)
}
