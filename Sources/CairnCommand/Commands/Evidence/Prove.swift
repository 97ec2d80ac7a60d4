import ArgumentParser
import Cairn
import Rows

struct Prove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove", abstract: "Prove that an event is in the log, or that the log only grew.",
    discussion: "RFC 6962 proofs over SHA-256, as JSON with base64, or as text.",
    subcommands: [Inclusion.self, Consistency.self])

  struct Inclusion: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "inclusion",
      abstract: "Prove that an event is in the tree of the head, or of an earlier size.",
      discussion: """
        An erased event is proven too: its leaf holds nothing personal and stays. Exit code 1 \
        where the tree has no such event.
        """)

    @Argument(help: ArgumentHelp("The event.", valueName: "sequence")) var sequence: UInt64

    @Option(help: ArgumentHelp("How many events the tree has (default: all).", valueName: "events"))
    var size: UInt64?

    @Option(
      help: ArgumentHelp(
        "Write a .tlog-proof file instead, which can be checked without the store; - is standard output.",
        valueName: "file"), completion: .file(extensions: ["tlog-proof"])) var tlogProof: String?

    @Option(
      help: ArgumentHelp(
        "The (co)signed checkpoint to put into the file (default: a new one).", valueName: "file"),
      completion: .file()) var checkpoint: String?

    @OptionGroup var writer: WriterOptions

    func validate() throws {
      guard checkpoint == nil || tlogProof != nil else {
        throw ValidationError("--checkpoint goes with --tlog-proof.")
      }
      guard tlogProof == nil || size == nil else {
        throw ValidationError("A proof file goes by its checkpoint: --tlog-proof without --size.")
      }
    }

    func run() throws(Failure) {
      if let tlogProof { return try writeFile(tlogProof) }
      let store = try writer.options.openForReading()
      let proof = try answering(store.inclusionProof(of: sequence, size: size))
      var output = Output()
      if writer.options.json {
        try output.object { $0.fields(of: proof) }
      } else {
        try output.line("event \(sequence) is leaf \(proof.leafIndex) of \(proof.treeSize)")
        try output.line("leaf hash  \(proof.leafHash.base64)")
        for hash in proof.hashes { try output.line("beside     \(hash.base64)") }
        try output.line("root hash  \(proof.rootHash.base64)")
      }
      try output.flush()
    }

    private func writeFile(_ path: String) throws(Failure) {
      try writer.options.refuseStoreFile(path)
      let text = try checkpoint.map { (file) throws(Failure) in try WholeInput.text(file) }
      // What was signed already needs no right to write.
      let store = try text == nil ? writer.openToSign() : writer.options.openForReading()
      let proof = try answering(store.offlineProof(of: sequence, checkpoint: text))
      try EvidenceText.write(proof, to: path)
    }
  }

  struct Consistency: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "consistency",
      abstract: "Prove that the log of a size grew out of the log of a smaller one.",
      discussion: "Exit code 1 for 0, where OLD is more than NEW, or beyond the head.")

    @Argument(help: ArgumentHelp("Events of the older tree.", valueName: "old")) var old: UInt64

    @Argument(help: ArgumentHelp("Events of the newer tree.", valueName: "new")) var new: UInt64

    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      let store = try options.openForReading()
      let proof = try answering(store.consistencyProof(from: old, to: new))
      var output = Output()
      if options.json {
        try output.object { $0.fields(of: proof) }
      } else {
        try output.line("the tree of \(new) events begins with the tree of \(old)")
        try output.line("old root   \(proof.oldRoot.base64)")
        for hash in proof.hashes { try output.line("beside     \(hash.base64)") }
        try output.line("new root   \(proof.newRoot.base64)")
      }
      try output.flush()
    }
  }
}
