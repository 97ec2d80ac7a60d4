import Values

/// Which names a server answers to: a page of another site that rebinds its name to this machine
/// is told nothing.
package struct HostRule: Sendable {
  private let names: Set<String>

  package init(allowed: [String]) {
    names = Set(["127.0.0.1", "localhost", "[::1]"] + allowed.map { $0.lowercased() })
  }

  /// Refuses a request whose `Host` is missing, comes twice or names another.
  func check(_ request: Request) throws(Refusal) {
    guard let host = request.value("host"), names.contains(Self.name(of: host)) else {
      throw Refusal(
        400, "host", "the server does not go by that name; it takes others by --allow-host")
    }
  }

  /// Whether a text can be a server's name: one with a port, a path, a blank or a star, or none,
  /// would let in nobody or too many.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && name(of: text) == text.lowercased()
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/*?#@,".utf8.contains($0) }
  }

  /// The name without its port, in lower case; nothing for what is no authority.
  static func name(of authority: String) -> String {
    let lower = authority.lowercased()
    guard let colon = lower.utf8.lastIndex(of: UInt8(ascii: ":")), !lower.hasSuffix("]") else {
      return lower
    }
    guard lower.utf8[colon...].dropFirst().allSatisfy(\.isASCIIDigit) else { return "" }
    return String(lower[..<colon])
  }
}
