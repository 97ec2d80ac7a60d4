public import Events

/// One difference between two definitions.
public struct SchemaDifference: Sendable, Hashable {
  /// What became of it.
  public enum Change: String, Sendable, Hashable {
    case added, removed, changed
  }

  /// What a difference does to a store.
  public enum Effect: String, Sendable, Hashable, Comparable {
    /// Nothing.
    case none
    /// Other events are refused from then on.
    case validation
    /// Projections are made anew.
    case rebuild

    private var rank: Int {
      switch self {
      case .none: 0
      case .validation: 1
      case .rebuild: 2
      }
    }

    /// By how much it does.
    public static func < (one: Effect, other: Effect) -> Bool { one.rank < other.rank }
  }

  /// The JSON Pointer of the attribute, the option or the step.
  public let path: String
  /// What became of it.
  public let change: Change
  /// As it was; nil where it was not there.
  public let from: JSONValue?
  /// As it is; nil where it is not there.
  public let to: JSONValue?
  /// Whether it may refuse, or answer otherwise, what went before.
  public let isBreaking: Bool
  /// What it does to a store.
  public let effect: Effect

  init(_ place: JSONPlace, from: JSONValue?, to: JSONValue?, isBreaking: Bool, effect: Effect) {
    path = place.pointer
    change = from == nil ? .added : to == nil ? .removed : .changed
    self.from = from
    self.to = to
    self.isBreaking = isBreaking
    self.effect = effect
  }
}

extension SchemaDifference {
  /// The differences between two definitions, in byte order of paths, steps in their own order.
  /// - Complexity: O(declarations · domains above them).
  public static func between(_ one: SchemaDefinition, _ other: SchemaDefinition)
    -> [SchemaDifference]
  {
    let names = union(one.domains.map(\.key), other.domains.map(\.key))
    var rows: [SchemaDifference] = []
    for name in names {
      let place = JSONPlace.root / "domains" / name
      rows += DomainDifference(name, one, other).rows(at: place)
    }
    return rows.sorted { DomainPath.precedes($0.path, $1.path) }
      + steps(one.upcasters, other.upcasters)
  }

  private static func steps(_ one: [UpcasterStep], _ other: [UpcasterStep]) -> [SchemaDifference] {
    let place = JSONPlace.root / "upcasters"
    var rows: [SchemaDifference] = []
    for index in 0..<max(one.count, other.count) {
      let from = index < one.count ? one[index] : nil
      let to = index < other.count ? other[index] : nil
      if let from, let to, from.doesTheSame(as: to) {
        guard from.note != to.note else { continue }
        rows.append(
          SchemaDifference(
            place / index / "note", from: from.note.map { .string($0) },
            to: to.note.map { .string($0) }, isBreaking: false, effect: .none))
        continue
      }
      rows.append(
        SchemaDifference(
          place / index, from: from?.json, to: to?.json, isBreaking: true, effect: .rebuild))
    }
    return rows
  }

  /// The names of both, each once, in byte order.
  static func union(_ one: [String], _ other: [String]) -> [String] {
    var names = (one + other).sorted(by: DomainPath.precedes)
    var last: String?
    names.removeAll { name in
      defer { last = name }
      return last?.hasBytes(of: name) == true
    }
    return names
  }
}

extension [SchemaDifference] {
  /// The most that any of them does.
  public var effect: SchemaDifference.Effect { map(\.effect).max() ?? .none }
}
