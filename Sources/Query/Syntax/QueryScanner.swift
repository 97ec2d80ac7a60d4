import Text
import Values

/// The tokens of the query language, read from UTF-8.
///
/// Every method leaves the position behind the token and the white space after it, except where
/// white space is not allowed (between a string and its modifiers).
struct QueryScanner {
  let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position == bytes.count }

  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  /// An error at the character under the position.
  func error(_ message: String) -> CairnError { error(from: position, message) }

  func error(from start: Int, _ message: String) -> CairnError {
    CairnError(.badQuery, message, at: start)
  }

  mutating func advance() { position += 1 }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  /// Whether the text continues with `token`, which is then behind us.
  mutating func skip(_ token: String) -> Bool {
    guard take(token) else { return false }
    skipSpace()
    return true
  }

  /// As `skip`, without the white space after the token.
  mutating func take(_ token: String) -> Bool {
    guard bytes[position...].starts(with: token.utf8) else { return false }
    position += token.utf8.count
    return true
  }

  mutating func expect(_ mark: String) throws(CairnError) {
    guard skip(mark) else { throw error("expected \(mark)") }
  }

  /// The ASCII word at the position, which may be empty.
  mutating func word() -> String {
    let start = position
    while let byte = next, byte.isASCIIWord { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func field() throws(CairnError) -> Field {
    let field: Field
    if take("**") {
      field = .metadataAndText
    } else if take("*") {
      field = .metadata
    } else if let byte = next, !byte.isASCIIDigit, let name = attributeName() {
      field = .attribute(name)
    } else {
      throw error("expected an attribute name, * or **, InRange, ! or a parenthesis")
    }
    skipSpace()
    return field
  }

  /// The letters and digits of any script at the position; nil for none.
  private mutating func attributeName() -> String? {
    let start = position
    var end = start
    while end < bytes.count {
      let (value, length) = UTF8Coding.decode(bytes.span, at: end)
      guard let scalar = Unicode.Scalar(value), Self.isOfName(scalar) else { break }
      end += length
    }
    position = end
    return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default:
      scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
  }

  mutating func relation() throws(CairnError) -> Comparison.Operator {
    for (token, relation) in Self.relations where skip(token) { return relation }
    throw error("expected one of == != < > <= >= behind a name of letters, digits and _")
  }

  /// Longest first, so that `<=` is not read as `<`.
  private static let relations: [(String, Comparison.Operator)] = [
    ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("=", .equal),
    ("<", .less), (">", .greater),
  ]

  /// The run of modifier letters at the position, which may be empty.
  mutating func modifiers() throws(CairnError) -> TextPattern.Options {
    var options: TextPattern.Options = []
    while let byte = next, byte.isASCIIWord {
      switch byte {
      case UInt8(ascii: "c"): options.insert(.ignoresCase)
      case UInt8(ascii: "d"): options.insert(.ignoresDiacritics)
      case UInt8(ascii: "w"): options.insert(.words)
      case UInt8(ascii: "t"): options.insert(.tokens)
      default: throw error("expected one of the modifiers c, d, w, t")
      }
      position += 1
    }
    return options
  }
}
