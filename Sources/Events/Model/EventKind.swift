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
  /// An earlier view lasted longer: `of` names its sequence, `dwell` the whole length. No use.
  /// Lines name it by `ofId`, too, by which another log that they are appended to finds it.
  case extend = 8
  /// An application's schema changed.
  case schema = 9

  /// Whether no purge ever takes such an event: it is about the history, not part of it.
  public var isPermanent: Bool { self == .purge || self == .schema }

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
    case .extend: "extend"
    case .schema: "schema"
    }
  }

  /// The words of all kinds, in the order of their numbers.
  package static let names = allCases.map(\.name.description)

  /// The kind the bytes of a JSON word stand for.
  init?(named word: Span<UInt8>) {
    for kind in Self.allCases where kind.name.matches(word, word.indices) {
      self = kind
      return
    }
    return nil
  }

  /// The kind a JSON word or command-line word stands for; case matters.
  public init?(name: String) {
    let bytes = Array(name.utf8)
    self.init(named: bytes.span)
  }
}
