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
  /// What the values of an attribute are, whatever they look like.
  struct Traits: OptionSet {
    let rawValue: UInt8

    /// Words are matched anywhere inside, as with `w`.
    static let isBodyText = Traits(rawValue: 1)
    /// Texts are dates, and numbers count seconds since 2001.
    static let isDate = Traits(rawValue: 2)
  }

  private let name: [UInt8]
  let traits: Traits

  init(_ name: String, in context: EvaluationContext) {
    self.name = Array(name.utf8)
    let isDate =
      AttributeCatalogue.attribute(named: name)?.type.isDate ?? context.dateKeys.contains(name)
    traits = Traits(
      (name == AttributeCatalogue.bodyText ? [.isBodyText] : []) + (isDate ? [.isDate] : []))
  }

  func hasName(_ other: Span<UInt8>) -> Bool {
    guard name.count == other.count else { return false }
    for index in other.indices where name[index] != other[index] { return false }
    return true
  }

  static func fields(of field: Field, in context: EvaluationContext) -> [SearchedField] {
    field.names(in: context).map { SearchedField($0, in: context) }
  }
}

extension Field {
  /// Every spelling under which a record may hold what the field names.
  func names(in context: EvaluationContext) -> [String] {
    switch self {
    case .attribute(let name): AttributeCatalogue.attribute(named: name)?.spellings ?? [name]
    case .metadata: Self.searched(AttributeCatalogue.searchedByDefault, in: context)
    case .metadataAndText:
      Self.searched(
        AttributeCatalogue.searchedByDefault + [AttributeCatalogue.bodyText], in: context)
    }
  }

  private static func searched(_ builtIn: [String], in context: EvaluationContext) -> [String] {
    builtIn.filter { !context.unsearchedKeys.contains($0) } + context.searchedKeys
  }
}
