/// One comparison made ready: names as bytes, text folded, times resolved.
struct AttributeTest: Sendable {
  enum Condition: Sendable {
    case presence
    case pattern(CompiledPattern)
    case scalar(ScalarCondition)
  }

  /// A text pattern that no field can match.
  static let never = AttributeTest(fields: [], condition: .presence)

  let fields: [SearchedField]
  let condition: Condition
}

/// An attribute that a test looks at.
struct SearchedField: Sendable {
  private var name: [UInt8] = []
  /// Words are matched anywhere inside, as with `w`.
  private(set) var isBodyText = false
  /// Texts are RFC 3339 dates and numbers count seconds since 2001.
  private(set) var isDate = false

  init() {}

  init(_ name: String, in context: EvaluationContext) {
    self.name = Array(name.utf8)
    isBodyText = name == AttributeCatalogue.bodyText
    isDate =
      AttributeCatalogue.attribute(named: name)?.type.isDate ?? context.dateKeys.contains(name)
  }

  func hasName(_ other: Span<UInt8>) -> Bool {
    guard name.count == other.count else { return false }
    for index in other.indices where name[index] != other[index] { return false }
    return true
  }

  /// Every spelling under which a record may hold what `field` names.
  static func fields(of field: Field, in context: EvaluationContext) -> [SearchedField] {
    switch field {
    case .attribute(let name):
      (AttributeCatalogue.attribute(named: name)?.spellings ?? [name])
        .map { SearchedField($0, in: context) }
    case .metadata:
      (AttributeCatalogue.searchedByDefault + context.searchedKeys)
        .map { SearchedField($0, in: context) }
    case .metadataAndText:
      fields(of: .metadata, in: context) + [
        SearchedField(AttributeCatalogue.bodyText, in: context)
      ]
    }
  }
}
