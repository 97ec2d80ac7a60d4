/// The domain that a path's folders make: `src/net/x.c` is in `src.net`.
package enum PathDomain {
  /// - Returns: the dotted domain of the folders, nil at the top level. Inside a component
  ///   `.` is written `%2E` and `%` as `%25`, so that a dot only ever separates components.
  ///   Empty components (`//`) are left out: a domain cannot hold them.
  package static func ofFolders(in path: Substring) -> String? {
    // By bytes: a mark at the beginning of a name would be one character with the slash before it.
    let components = Array(path.utf8).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).dropLast()
    var escaped: [UInt8] = []
    for component in components where !component.isEmpty {
      if !escaped.isEmpty { escaped.append(UInt8(ascii: ".")) }
      append(component, to: &escaped)
    }
    return escaped.isEmpty ? nil : String(decoding: escaped, as: UTF8.self)
  }

  /// One component with `.` as `%2E` and `%` as `%25`.
  package static func escape(_ component: Substring) -> String {
    var escaped: [UInt8] = []
    append(Array(component.utf8)[...], to: &escaped)
    return String(decoding: escaped, as: UTF8.self)
  }

  /// Appends one component with `.` as `%2E` and `%` as `%25`.
  static func append(_ component: ArraySlice<UInt8>, to escaped: inout [UInt8]) {
    for byte in component {
      switch byte {
      case UInt8(ascii: "."): escaped.append(contentsOf: "%2E".utf8)
      case UInt8(ascii: "%"): escaped.append(contentsOf: "%25".utf8)
      default: escaped.append(byte)
      }
    }
  }
}
