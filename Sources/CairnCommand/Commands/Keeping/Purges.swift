import ArgumentParser
import Cairn
import Rows

struct Purges: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purges", abstract: "Tell other copies of a store what was purged.",
    discussion: """
      A copy made before a purge still holds what was purged. Keep the newest list beside your \
      backups: cairn restore DIR --into DIR --purges FILE purges it again, and cairn purges apply \
      FILE does so in a copy that is in use.
      """, subcommands: [ExportList.self, ApplyList.self, Blocks.self])

  struct ExportList: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write the list of what was purged; it names nothing.",
      discussion:
        "Sequences and salted hashes of the erased events: their content cannot be guessed.")

    @Argument(help: "The file; - is standard output.", completion: .file()) var file = "-"

    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      try options.refuseStoreFile(file)
      let store = try options.openForReading()
      let list = try answering(store.purgeList())
      if file == "-" { return try EvidenceText.print(list.encoded) }
      try EvidenceText.write(list.encoded, to: file)
      if try answering(store.hasBlocks()) {
        Diagnostics.line(
          "cairn: what purges block is not in the list, which names nothing; in a store restored from "
            + "it, purge with --block once more")
      }
      try Output.answer(
        "\(Readable.count(list.entries.count, "purged event")) of "
          + "\(Readable.number(list.size)) listed; they name nothing", json: options.json
      ) { line in
        line.field("size", list.size)
        line.field("entries", list.entries.count)
      }
    }
  }

  struct ApplyList: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "apply", abstract: "Purge from this copy of a store what the list names.",
      discussion: """
        Prints the plan, asks on a terminal, and then prints the receipt. Without a terminal it \
        needs --yes. Events that this copy never had are passed over.
        """)

    @Argument(help: "What cairn purges export wrote; - is standard input.", completion: .file())
    var file: String

    @Flag(help: "Print the plan and change nothing.") var dryRun = false

    @Flag(help: "Do not ask.") var yes = false

    @OptionGroup var writer: WriterOptions

    func run() throws(Failure) {
      let list = try PurgeList.read(file)
      var run = PurgeRun(json: writer.options.json, yes: yes)
      run.mayTakeAll = true
      try run.perform(dryRun: dryRun, writer) { (store) throws(CairnError) in
        let scope = try store.scope(of: list)
        list.tellIfStrange(to: "store", endingAt: try store.at().sequence)
        return scope
      }
    }
  }

  struct Blocks: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "blocks",
      abstract: "Count what purges with --block refuse, or ask about one name.",
      discussion: """
        Which names are refused cannot be listed, since only keyed digests of them are kept: ask \
        with --domain or --item; the exit code is 1 where nothing refuses that. To accept it \
        again: cairn purge --unblock with the same conditions.
        """)

    @Option(
      help: ArgumentHelp("Whether events in this domain are refused.", valueName: "domain"),
      completion: .domains) var domain: String?

    @Option(help: ArgumentHelp("Whether events of this item are refused.", valueName: "item"))
    var item: String?

    @OptionGroup var options: StoreOptions

    func validate() throws {
      try requireAtMostOne(of: (domain != nil, "--domain"), (item != nil, "--item"))
    }

    func run() throws(Failure) {
      let store = try options.openForReading()
      if domain != nil || item != nil { return try answer(store) }
      let counts = try answering(store.blockCounts())
      try Output.answer(
        "refused: \(Readable.count(counts.names, "name")) of domains and items, "
          + "\(Readable.count(counts.events, "event")) by id", json: options.json
      ) { line in
        line.field("names", counts.names)
        line.field("events", counts.events)
      }
    }

    /// Says whether an event that names nothing else would be refused.
    private func answer(_ store: Store) throws(Failure) {
      var event = Event(kind: .delete, item: item)
      if let domain { event.domain = .value(domain) }
      let isRefused = try answering { () throws(CairnError) -> Bool in
        try store.refuses(try event.encoded())
      }
      try Output.answer(isRefused ? "refused" : "not refused", json: options.json) { line in
        line.field("refused", isRefused)
      }
      if !isRefused { throw Failure(.no, nil) }
    }
  }
}

extension PurgeList {
  /// Reads a list, naming the file where it is none.
  static func read(_ file: String) throws(Failure) -> PurgeList {
    let bytes = try WholeInput.read(file, limit: 1 << 30)
    do { return try PurgeList(String(decoding: bytes, as: UTF8.self)) } catch {
      throw Failure(.data, error.message, place: file)
    }
  }

  /// Says that it names no event up to the last one of a copy: it may be of another store, which an
  /// event that it names would tell.
  func tellIfStrange(to copy: String, endingAt last: UInt64) {
    guard let first = entries.first, first.sequence > last else { return }
    Diagnostics.line(
      "cairn: the list of purges names no event of this \(copy), so nothing is purged again; is it "
        + "of the same store?")
  }
}
