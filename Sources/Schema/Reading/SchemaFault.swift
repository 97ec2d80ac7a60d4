/// Why a schema file is refused: where, which rule, and in words.
public struct SchemaFault: Error, Sendable, Hashable {
  /// The rules of a schema file.
  public enum Rule: String, Sendable, CaseIterable {
    /// No JSON, a key twice, or too large.
    case json
    /// A key that is unknown or missing.
    case key
    /// The wrong type of JSON, or a word or a version that is not known.
    case type
    /// Too many, too long, out of bounds, or not representable.
    case limit
    /// The name of an attribute or a domain that is none, or is reserved.
    case name
    /// A clash with a built-in attribute.
    case builtin
    /// A contradiction to another option or another declaration.
    case conflict
    /// An alias equal to a declared or built-in name, another alias or itself.
    case alias
    /// A default that breaks its own declaration.
    case `default`
    /// A step that cannot be.
    case upcaster
  }

  /// The JSON Pointer (RFC 6901) of the place; `/` for the whole file.
  public var pointer: String
  /// The rule that is broken.
  public var rule: Rule
  /// What is wrong and what to do, without values of the file.
  public var words: String

  /// `POINTER: RULE: words`, one line.
  public var line: String { "\(pointer): \(rule.rawValue): \(words)" }

  init(_ place: JSONPlace, _ rule: Rule, _ words: String) {
    pointer = place.pointer
    self.rule = rule
    self.words = words
  }
}

struct JSONPlace: Sendable, Hashable {
  private var path = ""

  static let root = JSONPlace()

  /// RFC 6901, but `/` for the whole text, as reports write it.
  var pointer: String { path.isEmpty ? "/" : path }

  static func / (place: JSONPlace, key: String) -> JSONPlace {
    var place = place
    place.path += "/"
    guard key.utf8.contains(where: isEscaped) else {
      place.path += key
      return place
    }
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": place.path += "~0"
      case "/": place.path += "~1"
      // A report is one line.
      case "\u{0}"..<"\u{20}", "\u{7F}": place.path += "?"
      default: place.path.unicodeScalars.append(scalar)
      }
    }
    return place
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "/")
  }

  static func / (place: JSONPlace, index: Int) -> JSONPlace { place / String(index) }
}
