import ArgumentParser
import Cairn
import Files
import Rows

struct WitnessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "witness",
    abstract: "Cosign other logs' checkpoints, and never two that contradict each other.",
    discussion: """
      A witness remembers the largest tree that it cosigned of each log and refuses a log that \
      went back, shows two histories or proves nothing (C2SP tlog-witness, without the HTTP):

        cairn witness key --name example.com/witness
        cairn witness trust "$(cairn checkpoint --key)"
        cairn checkpoint --old 0 | cairn witness cosign

      The answer is a signature line; added to the checkpoint, `cairn check --witness` checks it.
      """, subcommands: [Key.self, Trust.self, Cosign.self, Logs.self])

  struct Key: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "key",
      abstract: "Write the witness's verifier key; with --name, make the witness first.")
    @Option(help: ArgumentHelp("The key's name; best a URL without its scheme.", valueName: "name"))
    var name: String?
    @OptionGroup var state: WitnessOptions

    func run() throws(Failure) {
      let witness = try state.open(name: name)
      let key = witness.verifierKey
      try Output.answer(key, json: state.json) { $0.field("key", key) }
    }
  }

  struct Trust: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Trust a log's verifier key; its name is the log's origin.")
    @Argument(help: "What `cairn checkpoint --key` writes.") var vkey: String
    @OptionGroup var state: WitnessOptions

    func run() throws(Failure) {
      let witness = try state.open()
      try answering(witness.trust(vkey))
    }
  }

  struct Cosign: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "cosign",
      abstract: "Cosign the checkpoint of a request, if it continues what was cosigned last.",
      discussion: """
        The request is the body of add-checkpoint: `old SIZE`, proof lines, an empty line, the \
        signed checkpoint; `cairn checkpoint --old SIZE` writes it. Writes the signature line. \
        Exit code 1, and why, when the witness refuses; with --json the HTTP status that the \
        protocol gives it, and the size to start from.
        """)
    @Argument(help: "The request; - or nothing is standard input.", completion: .file()) var file =
      "-"
    @OptionGroup var state: WitnessOptions

    func run() throws(Failure) {
      let witness = try state.open()
      let request = try WholeInput.read(file)
      let answer = try answering(witness.cosign(request))
      var output = Output()
      switch answer {
      case .cosigned(let checkpoint, let signature):
        guard state.json else { return try EvidenceText.print(signature) }
        try output.object { line in
          line.field("status", 200)
          line.fields(of: checkpoint)
          line.field("signature", signature)
        }
        try output.flush()
      case .refused(let refusal):
        if state.json {
          try output.object { line in
            line.field("status", refusal.status)
            line.field("reason", refusal.advisedReason)
            line.field("size", optional: refusal.latestSize)
          }
          try output.flush()
        }
        throw Failure(.no, "refused: \(refusal.advisedReason)")
      }
    }
  }

  struct Logs: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "logs",
      abstract: "List the logs that are trusted, and what was cosigned last of each.")
    @OptionGroup var state: WitnessOptions

    func run() throws(Failure) {
      let witness = try state.open()
      let logs = try answering(witness.logs())
      var output = Output()
      let table = Table([.share(1), .right(9), .left(44)])
      for log in logs {
        let root = log.rootHash.base64
        try output.row(table.row([log.origin, String(log.size), root]), json: state.json) { line in
          line.field("origin", log.origin)
          line.field("treeSize", log.size)
          line.field("rootHash", root)
        }
      }
      try output.flush()
      if logs.isEmpty, !state.json, Terminal.errorsAreTerminal {
        Diagnostics.line("no log is trusted; trust one with: cairn witness trust VKEY")
      }
    }
  }
}

/// Where a witness keeps what it remembers.
struct WitnessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The witness's directory (default: $CAIRN_WITNESS, else $XDG_DATA_HOME/cairn-witness, else ~/.local/share/cairn-witness).",
      valueName: "dir"), completion: .directory) var state: String?

  @Flag(help: .json) var json = false

  /// Opens the witness; with a name it is made where there is none.
  func open(name: String? = nil) throws(Failure) -> CheckpointWitness {
    let directory = try directory
    return try answering(CheckpointWitness(at: directory, name: name))
  }

  private var directory: String {
    get throws(Failure) {
      if let state { return state }
      if let state = Variables.get("CAIRN_WITNESS") { return state }
      guard let data = Variables.dataHome else {
        throw Failure(.usage, "no witness is named and $HOME is not set: give --state DIR")
      }
      return data + "/cairn-witness"
    }
  }
}
