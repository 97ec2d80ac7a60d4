/// What the values of a declared attribute are.
public enum DeclaredType: String, Sendable, Hashable, CaseIterable {
  /// Words, to be searched.
  case text
  /// Whole values, to be compared and counted.
  case keyword
  /// Whole numbers from −2⁶³ to 2⁶³ − 1.
  case integer
  /// Finite numbers.
  case decimal
  /// Moments, as RFC 3339 writes them.
  case time
  /// True or false.
  case boolean
  /// `LAT,LON` in degrees.
  case place

  /// Whether the values are texts that search can find.
  public var isSearchable: Bool { self == .text || self == .keyword }
  /// Whether items can be put in order by the values.
  public var isSortable: Bool { self != .place }
  /// Whether items can be counted by the values.
  public var isFacetable: Bool { self != .place && self != .text }
}

/// By which language's endings the words of an attribute are found.
public enum DeclaredLanguage: Sendable, Hashable {
  /// None: words as they are written.
  case off
  /// That of the query's own words.
  case auto
  /// One language, by the code that `search --stem` takes.
  case code(String)

  /// The word in a schema file.
  public var word: String {
    switch self {
    case .off: "off"
    case .auto: "auto"
    case .code(let code): code
    }
  }
}

/// What becomes of an attribute that nothing declares.
public enum UnknownAttributes: String, Sendable, Hashable, CaseIterable {
  /// It is kept and shown.
  case keep
  /// The event is refused at append.
  case refuse
  /// It stays in the log and is not shown.
  case ignore
}

/// What becomes of an event that breaks a rule.
public enum InvalidEvents: String, Sendable, Hashable, CaseIterable {
  /// It is refused at append.
  case refuse
  /// It is recorded, and `schema check` lists what it made.
  case keep
}
