/// A file that shows, without the log at hand, that an entry is in it and that witnesses saw so.
///
/// Source: C2SP tlog-proof; file name extension `.tlog-proof`.
package struct OfflineProof: Hashable, Sendable {
  /// Data for whoever recomputes the leaf; covered by no signature.
  package var extra: [UInt8]?
  /// The place of the entry, counted from 0.
  package var leafIndex: UInt64
  /// The sibling hashes, leaf side first.
  package var hashes: [Hash32]
  /// The signed checkpoint of the tree that the hashes lead to.
  package var checkpoint: SignedNote

  /// A proof to be written.
  package init(extra: [UInt8]? = nil, leafIndex: UInt64, hashes: [Hash32], checkpoint: SignedNote) {
    self.extra = extra
    self.leafIndex = leafIndex
    self.hashes = hashes
    self.checkpoint = checkpoint
  }

  /// A receipt names every sequence that a purge took: a payload of at most 64 MiB, as base64.
  package static let byteCountMax = 96 << 20

  private static let heading = "c2sp.org/tlog-proof@v1"

  package var encoded: String {
    var text = OfflineProof.heading + "\n"
    if let extra, !extra.isEmpty { text += "extra \(Base64.encode(extra))\n" }
    text += "index \(leafIndex)\n"
    for hash in hashes { text += hash.base64 + "\n" }
    return text + "\n" + checkpoint.encoded
  }

  /// Reads a file; nothing in it is checked yet.
  /// - Throws: `CairnError` `.malformed`, or what is wrong with the checkpoint's note.
  package init(encoded bytes: [UInt8]) throws(CairnError) {
    guard bytes.count <= OfflineProof.byteCountMax else {
      throw CairnError(.malformed, "a proof has at most \(OfflineProof.byteCountMax) bytes")
    }
    var lines = LineSplitter(bytes)
    guard lines.next()?.elementsEqual(OfflineProof.heading.utf8) == true else {
      throw CairnError(.malformed, "a proof begins with its format's name")
    }
    var line = lines.next()
    if let extra = line?.value(after: "extra ") {
      guard let data = Base64.decode(extra), !data.isEmpty else {
        throw CairnError(.malformed, "the extra data of a proof is base64")
      }
      self.extra = data
      line = lines.next()
    }
    guard let index = line?.value(after: "index ").flatMap({ Decimal.parse($0) }) else {
      throw CairnError(.malformed, "a proof states the index of its entry")
    }
    leafIndex = index
    guard let hashes = lines.hashes(upTo: Limits.inclusionHashCountMax) else {
      throw CairnError(
        .malformed, "the hashes of a proof are lines of base64, closed by an empty line")
    }
    self.hashes = hashes
    checkpoint = try SignedNote(encoded: Array(lines.rest))
  }
}
