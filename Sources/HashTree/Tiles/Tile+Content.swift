extension Tile {
  /// The bytes of a tile of hashes.
  /// - Parameter node: Gives the hash of the complete subtree at (level, index).
  /// - Returns: 32 bytes per hash; none for a tile of entries.
  /// - Throws: What `node` throws.
  /// - Complexity: one lookup per hash.
  package func hashBytes<E: Error>(node: (_ level: Int, _ index: UInt64) throws(E) -> Hash32)
    throws(E) -> [UInt8]
  {
    guard case .hashes(let level) = content else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * Hash32.byteCount)
    for offset in 0..<width {
      let hash = try node(level * Tile.height, index * UInt64(Tile.fullWidth) + UInt64(offset))
      hash.append(to: &bytes)
    }
    return bytes
  }
}

/// The entries of up to 256 leaves, each with its length as 16 bits, big-endian, before it.
package enum EntryBundle {
  /// The bytes of a bundle.
  /// - Throws: `CairnError` `.notVerified` for more than 256 entries or one above 65,535 bytes.
  package static func encode(_ entries: [[UInt8]]) throws(CairnError) -> [UInt8] {
    guard entries.count <= Tile.fullWidth,
      entries.allSatisfy({ $0.count <= Limits.bundleEntryByteCountMax })
    else { throw CairnError(.notVerified, "a bundle holds 256 entries of at most 65,535 bytes") }
    var bytes: [UInt8] = []
    for entry in entries {
      bytes.append(UInt8(entry.count >> 8))
      bytes.append(UInt8(entry.count & 0xFF))
      bytes += entry
    }
    return bytes
  }

  /// The entries of a bundle.
  /// - Throws: `CairnError` `.notVerified` when the bytes end within an entry or hold more
  ///   than 256.
  package static func decode(_ bytes: [UInt8]) throws(CairnError) -> [[UInt8]] {
    var entries: [[UInt8]] = []
    var rest = bytes[...]
    while let high = rest.popFirst() {
      guard entries.count < Tile.fullWidth, let low = rest.popFirst(),
        rest.count >= Int(high) << 8 | Int(low)
      else { throw CairnError(.notVerified, "a bundle ends within an entry or is too long") }
      let count = Int(high) << 8 | Int(low)
      entries.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return entries
  }
}
