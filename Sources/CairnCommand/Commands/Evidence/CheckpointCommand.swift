import ArgumentParser
import Cairn
import Rows

struct CheckpointCommand: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "checkpoint",
    abstract: "Sign what the log is now, so that others can hold it to it.",
    discussion: """
      Writes a C2SP signed checkpoint: origin, number of events, root hash, Ed25519 signature. \
      The first one makes the store's key, signer.key, readable by its owner alone; no copy and \
      no backup holds it, so keep one yourself. The key's name is the log's origin and stays for \
      the store's life. With --old the request for a witness, see: cairn witness --help.
      """)

  @Flag(help: "Write the verifier key (C2SP vkey) that others check checkpoints with.") var key =
    false

  @Option(
    help: ArgumentHelp(
      "The log's name, at its first checkpoint; best a URL without its scheme.", valueName: "name"))
  var origin: String?

  @Option(
    help: ArgumentHelp(
      "Write the request for a witness that cosigned so many events last (0: none).",
      valueName: "events")) var old: UInt64?

  @Flag(help: "Give the store a new key under its old name, and write the verifier key.")
  var newKey = false

  @OptionGroup var writer: WriterOptions

  func validate() throws {
    guard [key, newKey, old != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("--key, --new-key and --old exclude each other.")
    }
    guard origin == nil || (old == nil && !newKey) else {
      throw ValidationError("--origin goes with the first checkpoint or --key.")
    }
  }

  func run() throws(Failure) {
    if key, origin == nil, let known = try knownKey() { return try writeKey(known) }
    let store = try writer.openToSign()
    if key || newKey {
      let text = try answering(
        newKey ? try store.renewSigningKey() : try store.verifierKey(origin: origin))
      return try writeKey(text)
    }
    if let old {
      let request = try answering(store.witnessRequest(since: old))
      return try EvidenceText.print(request)
    }
    let checkpoint = try answering(store.checkpoint(origin: origin))
    guard writer.options.json else { return try EvidenceText.print(checkpoint.text) }
    var output = Output()
    try output.object { line in
      line.fields(of: checkpoint)
      line.field("checkpoint", checkpoint.text)
    }
    try output.flush()
  }

  /// The key of a store that has one, which needs no right to write.
  private func knownKey() throws(Failure) -> String? {
    let store = try writer.options.openForReading()
    defer { store.close() }
    do throws(CairnError) { return try store.verifierKey() } catch {
      guard error.code == .readOnly else { throw Failure(error) }
      return nil
    }
  }

  private func writeKey(_ text: String) throws(Failure) {
    try Output.answer(text, json: writer.options.json) { $0.field("key", text) }
  }
}

extension WriterOptions {
  /// Opens the store to sign what it is; says who can where this user cannot.
  func openToSign() throws(Failure) -> Store {
    do { return try openExisting() } catch {
      guard error.status == .disk, let store = try? options.openForReading(),
        store.projectionFailure?.code != .diskFull, let issued = try? store.issuedCheckpoints()
      else { throw error }
      let signed = issued.last.map {
        "signed last: \(Readable.count($0.size, "event")), \(Readable.time($0.time)); with that "
          + "checkpoint as a file: cairn prove inclusion N --tlog-proof FILE --checkpoint FILE"
      }
      let what = "only who may write the store can sign; \(signed ?? "nothing was signed yet")"
      throw Failure(.disk, what, place: "signer.key")
    }
  }
}
