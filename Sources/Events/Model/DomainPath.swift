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

  /// Order by bytes.
  package static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
