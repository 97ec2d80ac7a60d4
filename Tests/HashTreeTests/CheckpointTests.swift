import HashTree
import TestSupport
import Testing

@Suite struct `Checkpoints` {
  static let root = HashTree.leaf([1]).base64

  @Test func `a checkpoint is written as the format says and reads back`() throws {
    let checkpoint = try Checkpoint(origin: "a.example/log", size: 12, root: HashTree.leaf([1]))
    #expect(checkpoint.text == "a.example/log\n12\n\(Self.root)\n")
    #expect(try Checkpoint(text: checkpoint.text) == checkpoint)
    let extended = try Checkpoint(text: checkpoint.text + "extension 1\nmore\n")
    #expect(extended.extensions == ["extension 1", "more"])
    #expect(extended.text == checkpoint.text + "extension 1\nmore\n")
  }

  @Test(arguments: [
    "", "\n", "o\n1\n", "o\n1\n\(root)", "\n1\n\(root)\n", "o\n\n\(root)\n", "o\n01\n\(root)\n",
    "o\n+1\n\(root)\n", "o\n-1\n\(root)\n", "o\n1 \n\(root)\n", "o\n0x1\n\(root)\n",
    "o\n18446744073709551616\n\(root)\n", "o\n1\n\(root) \n", "o\n1\nAAAA\n", "o\n1\n\n",
    "o\n1\n\(root)\n\n", "o\n1\n\(root)\n\nx\n", "o\n1\n\(root)AAAA\n", "o\n٣\n\(root)\n",
  ]) func `another text is no checkpoint`(text: String) {
    expectError(.malformed) { try Checkpoint(text: text) }
  }

  @Test func `a line that would break the format cannot be written`() {
    for text in ["", "a\nb", "a\u{7}"] {
      expectError(.malformed) {
        try Checkpoint(origin: text, size: 1, root: HashTree.emptyRoot)
      }
      expectError(.malformed) {
        try Checkpoint(origin: "o", size: 1, root: HashTree.emptyRoot, extensions: [text])
      }
    }
  }

  @Test func `only the log's own signed checkpoint is taken for it`() throws {
    let log = try SignerKey(name: "log", seed: [UInt8](repeating: 1, count: 32))
    let other = try SignerKey(name: "other", seed: [UInt8](repeating: 2, count: 32))
    let checkpoint = try Checkpoint(origin: "log", size: 3, root: HashTree.leaf([3]))
    let note = try checkpoint.signed(by: [log, other])
    let keys = [log.verifier]
    #expect(try Checkpoint(verifying: note, origin: "log", logKeys: keys) == checkpoint)
    expectError(.notVerified) {
      try Checkpoint(verifying: note, origin: "log2", logKeys: keys)
    }
    expectError(.notVerified) {
      try Checkpoint(verifying: checkpoint.signed(by: [other]), origin: "log", logKeys: keys)
    }
    var text = try SignedNote(text: "log\n3\n")
    try text.sign(with: log)
    expectError(.malformed) {
      try Checkpoint(verifying: text, origin: "log", logKeys: keys)
    }
  }

  @Test func `a cosignature carries its time and covers it`() throws {
    let witness = try SignerKey(
      name: "w.example", algorithm: .cosignature, seed: [UInt8](repeating: 4, count: 32))
    let checkpoint = try Checkpoint(origin: "log", size: 3, root: HashTree.leaf([3]))
    let note = try checkpoint.signed(by: [witness], time: 1_679_315_147)
    let verified = try note.verified(by: [witness.verifier])
    #expect(verified.map(\.time) == [1_679_315_147])
    let signature = try #require(note.signatures.first)
    #expect(signature.bytes.count == 72)
    // The signed message, byte for byte, checked by a plain key of the same seed.
    let plain = try SignerKey(name: "p", seed: [UInt8](repeating: 4, count: 32))
    #expect(
      plain.verifier.verify(
        signature.bytes.dropFirst(8),
        of: "cosignature/v1\ntime 1679315147\nlog\n3\n\(HashTree.leaf([3]).base64)\n"))
    var later = signature
    later.bytes[7] ^= 1
    #expect(!witness.verifier.verify(later.bytes, of: note.text))
    #expect(throws: CairnError.self) { try witness.sign(note.text, time: 1 << 63) }
  }

  @Test func `a cosignature key and a log key of one seed do not stand for each other`() throws {
    let seed = [UInt8](repeating: 4, count: 32)
    let log = try SignerKey(name: "n", seed: seed)
    let witness = try SignerKey(name: "n", algorithm: .cosignature, seed: seed)
    let note = try Checkpoint(origin: "n", size: 0, root: HashTree.emptyRoot).signed(by: [log])
    expectError(.notVerified) { try note.verified(by: [witness.verifier]) }
  }
}
