package import Cairn

extension JSONLine {
  /// Hashes as an array of base64 texts.
  package mutating func field(_ key: StaticString, hashes: [Hash32]) {
    let texts = hashes.map { "\"\(Self.base64($0))\"" }
    field(key, json: Array("[\(texts.joined(separator: ","))]".utf8))
  }

  package mutating func fields(of checkpoint: SignedCheckpoint) {
    field("origin", checkpoint.origin)
    field("treeSize", checkpoint.size)
    field("rootHash", Self.base64(checkpoint.rootHash))
  }

  /// The fields of a proof that an event is in the log.
  package mutating func fields(of proof: InclusionEvidence) {
    field("leaf", Self.base64(proof.leaf))
    field("leafHash", Self.base64(proof.leafHash))
    field("leafIndex", proof.leafIndex)
    field("treeSize", proof.treeSize)
    field("rootHash", Self.base64(proof.rootHash))
    field("hashes", hashes: proof.hashes)
  }

  package mutating func fields(of proof: ConsistencyEvidence) {
    field("oldSize", proof.oldSize)
    field("newSize", proof.newSize)
    field("oldRoot", Self.base64(proof.oldRoot))
    field("newRoot", Self.base64(proof.newRoot))
    field("hashes", hashes: proof.hashes)
  }

  package mutating func fields(of found: Verification) {
    field("ok", found.isSound)
    field("treeSize", found.treeSize)
    field("rootHash", Self.base64(found.rootHash))
    field("events", found.eventCount)
    if let purge = found.pendingPurge { field("pendingPurge", purge) }
    field("projections", objects: found.projections) { line, projection in
      line.field("name", projection.name)
      line.field("digest", projection.stored)
      line.field("ok", projection.isEqual)
    }
    field("checkpoints", found.checkpointCount)
    field("problems", objects: found.problems) { line, problem in
      line.field("sequence", optional: problem.sequence)
      line.field("place", problem.place)
      line.field("message", problem.remedy.map { "\(problem.message); \($0)" } ?? problem.message)
    }
  }

  package mutating func fields(of migration: Migration) {
    field("id", migration.id)
    field("kind", migration.kind.rawValue)
    field("state", migration.state.rawValue)
    field("reversible", migration.isReversible)
    field("since", migration.since)
  }

  /// The fields of a projection that was built anew.
  package mutating func fields(of result: RebuildResult) {
    field("projection", result.projection)
    field("events", result.eventCount)
    field("seconds", result.seconds)
    field("digestBefore", result.digestBefore)
    field("digestAfter", result.digestAfter)
    field("equal", result.isEqual)
  }
}
