/// What one domain says of the values of an attribute.
struct ColumnRule: Sendable {
  let declaration: AttributeDeclaration
  /// What its default comes to.
  let fallback: [ColumnValue]

  /// Nil where the domain does not show the attribute.
  ///
  /// A domain without a declaration shows it, of the type that it has elsewhere, unless it ignores
  /// what is unknown.
  ///
  /// Columns hold values whatever their length: another greatest length makes no rows anew.
  init?(
    _ key: String, _ type: DeclaredType, isMulti: Bool, _ effective: EffectiveSchema,
    holdsLength: Bool = true
  ) {
    if var declared = effective.attributes[key] {
      if !holdsLength { declared.maxLength = nil }
      declaration = declared
      fallback = declared.defaultValue.flatMap { Self.values($0, declared) } ?? []
      return
    }
    if effective.unknown == .ignore, !effective.isKnown(key) { return nil }
    var bare = AttributeDeclaration(type: type)
    bare.isMulti = isMulti
    declaration = bare
    fallback = []
  }

  /// The values, each once, ascending; nil where they break the declaration.
  func values(_ value: AttributeValue) -> [ColumnValue]? { Self.values(value, declaration) }

  private static func values(_ value: AttributeValue, _ declaration: AttributeDeclaration)
    -> [ColumnValue]?
  {
    guard declaration.fault(of: value) == nil else { return nil }
    guard case .array(let elements) = value else {
      return ColumnValue(value, declaration.type).map { [$0] }
    }
    return Set(elements.compactMap { ColumnValue($0, declaration.type) }).sorted()
  }
}
