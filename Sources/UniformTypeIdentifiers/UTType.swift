public import Foundation

/// A type of data, by its uniform type identifier.
///
/// The part of Apple's structure that does not depend on what applications declare: the system's
/// types with their conformance, extensions and media types. Identifiers are compared without
/// regard to case.
public struct UTType: Hashable, Sendable {
  /// The identifier, such as `public.jpeg`.
  public let identifier: String

  /// What the system knows of it, where it declares it.
  let declaration: Declaration?

  private init(declared identifier: String) {
    self.identifier = identifier
    declaration = Declaration.of(identifier)
  }

  /// Declares a type of the system; `conformsTo` names those it conforms to directly, the other
  /// lists begin with what is preferred.
  static func declare(
    _ identifier: String, _ conformsTo: [String] = [], extensions: [String] = [],
    types: [String] = []
  ) -> UTType {
    UTType(
      Declaration(identifier, conformsTo: conformsTo, extensions: extensions, types: types))
  }

  private init(_ declaration: Declaration) {
    identifier = declaration.identifier
    self.declaration = declaration
  }

  /// A type that the system declares; nil for any other identifier.
  public init?(_ identifier: String) {
    guard Declaration.of(identifier) != nil || Self.isDynamic(identifier) else { return nil }
    self.init(declared: identifier.lowercased())
  }

  /// A type that the program itself defines.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(declared: identifier)
  }

  /// A type that another program defines.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(declared: identifier)
  }

  /// The type of files with an extension, a dynamic one when none is declared.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    let wanted = filenameExtension.lowercased()
    guard !wanted.isEmpty else { return nil }
    let found = Declaration.all.first { declaration in
      declaration.extensions.contains(wanted)
        && UTType(declaration).conforms(to: supertype)
    }
    self.init(declared: found?.identifier ?? Self.dynamic(.extension, wanted))
  }

  /// The type of a media type of the internet, a dynamic one when none is declared.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    let wanted = mimeType.lowercased()
    guard wanted.contains("/") else { return nil }
    let found = Declaration.all.first { $0.types.contains(wanted) }
    self.init(declared: found?.identifier ?? Self.dynamic(.type, wanted))
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
    return Set(Declaration.supertypes(of: identifier).map { UTType(declared: $0) })
  }

  /// The extension that files of the type have mostly.
  public var preferredFilenameExtension: String? {
    declaration?.extensions.first ?? Self.payload(.extension, identifier)
  }

  /// The media type of the internet it has mostly.
  public var preferredMIMEType: String? {
    declaration?.types.first ?? Self.payload(.type, identifier)
  }

  /// What the type is called; nil, since Linux has no names for types in a person's language.
  public var localizedDescription: String? { nil }

  /// Whether it was made up for an extension or media type that nothing declares.
  public var isDynamic: Bool { Self.isDynamic(identifier) }

  /// Whether the system declares it.
  public var isDeclared: Bool { declaration != nil }

  /// Whether it is in the public domain of types.
  public var isPublic: Bool { identifier.lowercased().hasPrefix("public.") }
}

extension UTType {
  private enum Tag: String {
    case `extension` = "dyn.extension."
    case type = "dyn.type."
  }

  private static func isDynamic(_ identifier: String) -> Bool {
    identifier.lowercased().hasPrefix("dyn.")
  }

  private static func dynamic(_ tag: Tag, _ value: String) -> String { tag.rawValue + value }

  private static func payload(_ tag: Tag, _ identifier: String) -> String? {
    identifier.hasPrefix(tag.rawValue) ? String(identifier.dropFirst(tag.rawValue.count)) : nil
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

extension URL {
  /// The address with an extension for a type added to its last component.
  public func appendingPathExtension(for type: UTType) -> URL {
    guard let name = type.preferredFilenameExtension else { return self }
    return appendingPathExtension(name)
  }
}
