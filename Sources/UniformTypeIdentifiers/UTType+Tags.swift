/// A way in which files and messages are marked with their type.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
  /// Its identifier, such as `public.filename-extension`.
  public let rawValue: String

  /// A class by its identifier.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Extensions of file names, without the period.
  public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")

  /// Media types of the internet, such as `text/plain`.
  public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}

extension UTTagClass: CustomStringConvertible {
  /// Its identifier.
  public var description: String { rawValue }
}

extension UTType {
  /// The type of a tag that conforms to another one; a dynamic one when none is declared.
  ///
  /// Nil for an empty tag, a media type without a `/`, and tags of another class.
  /// - Complexity: O(types).
  public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
    guard let first = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else {
      return nil
    }
    self = first
  }

  /// The types of a tag that conform to another one, or a dynamic one when none is declared; none
  /// where ``init(tag:tagClass:conformingTo:)`` gives nil.
  /// - Complexity: O(types).
  public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?)
    -> [UTType]
  {
    let wanted = tag.lowercased()
    guard !wanted.isEmpty, let mark = dynamicMarks[tagClass],
      tagClass != .mimeType || wanted.contains("/")
    else { return [] }
    let found = Declaration.all.lazy.filter { $0.tags(of: tagClass).contains(wanted) }
      .map { UTType(declared: $0.identifier) }
      .filter { type in supertype.map { type.conforms(to: $0) } ?? true }
    return found.isEmpty ? [UTType(declared: mark + wanted)] : Array(found)
  }

  /// The type of files with an extension, a dynamic one when none is declared.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
  }

  /// The type of a media type of the internet, a dynamic one when none is declared.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
  }

  /// Its tags by their class, what is preferred first.
  public var tags: [UTTagClass: [String]] {
    var tags: [UTTagClass: [String]] = [:]
    for (tagClass, mark) in Self.dynamicMarks {
      if let declaration {
        let declared = declaration.tags(of: tagClass)
        if !declared.isEmpty { tags[tagClass] = declared }
      } else if identifier.hasPrefix(mark) {
        tags[tagClass] = [String(identifier.dropFirst(mark.count))]
      }
    }
    return tags
  }

  /// The extension that files of the type have mostly.
  public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }

  /// The media type of the internet it has mostly.
  public var preferredMIMEType: String? { tags[.mimeType]?.first }

  /// What the identifiers of types begin with that are made up for a tag.
  private static let dynamicMarks: [UTTagClass: String] = [
    .filenameExtension: "dyn.extension.", .mimeType: "dyn.type.",
  ]
}

extension Declaration {
  fileprivate func tags(of tagClass: UTTagClass) -> [String] {
    tagClass == .filenameExtension ? extensions : tagClass == .mimeType ? types : []
  }
}
