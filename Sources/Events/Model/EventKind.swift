/// What an event says happened.
///
/// Raw values are part of the stored format: they never change and are never reused.
public enum EventKind: UInt8, Sendable, Hashable, CaseIterable {
  /// Insert an item or replace it whole.
  case index = 1
  /// Merge attributes into an item that is there.
  case update = 2
  /// Remove one item, a domain with everything below it, or everything.
  case delete = 3
  /// Someone looked at an item.
  case view = 4
  /// Someone chose a search result.
  case select = 5
  /// Results were shown.
  case impression = 6
  /// History was erased. Written by the engine only, refused on input.
  case purge = 7

  /// The word used in JSON.
  public var name: StaticString {
    switch self {
    case .index: "index"
    case .update: "update"
    case .delete: "delete"
    case .view: "view"
    case .select: "select"
    case .impression: "impression"
    case .purge: "purge"
    }
  }

  /// The kind a JSON word or command-line word stands for; case matters.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name.description == name }) else {
      return nil
    }
    self = kind
  }
}
