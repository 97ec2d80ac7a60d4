import Evidence
import Foundation
import HashTree
import TestSupport
import Testing

@Suite struct `Proof files` {
  struct Case {
    var log: SignerKey
    var witnesses: [SignerKey]
    var tree: StoredTree
    var note: SignedNote

    init(size: Int = 11) throws {
      log = try SignerKey(name: "log.example", seed: [UInt8](repeating: 1, count: 32))
      witnesses = try (2...3).map {
        try SignerKey(
          name: "w\($0)", algorithm: .cosignature, seed: [UInt8](repeating: UInt8($0), count: 32))
      }
      tree = StoredTree((0..<size).map { HashTree.leaf([UInt8($0)]) })
      note = try Checkpoint(origin: "log.example", size: UInt64(size), root: tree.compactRange.root)
        .signed(by: [log] + witnesses, time: 77)
    }

    func trust(quorum: Int = 0) throws -> TrustedKeys {
      try TrustedKeys(
        logs: [log.verifier.text], witnesses: witnesses.map(\.verifier.text), quorum: quorum)
    }

    func proof(_ index: Int, extra: [UInt8]? = nil) throws -> OfflineProof {
      let made = try InclusionProof(
        leafIndex: UInt64(index), treeSize: tree.compactRange.size, node: tree.node)
      return OfflineProof(
        extra: extra, leafIndex: UInt64(index), hashes: try #require(made).hashes, checkpoint: note)
    }
  }

  @Test(arguments: [nil, [UInt8(1), 2, 3]])
  func `a proof file reads back as written and shows its entry`(extra: [UInt8]?) throws {
    let setting = try Case()
    for index in 0..<11 {
      let proof = try setting.proof(index, extra: extra)
      let read = try OfflineProof(encoded: Array(proof.encoded.utf8))
      #expect(read == proof)
      let proven = try setting.trust(quorum: 2).proof(
        Array(proof.encoded.utf8), leaf: [UInt8(index)])
      #expect(proven.leafIndex == index && proven.checkpoint.size == 11)
    }
  }

  @Test func `a receipt of many sequences is read, however long`() throws {
    let proof = try Case().proof(4, extra: [UInt8](repeating: 7, count: 6 << 20))
    #expect(try OfflineProof(encoded: Array(proof.encoded.utf8)) == proof)
  }

  @Test func `the file begins as the format says`() throws {
    let lines = try Case(size: 2).proof(1, extra: [0]).encoded.split(separator: "\n")
    #expect(lines.prefix(3) == ["c2sp.org/tlog-proof@v1", "extra AA==", "index 1"])
    #expect(lines[3] == Substring(HashTree.leaf([0]).base64))
    #expect(lines[4] == "log.example")
  }

  @Test func `another entry, key or quorum is refused for its own reason`() throws {
    let setting = try Case()
    let proof = Array(try setting.proof(4).encoded.utf8)
    let (log, witness) = (setting.log.verifier.text, setting.witnesses[0].verifier.text)
    #expect(try setting.trust(quorum: 2).proof(proof, leaf: [4]).leafIndex == 4)
    expectError(.notVerified) { try setting.trust().proof(proof, leaf: [5]) }
    expectError(.notVerified) { try TrustedKeys(logs: [witness]).proof(proof, leaf: [4]) }
    let stranger = try SignerKey(
      name: "w2", algorithm: .cosignature, seed: [UInt8](repeating: 9, count: 32))
    let trust = try TrustedKeys(
      logs: [log], witnesses: [witness, stranger.verifier.text], quorum: 2)
    expectError(.notVerified) { try trust.proof(proof, leaf: [4]) }
  }

  @Test func `one witness under two names counts once`() throws {
    var setting = try Case()
    let twin = try SignerKey(
      name: "twin", algorithm: .cosignature, seed: [UInt8](repeating: 2, count: 32))
    try setting.note.sign(with: twin, time: 78)
    let proof = Array(try setting.proof(0).encoded.utf8)
    let trust = try TrustedKeys(
      logs: [setting.log.verifier.text],
      witnesses: [setting.witnesses[0].verifier.text, twin.verifier.text], quorum: 2)
    expectError(.notVerified) { try trust.proof(proof, leaf: [0]) }
  }

  @Test func `a file that is not exactly right is refused`() throws {
    let setting = try Case()
    let text = try setting.proof(3, extra: [9]).encoded
    let changes = [
      ("@v1", "@v2"), ("index 3", "index 03"), ("index 3", "index"), ("index 3\n", ""),
      ("extra CQ==", "extra "), ("extra CQ==", "extra CQ"), ("\n\nlog", "\nlog"),
      ("index 3\n", "index 3\n\n"), ("index 3\n", "index 3\nAAAA\n"),
      ("index 3\n", "index 3\n" + String(repeating: HashTree.emptyRoot.base64 + "\n", count: 61)),
    ]
    for (part, other) in changes {
      let range = try #require(text.firstRange(of: part))
      let changed = text.replacingCharacters(in: range, with: other)
      #expect(throws: CairnError.self) {
        try setting.trust().proof(Array(changed.utf8), leaf: [3])
      }
    }
  }

  @Test func `a flipped bit in any byte of a file without extra data is noticed`() throws {
    let setting = try Case(size: 3)
    let bytes = Array(try setting.proof(1).encoded.utf8)
    let trust = try setting.trust(quorum: 2)
    var random = SeededGenerator(seed: 13)
    for offset in bytes.indices {
      var forged = bytes
      forged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      #expect(throws: CairnError.self) { try trust.proof(forged, leaf: [1]) }
    }
  }
}
