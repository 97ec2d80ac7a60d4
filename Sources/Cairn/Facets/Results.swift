/// How often each value of an attribute occurs in all that was found.
public struct FacetCounts: Sendable, Hashable {
  /// One value.
  public struct Value: Sendable, Hashable {
    /// The value; times in UTC.
    public var value: AttributeValue
    /// Items that have it.
    public var count: Int
  }

  /// The attribute as it was asked for.
  public var key: String
  /// The values that most items have, most first; ties in the attribute's order.
  public var values: [Value]
  /// The sum of the counts of values that are not listed.
  public var otherCount: Int
  /// Items without a value.
  public var missingCount: Int
}

/// What was found, in rows or in groups of rows, and what was counted over all of it.
public struct Results<Row: Sendable & Hashable>: Sendable, Hashable {
  /// The rows of one value.
  public struct Group: Sendable, Hashable {
    /// The value, times in UTC; nil for rows without one.
    public var value: AttributeValue?
    /// Rows in it, shown or not.
    public var count: Int
    /// The best of them.
    public var rows: [Row]
  }

  /// The rows asked for; empty where groups were asked for.
  public var rows: [Row] = []
  /// The groups in the order of their best rows; nil where none were asked for.
  public var groups: [Group]?
  /// Counts over all that was found, whatever the limit, in the order asked for.
  public var facets: [FacetCounts] = []

  package var isEmpty: Bool { rows.isEmpty && groups?.isEmpty ?? true }
}

/// Which items are listed, and how.
public struct ItemRequest: Sendable, Hashable {
  /// Only items in this domain or below it.
  public var domain: String?
  /// Only items that pass this expression of the query language.
  public var filter: String?
  /// Their order; nil for byte order of identifiers.
  public var order: AttributeOrder?
  /// What is counted over all of them.
  public var facets: [AttributeLimit] = []
  /// What they are grouped by, and how many of each group are shown.
  public var groupBy: AttributeLimit?
  /// How many items or groups; nil for all.
  public var limit: Int?
  /// Items or groups to leave out at the beginning.
  public var offset = 0

  /// Every item.
  public init() {}

  /// Whether items can be given one by one as they are read.
  package var isPlain: Bool { order == nil && facets.isEmpty && groupBy == nil }
}
