package import Cairn

extension JSONLine {
  /// Hashes as an array of base64 texts.
  package mutating func field(_ key: StaticString, hashes: [Hash32]) {
    let texts = hashes.map { "\"\($0.base64)\"" }
    field(key, json: Array("[\(texts.joined(separator: ","))]".utf8))
  }

  package mutating func fields(of checkpoint: SignedCheckpoint) {
    field("origin", checkpoint.origin)
    field("treeSize", checkpoint.size)
    field("rootHash", checkpoint.rootHash.base64)
  }

  /// The fields of a proof that an event is in the log.
  package mutating func fields(of proof: InclusionEvidence) {
    field("leaf", Base64.encode(proof.leaf))
    field("leafHash", proof.leafHash.base64)
    field("leafIndex", proof.leafIndex)
    field("treeSize", proof.treeSize)
    field("rootHash", proof.rootHash.base64)
    field("hashes", hashes: proof.hashes)
  }

  package mutating func fields(of proof: ConsistencyEvidence) {
    field("oldSize", proof.oldSize)
    field("newSize", proof.newSize)
    field("oldRoot", proof.oldRoot.base64)
    field("newRoot", proof.newRoot.base64)
    field("hashes", hashes: proof.hashes)
  }

  package mutating func fields(of found: Verification) {
    field("ok", found.isSound)
    field("treeSize", found.treeSize)
    field("rootHash", found.rootHash?.base64 ?? "")
    field("events", found.eventCount)
    if let purge = found.pendingPurge { field("pendingPurge", purge) }
    if found.projectionsAreOutdated { field("outdated", true) }
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
