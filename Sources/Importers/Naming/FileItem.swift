import Events
import Values

struct FileItem {
  /// `file://` and the path, percent-encoded.
  var item: String
  /// `files.` and the folders; nil at the top.
  var domain: String
  /// The last component.
  var name: String

  /// What stays as it is in the path of an item: `-._~!$&'()*+,;=:@/` beside letters and digits.
  private static let kept = Set("!$&'()*+,;=:@/".utf8)

  /// - Returns: nil where the path is not absolute.
  init?(path bytes: [UInt8]) {
    var bytes = Self.rooted(bytes)[...]
    guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else { return nil }
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
    item = "file://" + PercentEncoding.encode(bytes, keeping: Self.kept)
    let text = Self.text(bytes)
    domain = DomainPath.folders(of: text[...]).map { "files." + $0 } ?? "files"
    // A name may begin with a mark that joins the slash before it to one character.
    name = text.unicodeScalars.split(separator: "/").last.map { String(Substring($0)) } ?? "/"
  }

  /// A path of Windows, such as `C:\a\b`, as an address has it: `/C:/a/b`; others as they are.
  private static func rooted(_ path: [UInt8]) -> [UInt8] {
    let backslash = UInt8(ascii: "\\")
    guard path.count > 2, (0x61...0x7A).contains(path[0] | 0x20), path[1] == UInt8(ascii: ":"),
      path[2] == backslash || path[2] == UInt8(ascii: "/")
    else { return path }
    return [UInt8(ascii: "/")] + path.map { $0 == backslash ? UInt8(ascii: "/") : $0 }
  }

  /// A path as stored, where `~` is a home.
  init?(path: [UInt8], home: String) {
    // Vim writes `~\_vimrc` on Windows.
    let isOfWindows = path.starts(with: "~\\".utf8)
    let isAtHome = path == Array("~".utf8) || path.starts(with: "~/".utf8) || isOfWindows
    let rest = path.dropFirst().map { isOfWindows && $0 == 0x5C ? 0x2F : $0 }
    self.init(path: isAtHome ? Array(home.utf8) + rest : path)
  }

  init?(path: String, home: String) { self.init(path: Array(path.utf8), home: home) }

  /// Bytes that are not UTF-8 are read as Latin-1, as in a git history.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
  }

  /// A text of a scalar for each byte.
  static func latin1(_ bytes: some Collection<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
