public import Events

/// One step of a change: how the attributes of older events become those of newer ones.
public struct UpcasterStep: Sendable, Hashable {
  /// What a step does.
  public enum Operation: Sendable, Hashable {
    /// A key gets another name.
    case rename(from: String, to: String)
    /// A text is cut into the values of several keys.
    case split(from: String, to: [String], at: String)
    /// A text is cut into an array under another key.
    case splitIntoArray(from: String, to: String, at: String)
    /// Texts of several keys become one text.
    case join(from: [String], to: String, with: String)
    /// An array of texts becomes one text.
    case joinArray(from: String, to: String, with: String)
    /// Values are looked up in a table by their JSON text; `.null` removes.
    case map(key: String, values: KeyOrdered<AttributeValue>, otherwise: AttributeValue?)
    /// Values become values of another type where they read as such.
    case convert(key: String, to: DeclaredType)
    /// An item that is indexed without the key gets it.
    case `default`(key: String, value: AttributeValue)
    /// The key goes.
    case drop(key: String)
    /// Items and events of a domain belong to another one.
    case move(to: String)
  }

  /// The domain whose subtree it is for; empty: every item.
  public var domain: String
  /// What it does.
  public var operation: Operation
  /// What somebody noted; it does nothing.
  public var note: String?

  /// A step.
  public init(domain: String, _ operation: Operation) {
    self.domain = domain
    self.operation = operation
  }

  /// Whether two steps do the same, whatever is noted.
  func doesTheSame(as other: UpcasterStep) -> Bool {
    var (one, other) = (self, other)
    (one.note, other.note) = (nil, nil)
    return one.canonical == other.canonical
  }

  /// The keys that it makes.
  var madeKeys: [String] {
    switch operation {
    case .rename(_, let to), .splitIntoArray(_, let to, _), .join(_, let to, _),
      .joinArray(_, let to, _):
      [to]
    case .split(_, let to, _): to
    case .default(let key, _): [key]
    case .map, .convert, .drop, .move: []
    }
  }

  /// The keys that are gone after it.
  var takenKeys: [String] {
    switch operation {
    case .rename(let from, _), .split(let from, _, _), .splitIntoArray(let from, _, _),
      .joinArray(let from, _, _):
      [from]
    case .join(let from, _, _): from
    case .drop(let key): [key]
    case .map, .convert, .default, .move: []
    }
  }
}
