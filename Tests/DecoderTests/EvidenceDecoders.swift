import HashTree

enum EvidenceDecoders {
  static func note(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let note = try? SignedNote(encoded: bytes) {
      let again = try SignedNote(encoded: note.encoded)
      try DecoderFault.require(again == note, "a note changes when it is written again")
      _ = try? Checkpoint(text: note.text)
    }
    if let checkpoint = try? Checkpoint(text: text) {
      try DecoderFault.require(
        checkpoint.text.utf8.elementsEqual(text.utf8),
        "a checkpoint changes when it is written again")
    }
    if let key = try? VerifierKey(text) {
      try DecoderFault.require(key.text.utf8.elementsEqual(text.utf8), "a vkey changes")
    }
    if let key = try? SignerKey(text) {
      try DecoderFault.require(key.privateText.utf8.elementsEqual(text.utf8), "a key changes")
    }
    if let decoded = Base64.decode(bytes) {
      try DecoderFault.require(Array(Base64.encode(decoded).utf8) == bytes, "base64 changes")
    }
  }

  static func proof(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let proof = try? OfflineProof(encoded: bytes) {
      let again = try OfflineProof(encoded: Array(proof.encoded.utf8))
      try DecoderFault.require(again == proof, "a proof file changes when it is written again")
    }
    if let request = try? Witness.Request(encoded: bytes) {
      let again = try Witness.Request(encoded: Array(request.encoded.utf8))
      try DecoderFault.require(again == request, "a request changes when it is written again")
    }
    if let tile = Tile(path: text) {
      try DecoderFault.require(tile.path == text, "a tile's path changes")
    }
    if let entries = try? EntryBundle.decode(bytes) {
      try DecoderFault.require(try EntryBundle.encode(entries) == bytes, "a bundle changes")
    }
    if let compactRange = CompactRange(encoded: bytes.rawSpan) {
      try DecoderFault.require(compactRange.encoded == bytes, "a compact range changes")
      _ = compactRange.root
    }
    shapes(bytes)
  }

  /// Proofs of any place, size and number of hashes: two numbers, then the hashes' first bytes.
  private static func shapes(_ bytes: [UInt8]) {
    guard bytes.count >= 16 else { return }
    func number(_ start: Int) -> UInt64 {
      bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let (one, two) = (number(0), number(8))
    let hashes = bytes[16...].prefix(70).map { HashTree.leaf([$0]) }
    let root = HashTree.leaf([9])
    _ = InclusionProof(leafIndex: one, treeSize: two, hashes: hashes).verify(leaf: root, root: root)
    _ = ConsistencyProof(oldSize: one, newSize: two, hashes: hashes).verify(
      oldRoot: root, newRoot: root)
  }

  private static func signed() throws -> (key: SignerKey, note: SignedNote) {
    let key = try SignerKey(name: "example.com/log", seed: [UInt8](repeating: 7, count: 32))
    let checkpoint = try Checkpoint(origin: "example.com/log", size: 5, root: HashTree.leaf([5]))
    return (key, try checkpoint.signed(by: [key]))
  }

  static func notes() throws -> [[UInt8]] {
    let (key, note) = try signed()
    return [note.encoded, note.text, key.privateText, key.verifier.text].map { Array($0.utf8) }
  }

  static func proofs() throws -> [[UInt8]] {
    let (_, note) = try signed()
    let hashes = (UInt8(0)..<3).map { HashTree.leaf([$0]) }
    let texts = [
      OfflineProof(extra: [1], leafIndex: 2, hashes: hashes, checkpoint: note).encoded,
      Witness.Request(oldSize: 3, proof: hashes, checkpoint: note).encoded,
      "tile/0/x001/x234/067.p/112",
    ]
    var compactRange = CompactRange()
    for leaf in UInt8(0)..<7 { compactRange.append(HashTree.leaf([leaf])) }
    let shape: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 9, 1, 2, 3, 4]
    return texts.map { Array($0.utf8) } + [
      compactRange.encoded, try EntryBundle.encode([[1, 2], [], [3]]), shape,
    ]
  }
}
