import Cairn
import Rows

extension Service {
  static let evidenceRoutes = [
    Route(
      "GET", "/api/v1/checkpoint", .read, "The signed checkpoint of the head (C2SP)",
      gives: .file([MediaType.text])
    ) { (call) throws(Refusal) in
      try call.checkpoint()
    },
    Route(
      "GET", "/api/v1/checkpoint/key", .read, "The key that checks checkpoints (C2SP vkey)",
      gives: .file([MediaType.text])
    ) { (call) throws(Refusal) in
      .text(try answering(call.store.verifierKey()) + "\n")
    },
    Route(
      "GET", "/api/v1/proofs/inclusion", .read, "Proof that an event is in the log",
      [Parameter("sequence", .sequence, required: true), Parameter("size", .sequence)]
    ) { (call) throws(Refusal) in
      let sequence = try call.parameters.sequence("sequence") ?? 0
      let size = try call.parameters.sequence("size")
      let proof = try answering(call.store.inclusionProof(of: sequence, size: size))
      return .object(at: proof.treeSize) { $0.fields(of: proof) }
    },
    Route(
      "GET", "/api/v1/proofs/consistency", .read, "Proof that the log only grew",
      [Parameter("old", .sequence, required: true), Parameter("new", .sequence, required: true)]
    ) { (call) throws(Refusal) in
      let old = try call.parameters.sequence("old") ?? 0
      let new = try call.parameters.sequence("new") ?? 0
      let proof = try answering(call.store.consistencyProof(from: old, to: new))
      return .object(at: proof.newSize) { $0.fields(of: proof) }
    },
  ]
}

extension Call {
  /// The signed checkpoint of the head; that which was signed last where nothing may be written.
  func checkpoint() throws(Refusal) -> Answer {
    if service.options.isReadOnly, let last = try answering(store.lastCheckpoint()) {
      return .text(last.text, at: last.size)
    }
    let signed = try answering(store.checkpoint())
    return .text(signed.text, at: signed.size)
  }
}
