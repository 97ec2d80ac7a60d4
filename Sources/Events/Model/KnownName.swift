/// Names of attributes that are common, and too long to stand in a `String` without memory of its
/// own.
///
/// A constant costs nothing to give out, where a copy is one allocation for every event read.
enum KnownName {
  /// The text in a range, which must be UTF-8.
  static func text(_ bytes: [UInt8], _ range: Range<Int>) throws(CairnError) -> String {
    switch range.count {
    case 18: if isText("contentDescription", bytes, range) { return "contentDescription" }
    case 19: if isText("contentCreationDate", bytes, range) { return "contentCreationDate" }
    case 23: if isText("contentModificationDate", bytes, range) { return "contentModificationDate" }
    default: break
    }
    return try bytes.text(range)
  }

  private static func isText(_ name: StaticString, _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    name.matches(bytes.span, range)
  }
}
