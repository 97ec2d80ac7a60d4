/// An order by an attribute that the schema declares sortable.
///
/// Numbers by value, times by instant, false before true, texts by their UTF-8 bytes. Of several
/// values the least counts, descending the greatest. Items without a value come last both ways;
/// ties are in byte order of identifiers.
public struct AttributeOrder: Sendable, Hashable {
  /// The attribute's name, or an older one.
  public var key: String
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// An order.
  public init(_ key: String, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

extension AttributeOrder: RawRepresentable {
  /// Reads `KEY`, `KEY:asc` or `KEY:desc`; nil for anything else.
  public init?(rawValue text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !parts[0].isEmpty else { return nil }
    switch parts.count == 2 ? parts[1] : "asc" {
    case "asc": isDescending = false
    case "desc": isDescending = true
    default: return nil
    }
    key = String(parts[0])
  }

  /// `KEY` or `KEY:desc`.
  public var rawValue: String { isDescending ? "\(key):desc" : key }
}

/// An attribute that the schema declares a facet, and how many are wanted: values of it, or hits of
/// each of its groups.
public struct AttributeLimit: Sendable, Hashable {
  /// The attribute's name, or an older one.
  public var key: String
  /// How many, from 0; nil for all.
  public var limit: Int?

  /// So many of an attribute.
  public init(_ key: String, limit: Int?) {
    self.key = key
    self.limit = limit
  }

  /// Reads `KEY` or `KEY:N`, where 0 stands for all; nil for anything else.
  /// - Parameters:
  ///   - text: What to read.
  ///   - limit: How many are meant where it does not say.
  public init?(_ text: String, otherwise limit: Int) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !parts[0].isEmpty else { return nil }
    key = String(parts[0])
    self.limit = limit
    guard parts.count == 2 else { return }
    guard let count = Int(parts[1]), parts[1].utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    self.limit = count == 0 ? nil : count
  }
}
