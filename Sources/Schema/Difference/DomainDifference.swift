import Events
import Query

struct DomainDifference {
  private let old: DomainDeclaration
  private let new: DomainDeclaration
  private let before: EffectiveSchema
  private let after: EffectiveSchema

  init(_ name: String, _ one: SchemaDefinition, _ other: SchemaDefinition) {
    old = one.domains[name] ?? DomainDeclaration()
    new = other.domains[name] ?? DomainDeclaration()
    before = one.effective(name)
    after = other.effective(name)
  }

  func rows(at place: JSONPlace) -> [SchemaDifference] {
    var rows: [SchemaDifference] = []
    let keys = SchemaDifference.union(old.attributes.map(\.key), new.attributes.map(\.key))
    for key in keys { rows += attribute(key, at: place / "attributes" / key) }
    if old.invalid != new.invalid {
      rows.append(
        SchemaDifference(
          place / "invalid", from: old.invalid.map { .string($0.rawValue) },
          to: new.invalid.map { .string($0.rawValue) },
          isBreaking: after.invalid == .refuse && before.invalid != .refuse, effect: .validation))
    }
    if old.note != new.note {
      rows.append(
        SchemaDifference(
          place / "note", from: old.note.map { .string($0) }, to: new.note.map { .string($0) },
          isBreaking: false, effect: .none))
    }
    if old.unknown != new.unknown {
      let ignores = (before.unknown == .ignore) != (after.unknown == .ignore)
      rows.append(
        SchemaDifference(
          place / "unknown", from: old.unknown.map { .string($0.rawValue) },
          to: new.unknown.map { .string($0.rawValue) },
          isBreaking: ignores || after.unknown == .refuse && before.unknown != .refuse,
          effect: ignores ? .rebuild : .validation))
    }
    return rows
  }

  private func attribute(_ key: String, at place: JSONPlace) -> [SchemaDifference] {
    guard let from = old.attributes[key] else {
      guard let to = new.attributes[key] else { return [] }
      return [
        SchemaDifference(
          place, from: nil, to: to.json, isBreaking: to.isRequired && to.defaultValue == nil,
          effect: .rebuild)
      ]
    }
    guard let to = new.attributes[key] else {
      return [SchemaDifference(place, from: from.json, to: nil, isBreaking: true, effect: .rebuild)]
    }
    // Notes that are equal as texts may differ in bytes.
    guard from != to || from.note != nil else { return [] }
    var rows: [SchemaDifference] = []
    for (one, other) in zip(from.options, to.options) where one.value != other.value {
      rows.append(
        SchemaDifference(
          place / one.key, from: one.value, to: other.value,
          isBreaking: Self.isBreaking(one.key, from, to, key), effect: Self.effect(one.key)))
    }
    return rows
  }

  private static func effect(_ option: String) -> SchemaDifference.Effect {
    switch option {
    case "required", "maxLength": .validation
    case "note": .none
    default: .rebuild
    }
  }

  private static func isBreaking(
    _ option: String, _ from: AttributeDeclaration, _ to: AttributeDeclaration, _ key: String
  ) -> Bool {
    switch option {
    case "type": !(from.type == .integer && to.type == .decimal)
    case "multi": from.isMulti
    case "required": to.isRequired && to.defaultValue == nil
    case "maxLength": to.maxLength.map { $0 < from.maxLength ?? .max } ?? false
    case "aliases":
      !from.aliases.allSatisfy { alias in to.aliases.contains { $0.hasBytes(of: alias) } }
    case "sortable": from.isSortable
    case "facet": from.isFacet
    case "searchable": from.isSearched(as: key) && !to.isSearched(as: key)
    case "default": from.defaultValue != nil
    default: false
    }
  }
}

extension AttributeDeclaration {
  /// Whether search finds its words, what is built in included.
  public func isSearched(as key: String) -> Bool {
    searchable
      ?? (AttributeCatalogue.searchedByDefault.contains(key) || key == AttributeCatalogue.bodyText)
  }
}
