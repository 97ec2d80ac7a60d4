public import Events

/// What a schema says of one attribute.
public struct AttributeDeclaration: Sendable, Hashable {
  /// What its values are.
  public var type: DeclaredType
  /// Whether it may have several values.
  public var isMulti = false
  /// Whether search finds its words; nil: as without a schema for attributes that Core Spotlight
  /// knows, else not.
  public var searchable: Bool?
  /// What its share of a score is multiplied with: above 0, at most 100.
  public var weight = 1.0
  /// By which language's endings its words are found.
  public var language = DeclaredLanguage.off
  /// Whether items can be put in order by it.
  public var isSortable = false
  /// Whether items can be counted and grouped by it.
  public var isFacet = false
  /// Whether every item must have it.
  public var isRequired = false
  /// What is shown where an item has no value.
  public var defaultValue: AttributeValue?
  /// The most Unicode scalars of one value.
  public var maxLength: Int?
  /// Older names of it.
  public var aliases: [String] = []
  /// What somebody noted.
  public var note: String?

  /// A declaration with every option at its default.
  public init(type: DeclaredType) { self.type = type }
}

/// What a schema says of one domain and everything below it.
public struct DomainDeclaration: Sendable, Hashable {
  /// What becomes of undeclared attributes; nil: as the domain above says.
  public var unknown: UnknownAttributes?
  /// What becomes of events that break a rule; nil: as the domain above says.
  public var invalid: InvalidEvents?
  /// The attributes, by name.
  public var attributes: KeyOrdered<AttributeDeclaration> = [:]
  /// What somebody noted.
  public var note: String?

  /// A declaration of nothing.
  public init() {}
}
