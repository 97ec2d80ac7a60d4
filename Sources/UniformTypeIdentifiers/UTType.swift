/// A type of data, by its uniform type identifier.
///
/// The system's types with their conformance, extensions and media types, and those that the
/// program declares: without a property list, by ``init(exportedAs:conformingTo:)``. Identifiers
/// are compared without regard to case.
public struct UTType: Hashable, Sendable {
  /// The identifier, such as `public.jpeg`.
  public let identifier: String

  /// What the system knows of it, where it declares it.
  let declaration: Declaration?

  init(declared identifier: String) {
    self.identifier = identifier
    declaration = Declaration.of(identifier)
  }

  /// Declares a type of the system; `conformsTo` names those it conforms to directly, the other
  /// lists begin with what is preferred.
  static func declare(
    _ identifier: String, _ conformsTo: [String] = [], extensions: [String] = [],
    types: [String] = []
  ) -> UTType {
    UTType(Declaration(identifier, conformsTo: conformsTo, extensions: extensions, types: types))
  }

  private init(_ declaration: Declaration) {
    identifier = declaration.identifier
    self.declaration = declaration
  }

  /// A type that the system or, until now, the program declares; nil for any other identifier.
  public init?(_ identifier: String) {
    let known = Declaration.of(identifier)
    guard known != nil || Self.isDynamic(identifier) else { return nil }
    self.init(declared: known?.identifier ?? identifier.lowercased())
  }

  /// A type that the program itself defines; with a parent it is declared from now on.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(identifier, of: parentType)
  }

  /// A type that another program defines; with a parent it is declared from now on.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(identifier, of: parentType)
  }

  private init(_ identifier: String, of parent: UTType?) {
    if let parent { Declaration.declare(identifier, conformingTo: parent.identifier) }
    self.init(declared: identifier)
  }

  /// Equal when the identifiers are, whatever their case.
  public static func == (one: UTType, other: UTType) -> Bool {
    one.identifier.lowercased() == other.identifier.lowercased()
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier.lowercased()) }
}

extension UTType {
  /// Whether it is the other type, or conforms to it directly or through others.
  public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

  /// Whether it conforms to the other type and is not the same.
  public func isSubtype(of type: UTType) -> Bool {
    let wanted = type.identifier.lowercased()
    if isDynamic { return wanted == "public.data" || wanted == "public.item" }
    return Declaration.supertypes(of: identifier).contains(wanted)
  }

  /// Whether the other type conforms to it and is not the same.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  /// Every type it conforms to, itself left out.
  public var supertypes: Set<UTType> {
    if isDynamic { return [.data, .item] }
    return Set(
      Declaration.supertypes(of: identifier).map { name in
        UTType(declared: Declaration.of(name)?.identifier ?? name)
      })
  }

  /// What the type is called; nil, since Linux has no names for types in a person's language.
  public var localizedDescription: String? { nil }

  /// Whether it was made up for an extension or media type that nothing declares.
  public var isDynamic: Bool { Self.isDynamic(identifier) }

  /// Whether the system or the program declares it.
  public var isDeclared: Bool { declaration != nil }

  /// Whether it is in the public domain of types.
  public var isPublic: Bool { identifier.lowercased().hasPrefix("public.") }

  static func isDynamic(_ identifier: String) -> Bool {
    identifier.lowercased().hasPrefix("dyn.")
  }
}

extension UTType: CustomStringConvertible {
  /// The identifier.
  public var description: String { identifier }
}

extension UTType: Codable {
  /// Reads the identifier.
  /// - Throws: What the decoder says.
  public init(from decoder: any Decoder) throws {
    self.init(declared: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the identifier.
  /// - Throws: What the encoder says.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}
