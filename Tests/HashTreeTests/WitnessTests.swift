import HashTree
import Testing

@Suite struct `A witness` {
  let log: SignerKey
  let tree: StoredTree

  init() throws {
    log = try SignerKey(name: "log", seed: [UInt8](repeating: 1, count: 32))
    tree = StoredTree((0..<20).map { HashTree.leaf([UInt8($0)]) })
  }

  private func root(_ size: UInt64) throws -> Hash32 {
    try HashTree.root(of: 0..<size, node: tree.node)
  }

  private func checkpoint(_ size: UInt64) throws -> Checkpoint {
    try Checkpoint(origin: "log", size: size, root: root(size))
  }

  private func proof(_ old: UInt64, _ new: UInt64) throws -> [Hash32] {
    try ConsistencyProof(oldSize: old, newSize: new, node: tree.node)?.hashes ?? []
  }

  private func decide(_ checkpoint: Checkpoint, old: UInt64, proof: [Hash32], latest: UInt64) throws
    -> Witness.Record
  {
    try Witness.decide(
      checkpoint: checkpoint, oldSize: old, proof: proof,
      latest: Witness.Record(size: latest, root: root(latest)))
  }

  @Test func `every honest step is accepted and remembered`() throws {
    for old in UInt64(0)...20 {
      for new in old...20 {
        let record = try decide(checkpoint(new), old: old, proof: proof(old, new), latest: old)
        #expect(record == Witness.Record(size: new, root: try root(new)))
      }
    }
  }

  @Test func `a smaller tree than before is a rollback, whatever old size it claims`() throws {
    for old in [UInt64(0), 5, 7] {
      #expect(throws: Witness.Refusal.rollback(latest: 9)) {
        try decide(checkpoint(7), old: old, proof: proof(old, 7), latest: 9)
      }
    }
    #expect(throws: Witness.Refusal.rollback(latest: 9)) {
      try decide(checkpoint(7), old: 9, proof: [], latest: 9)
    }
    #expect(throws: Witness.Refusal.oldSizeBeyondCheckpoint) {
      try decide(checkpoint(7), old: 8, proof: [], latest: 3)
    }
  }

  @Test func `another root at the same size is a fork`() throws {
    let forged = try Checkpoint(origin: "log", size: 9, root: HashTree.leaf([99]))
    #expect(throws: Witness.Refusal.fork) { try decide(forged, old: 9, proof: [], latest: 9) }
  }

  @Test func `a proof that is skipped, starts elsewhere, or belongs to another tree is refused`()
    throws
  {
    let right = try proof(5, 12)
    #expect(throws: Witness.Refusal.missingProof) {
      try decide(checkpoint(12), old: 5, proof: [], latest: 5)
    }
    #expect(throws: Witness.Refusal.otherOldSize(latest: 5)) {
      try decide(checkpoint(12), old: 0, proof: [], latest: 5)
    }
    #expect(throws: Witness.Refusal.otherOldSize(latest: 6)) {
      try decide(checkpoint(12), old: 5, proof: right, latest: 6)
    }
    let forged = try Checkpoint(origin: "log", size: 12, root: HashTree.leaf([99]))
    #expect(throws: Witness.Refusal.badProof) {
      try decide(forged, old: 5, proof: right, latest: 5)
    }
    #expect(throws: Witness.Refusal.badProof) {
      try decide(checkpoint(12), old: 5, proof: right.dropLast(), latest: 5)
    }
  }

  @Test func `hashes where nothing is left to prove are refused`() throws {
    #expect(throws: Witness.Refusal.unexpectedProof) {
      try decide(checkpoint(12), old: 0, proof: [HashTree.emptyRoot], latest: 0)
    }
    #expect(throws: Witness.Refusal.unexpectedProof) {
      try decide(checkpoint(12), old: 12, proof: [HashTree.emptyRoot], latest: 12)
    }
  }

  @Test func `an empty tree has the empty root`() throws {
    let forged = try Checkpoint(origin: "log", size: 0, root: HashTree.leaf([]))
    #expect(throws: Witness.Refusal.wrongEmptyRoot) {
      try decide(forged, old: 0, proof: [], latest: 0)
    }
  }

  @Test func `a request reads back as written and is decided`() throws {
    let request = Witness.Request(
      oldSize: 5, proof: try proof(5, 12), checkpoint: try checkpoint(12).signed(by: [log]))
    let read = try Witness.Request(encoded: Array(request.encoded.utf8))
    #expect(read == request)
    let record = try Witness.decide(
      read, logKeys: [log.verifier], latest: Witness.Record(size: 5, root: root(5)))
    #expect(record == Witness.Record(size: 12, root: try root(12)))
  }

  @Test func `unknown logs and unsigned or badly signed checkpoints are refused`() throws {
    let other = try SignerKey(name: "log", seed: [UInt8](repeating: 2, count: 32))
    let request = Witness.Request(
      oldSize: 0, proof: [], checkpoint: try checkpoint(12).signed(by: [log]))
    #expect(throws: Witness.Refusal.unknownOrigin) {
      try Witness.decide(request, logKeys: [], latest: nil)
    }
    #expect(throws: Witness.Refusal.untrusted) {
      try Witness.decide(request, logKeys: [other.verifier], latest: nil)
    }
    #expect(Witness.Refusal.untrusted.status == 403)
    #expect(Witness.Refusal.unknownOrigin.status == 404)
    #expect(Witness.Refusal.otherOldSize(latest: 1).status == 409)
    #expect(Witness.Refusal.badProof.status == 422)
  }

  @Test func `a request with more than 63 hashes or another form is malformed`() throws {
    let note = try checkpoint(12).signed(by: [log]).encoded
    let line = HashTree.emptyRoot.base64 + "\n"
    let longest = "old 1\n" + String(repeating: line, count: 63) + "\n" + note
    #expect(try Witness.Request(encoded: Array(longest.utf8)).proof.count == 63)
    let bad = [
      "", "old 1\n", "old 01\n\n" + note, "old\n\n" + note, "new 1\n\n" + note,
      "old 1\nAAAA\n\n" + note, "old 1\n" + note,
      "old 1\n" + String(repeating: line, count: 64) + "\n" + note, "old 1\n\nlog\n12\n",
    ]
    for text in bad {
      #expect(throws: Witness.Refusal.malformedRequest) {
        try Witness.Request(encoded: Array(text.utf8))
      }
    }
  }
}
