import Values

/// Names that an attribute may be declared by.
enum AttributeName {
  /// Words that `--sort` has other meanings for.
  private static let reserved: Set<String> = ["relevance", "recent", "frequent"]

  /// Why a text cannot name an attribute; nil when it can.
  static func fault(_ name: String) -> String? {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, first.isASCIIWord, !first.isASCIIDigit else {
      return "a name begins with a letter or _"
    }
    guard bytes.count <= SchemaLimits.nameByteCount else {
      return "a name has at most \(SchemaLimits.nameByteCount) bytes"
    }
    guard bytes.allSatisfy(\.isASCIIWord) else {
      return "a name has letters, digits and _ only, all ASCII"
    }
    guard !bytes.starts(with: "kMD".utf8) else { return "names that begin with kMD are reserved" }
    guard !reserved.contains(name) else { return "the name is reserved; take another" }
    return nil
  }
}
