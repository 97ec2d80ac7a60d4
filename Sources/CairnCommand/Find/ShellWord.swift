import Cairn

/// A chosen item as people want it on the line of a shell.
struct ShellWord {
  /// The command, of an item that is one; else the identifier.
  let text: String
  private let isCommand: Bool
  /// What a shell names a file by.
  private let path: String?

  private static let scheme = "shell:"
  /// What stands for a command that is too long for an identifier.
  private static let digest = scheme + "sha256-"

  init(_ id: String, in moment: Moment) throws(Failure) {
    isCommand = id.hasPrefix(Self.scheme)
    path = Self.path(of: id)
    guard isCommand else {
      text = id
      return
    }
    var long: String?
    if id.hasPrefix(Self.digest) { long = try answering(moment.item(id))?.text(of: "textContent") }
    text = long ?? String(id.dropFirst(Self.scheme.count))
  }

  /// A command as it is, a file as its path, and anything else as one word.
  var quoted: String { isCommand ? text : Self.quoted(path ?? text) }

  /// The path of an item that is a file, where a line can hold it.
  private static func path(of id: String) -> String? {
    guard id.hasPrefix("file:///") else { return nil }
    return PercentEncoding.decode(Array(id.utf8.dropFirst(7))[...])
  }

  /// A text as one word of bash, zsh and fish.
  static func quoted(_ text: String) -> String {
    guard text.isEmpty || !text.utf8.allSatisfy(isPlain) else { return text }
    // Within single quotes fish reads a backslash as the others do not, so it stands outside. To
    // a shell a quote with an accent on it is a quote, to Swift it is another character.
    var word = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": word += #"'\''"#
      case "\\": word += #"'\\'"#
      default: word.unicodeScalars.append(scalar)
      }
    }
    word.unicodeScalars.append("'")
    return word
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isASCIIWord || "-./:@,+".utf8.contains(byte)
  }
}
