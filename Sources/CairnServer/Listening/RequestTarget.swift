import Values

/// Path and query of a request, decoded (RFC 3986 §3.3, §3.4).
package struct RequestTarget: Sendable {
  /// The parts of the path between slashes.
  package let path: [String]
  /// Names and values in order, `+` read as a space as forms write it.
  package private(set) var query: [(name: String, value: String)]

  /// Nil for what is no path of ours: not beginning with a slash, or not UTF-8 when decoded.
  package init?(_ target: String) {
    guard target.utf8.first == UInt8(ascii: "/"), !target.utf8.contains(UInt8(ascii: "#")) else {
      return nil
    }
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    var path: [String] = []
    for part in target[..<(mark ?? target.endIndex)].utf8.dropFirst()
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let text = Self.decoded(part, plusIsSpace: false) else { return nil }
      path.append(text)
    }
    self.path = path
    var query: [(name: String, value: String)] = []
    if let mark {
      for pair in target.utf8[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
        let equals = pair.firstIndex(of: UInt8(ascii: "="))
        guard let name = Self.decoded(pair[..<(equals ?? pair.endIndex)], plusIsSpace: true),
          let value = equals.map({
            Self.decoded(pair[pair.index(after: $0)...], plusIsSpace: true)
          }) ?? ""
        else { return nil }
        query.append((name, value))
      }
    }
    self.query = query
  }

  /// Behind the name of a field whose value is encoded once more than those of others.
  static let encodedMark = "*"

  /// The same with values as they were before a form of a page encoded them.
  func decodingMarked() -> RequestTarget {
    var target = self
    target.query = query.map { pair in
      guard pair.name.hasSuffix(Self.encodedMark),
        let value = Self.decoded(Substring(pair.value).utf8, plusIsSpace: true)
      else { return pair }
      return (String(pair.name.dropLast()), value)
    }
    return target
  }

  /// The path as URLs write it.
  var encodedPath: String { "/" + path.map(PercentEncoding.encode).joined(separator: "/") }

  /// Authority, and path with query, of a target that names the server too; nil for others.
  static func absolute(_ target: String) -> (authority: String, rest: String)? {
    guard target.utf8.first != UInt8(ascii: "/"),
      let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) })
    else { return nil }
    let behind = target.utf8.dropFirst(scheme.utf8.count)
    let end = behind.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let rest = String(target[(end ?? target.endIndex)...])
    let authority = String(target[behind.startIndex..<(end ?? target.endIndex)])
    return (authority, rest.hasPrefix("/") ? rest : "/" + rest)
  }

  /// The text behind percent signs; nil where a sign is alone or the bytes are no UTF-8.
  ///
  /// A value may hold a NUL, as an item's identifier may; a path has none.
  static func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool) -> String? {
    // As most values come: nothing is encoded.
    guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") || $0 == 0 })
    else { return String(Substring(text)) }
    let given = text.map { plusIsSpace && $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    for index in given.indices where given[index] == UInt8(ascii: "%") {
      let digits = given[(index + 1)...].prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Hexadecimal.value($0) != nil }) else {
        return nil
      }
    }
    let bytes = PercentEncoding.bytes(given[...])
    guard plusIsSpace || !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
