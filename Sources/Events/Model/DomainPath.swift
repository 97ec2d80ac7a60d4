import Values

/// Names of domains as paths; the empty name is above all others.
package enum DomainPath {
  /// Whether a domain is another one or below it.
  package static func covers(_ domain: String, _ other: String) -> Bool {
    covers(domain.utf8, other.utf8)
  }

  /// The same of names as bytes.
  package static func covers(_ domain: some Collection<UInt8>, _ other: some Collection<UInt8>)
    -> Bool
  {
    guard !domain.isEmpty else { return true }
    guard other.starts(with: domain) else { return false }
    return other.dropFirst(domain.count).first.map { $0 == UInt8(ascii: ".") } ?? true
  }

  /// The domain and those above it, the empty one first.
  /// - Complexity: O(bytes · components).
  package static func lineage(of domain: String) -> [String] {
    guard !domain.isEmpty else { return [""] }
    var lineage = [""]
    for index in domain.utf8.indices where domain.utf8[index] == UInt8(ascii: ".") {
      lineage.append(String(domain[..<index]))
    }
    lineage.append(domain)
    return lineage
  }

  /// The name of a domain after a move; nil when it is not moved, as one is not whose name would be
  /// longer than a domain may be.
  package static func moved(_ domain: String, from: String, to: String) -> String? {
    guard !from.isEmpty, covers(from, domain),
      domain.utf8.count - from.utf8.count + to.utf8.count <= EventLimits.domainByteCount
    else { return nil }
    return to + String(decoding: domain.utf8.dropFirst(from.utf8.count), as: UTF8.self)
  }

  /// A name as one component: `.` as `%2E` and `%` as `%25`, so that a dot only ever separates
  /// components.
  package static func component(_ name: some StringProtocol) -> String {
    var escaped: [UInt8] = []
    append(name.utf8, to: &escaped)
    return String(decoding: escaped, as: UTF8.self)
  }

  private static func append(_ name: some Sequence<UInt8>, to path: inout [UInt8]) {
    for byte in name {
      switch byte {
      case UInt8(ascii: "."): path += "%2E".utf8
      case UInt8(ascii: "%"): path += "%25".utf8
      default: path.append(byte)
      }
    }
  }

  /// The domain that a path's folders make: `src/net/x.c` is in `src.net`.
  ///
  /// Nil at the top level. Empty components (`//`) are left out: a domain cannot hold them.
  package static func folders(of path: Substring) -> String? {
    // By bytes: a mark at the beginning of a name would be one character with the slash before it.
    let folders = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropLast().filter { !$0.isEmpty }
    return joined(folders)
  }

  /// The domain of a site by its host in lower case: `www.swift.org` is in `web.org.swift.www`; an
  /// address is one component.
  package static func web(_ host: [UInt8]) -> String? {
    let labels = host.split(separator: UInt8(ascii: "."))
    let isAddress =
      host.first == UInt8(ascii: "[")
      || labels.count == 4 && labels.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
    let address = labels.joined(separator: [UInt8(ascii: ".")])
    return joined(isAddress ? [Array(address)[...]] : labels.reversed()).map { "web.\($0)" }
  }

  private static func joined(_ names: [some Sequence<UInt8>]) -> String? {
    var path: [UInt8] = []
    for name in names {
      if !path.isEmpty { path.append(UInt8(ascii: ".")) }
      append(name, to: &path)
    }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }

  /// Order by bytes.
  package static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
