import Cryptography
package import Values

/// The hashes of the log's Merkle tree: RFC 6962 §2.1 (kept as is by RFC 9162) over SHA-256.
package enum HashTree {
  /// The root of the tree without leaves: SHA-256 of nothing, which is not the hash of an empty
  /// leaf.
  package static let emptyRoot = SHA256().finish()

  /// The hash of a log entry: SHA-256(0x00 ‖ entry).
  /// - Complexity: O(n) for n bytes; one SHA-256.
  package static func leaf(_ entry: RawSpan) -> Hash32 {
    var hash = SHA256()
    hash.add(0x00)
    hash.add(entry)
    return hash.finish()
  }

  /// The hash of a log entry: SHA-256(0x00 ‖ entry).
  package static func leaf(_ entry: [UInt8]) -> Hash32 { leaf(entry.rawSpan) }

  /// The hash of the tree whose halves have these hashes: SHA-256(0x01 ‖ left ‖ right).
  /// - Complexity: one SHA-256 of 65 bytes.
  package static func node(_ left: Hash32, _ right: Hash32) -> Hash32 {
    var hash = SHA256()
    hash.add(0x01)
    hash.add(left)
    hash.add(right)
    return hash.finish()
  }
}
