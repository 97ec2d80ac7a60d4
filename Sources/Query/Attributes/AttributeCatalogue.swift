package struct Attribute: Hashable, Sendable {
  package enum ValueType: Hashable, Sendable {
    case string, strings
    case number
    /// A number that is 0 or 1.
    case flag
    case date, dates
    case url
    case data
    /// Persons with a name and handles.
    case persons
    /// Mail headers: a list of values for each name.
    case headers
    /// A uniform type.
    case contentType

    package var isDate: Bool { self == .date || self == .dates }

    package var isList: Bool {
      switch self {
      case .strings, .dates, .persons: true
      default: false
      }
    }
  }

  /// The Objective-C property, which is also the name in queries.
  package let name: String
  package let type: ValueType
  /// The Swift property where it is spelled otherwise (`url` for `URL`, `isLocal` for `local`).
  package let swiftName: String?

  init(_ name: String, _ type: ValueType, swiftName: String? = nil) {
    self.name = name
    self.type = type
    self.swiftName = swiftName
  }

  /// Every name under which a record may hold it.
  package var spellings: [String] { [name] + (swiftName.map { [$0] } ?? []) }
}

/// The attributes Core Spotlight knows by name.
package enum AttributeCatalogue {
  /// The text of the item itself, which `**` searches and `*` does not.
  package static let bodyText = "textContent"

  /// What `*` searches, besides custom keys declared so.
  ///
  /// Never ids, domains, content types or URLs.
  package static let searchedByDefault = [
    "title", "displayName", "alternateNames", "keywords", "contentDescription", "subject",
    "authorNames", "recipientNames", "comment", "namedLocation", "city", "country", "album",
    "artist", "composer", "phoneNumbers", "emailAddresses", "kind",
  ]

  /// The attribute with this name; nil for custom keys.
  ///
  /// Reads the Objective-C spelling, the Swift spelling and the `kMDItem…` key of the metadata
  /// server, which differs from the former by its prefix except for the few in `metadataKeys`.
  /// - Complexity: O(1).
  package static func attribute(named name: String) -> Attribute? {
    if let attribute = index[name] { return attribute }
    guard name.hasPrefix("kMDItem") else { return nil }
    let key = name.dropFirst("kMDItem".count)
    return index[metadataKeys[String(key)] ?? String(key)]
      ?? index[key.prefix(1).lowercased() + key.dropFirst()]
  }

  private static let index: [String: Attribute] = {
    var index: [String: Attribute] = [:]
    for attribute in all { for spelling in attribute.spellings { index[spelling] = attribute } }
    return index
  }()

  private static let metadataKeys = [
    "Authors": "authorNames", "Recipients": "recipientNames", "Description": "contentDescription",
    "DurationSeconds": "duration", "WhereFroms": "contentSources", "StarRating": "rating",
  ]
}
