public import Foundation

extension URL {
  /// The address with a name added that has an extension of the type.
  ///
  /// `puppy.jpg` has one of `.image`; where it is missing, what the type prefers is appended. A
  /// directory's address for types of directories.
  public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL
  {
    let missing = contentType.missingExtension(of: (partialName as NSString).pathExtension)
    return appendingPathComponent(
      missing.map { "\(partialName).\($0)" } ?? partialName,
      isDirectory: contentType.conforms(to: .directory))
  }

  /// Adds a name as ``appendingPathComponent(_:conformingTo:)`` does.
  public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType)
  {
    self = appendingPathComponent(partialName, conformingTo: contentType)
  }

  /// The address with an extension for a type added to its last component, unless it has one.
  public func appendingPathExtension(for contentType: UTType) -> URL {
    guard let name = contentType.missingExtension(of: pathExtension) else { return self }
    return appendingPathExtension(name)
  }

  /// Adds an extension as ``appendingPathExtension(for:)`` does.
  public mutating func appendPathExtension(for contentType: UTType) {
    self = appendingPathExtension(for: contentType)
  }
}

extension UTType {
  /// The extension to add to a name that has this one; nil where that is one of the type's, or
  /// where the type has none.
  fileprivate func missingExtension(of existing: String) -> String? {
    let found = UTType(tag: existing, tagClass: .filenameExtension, conformingTo: self)
    return found?.isDeclared == true ? nil : preferredFilenameExtension
  }
}

extension UTType {
  /// A page that tells more of the type; nil, since no declaration here names one.
  public var referenceURL: URL? { nil }

  /// The version of the type; nil, as above.
  public var version: Int? { nil }
}
