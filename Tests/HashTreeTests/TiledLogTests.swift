import Foundation
import HashTree
import Testing

/// A log written by transparency-dev/tessera: checkpoints 0 to 15, tiles and entry bundles.
@Suite(.enabled(if: MerkleVectors.isPresent, "../shared/data is absent"))
struct `A tiled log of another implementation` {
  static let origin = "example.com/log/testdata"
  static let folder = "tessera-log"

  static func key() throws -> VerifierKey {
    let text = try MerkleVectors.text("\(folder)/verifier-key.txt")
    return try VerifierKey(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  static func checkpoint(_ size: Int) throws -> Checkpoint {
    try Checkpoint(
      verifying: SignedNote(encoded: try MerkleVectors.bytes("\(folder)/checkpoint.\(size)")),
      origin: origin, logKeys: [key()])
  }

  @Test(arguments: 0...15) func `a checkpoint verifies, and writing it gives its bytes back`(
    size: Int
  ) throws {
    let bytes = try MerkleVectors.bytes("\(Self.folder)/checkpoint.\(size)")
    let note = try SignedNote(encoded: bytes)
    let checkpoint = try Self.checkpoint(size)
    #expect(checkpoint.size == UInt64(size))
    #expect(checkpoint.text == note.text)
    #expect(Array(note.encoded.utf8) == bytes)
  }

  @Test(arguments: 1...15) func `bundle, tile and checkpoint of a size agree`(size: Int) throws {
    let tile = try #require(Tile(.hashes(level: 0), index: 0, width: size))
    let bundle = try #require(Tile(.entries, index: 0, width: size))
    let bytes = try MerkleVectors.bytes("\(Self.folder)/\(bundle.path)")
    let entries = try EntryBundle.decode(bytes)
    #expect(entries.count == size)
    #expect(try EntryBundle.encode(entries) == bytes)
    let checkpoint = try Self.checkpoint(size)
    var compactRange = CompactRange()
    for entry in entries { compactRange.append(HashTree.leaf(entry)) }
    #expect(compactRange.root == checkpoint.root)
    let hashes = try MerkleVectors.bytes("\(Self.folder)/\(tile.path)")
    #expect(hashes == entries.flatMap { HashTree.leaf($0).bytes })
    let tree = StoredTree(entries.map { HashTree.leaf($0) })
    #expect(try tile.hashBytes(node: tree.node) == hashes)
  }

  @Test(arguments: 1...15) func `proofs out of the last tile join every checkpoint to the last`(
    size: Int
  ) throws {
    let tile = try #require(Tile(.hashes(level: 0), index: 0, width: 15))
    let bytes = try MerkleVectors.bytes("\(Self.folder)/\(tile.path)")
    let leaves = try (0..<15).map { try #require(Hash32(bytes: bytes[($0 * 32)..<($0 + 1) * 32])) }
    let made = try ConsistencyProof(
      oldSize: UInt64(size), newSize: 15, node: StoredTree(leaves).node)
    let proof = try #require(made)
    let old = try Self.checkpoint(size).root
    let new = try Self.checkpoint(15).root
    #expect(proof.verify(oldRoot: old, newRoot: new))
    #expect(proof.verify(oldRoot: new, newRoot: old) == (size == 15))
  }

  @Test func `every flipped bit of a checkpoint is noticed`() throws {
    let bytes = try MerkleVectors.bytes("\(Self.folder)/checkpoint.7")
    let right = try Self.checkpoint(7)
    let key = try Self.key()
    for bit in 0..<bytes.count * 8 {
      var forged = bytes
      forged[bit / 8] ^= 1 << UInt8(bit % 8)
      let read = try? Checkpoint(
        verifying: SignedNote(encoded: forged), origin: Self.origin, logKeys: [key])
      #expect(read == nil || read == right)
      // Nothing at all survives: base64 is canonical and the format has no spare room.
      #expect(read == nil)
    }
  }
}
