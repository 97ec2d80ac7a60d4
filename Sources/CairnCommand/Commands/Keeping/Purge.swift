import ArgumentParser
import Cairn
import Glibc

struct Purge: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Erase history for good, with evidence that nothing else was touched.",
    discussion: """
      Takes names, content, ids, kinds and times out of every file of the store, as if these events \
      had never happened. Their sequences and salted hashes stay, so old proofs hold; what was erased \
      cannot be confirmed from them. Events that log format 1 recorded keep id, hour and kind: cairn \
      doctor counts them. Copies and backups outside the store are not touched. Prints the plan, asks \
      on a terminal, and then prints the receipt. Without a terminal it needs --yes.
      """)

  @Option(help: ArgumentHelp("Everything of this domain and below it.", valueName: "domain"))
  var domain: String?

  @Option(help: ArgumentHelp("Everything about this item.", valueName: "id")) var item: String?

  @Option(help: ArgumentHelp("Everything that happened before this time.", valueName: "time"))
  var before: TimeArgument?

  @Flag(name: .customLong("dry-run"), help: "Print the plan and change nothing.") var dryRun = false

  @Flag(help: "Do not ask.") var yes = false

  @Flag(help: "Also refuse later events in that domain or of that item.") var block = false

  @Flag(help: "Erase nothing; accept events in that domain or of that item again.") var unblock =
    false

  @OptionGroup var writer: WriterOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard [domain != nil, item != nil, before != nil].count(where: { $0 }) == 1 else {
      throw ValidationError("Give one of --domain, --item and --before.")
    }
    guard domain != "", item != "" else { throw ValidationError("A domain or an item has a name.") }
    guard !(block || unblock) || before == nil else {
      throw ValidationError("Only a domain or an item can be blocked.")
    }
    guard [block, unblock, dryRun].count(where: { $0 }) <= 1 else {
      throw ValidationError("--block, --unblock and --dry-run contradict each other.")
    }
  }

  private var scope: PurgeScope {
    if let domain { return .domain(domain) }
    if let item { return .item(item) }
    return .before(before?.time ?? Timestamp(seconds: 0))
  }

  func run() throws(Failure) {
    let run = PurgeRun(json: options.json, yes: yes)
    if dryRun {
      let store = try options.openForReading()
      return try run.show { () throws(CairnError) in try store.planPurge(scope) }
    }
    if !unblock { try run.requireConsent() }
    let store = try writer.openExisting(options)
    if unblock {
      let found = try answering { () throws(CairnError) in try store.unblock(scope) }
      if !found { throw Failure(.no, "it is not blocked") }
      return
    }
    try run.erase(
      plan: { () throws(CairnError) in try store.planPurge(scope) },
      purge: { (progress) throws(CairnError) in
        try store.purge(scope, blocking: block, progress: progress)
      })
    store.close()
  }
}

/// Shows a plan, asks, and shows the receipt: what erasing commands have in common.
struct PurgeRun {
  let json: Bool
  let yes: Bool

  /// Shows a plan and changes nothing.
  func show(_ plan: () throws(CairnError) -> PurgePlan) throws(Failure) {
    try PurgeText(json: json).write(try answering(plan))
  }

  /// Refuses to go on where nobody could be asked.
  func requireConsent() throws(Failure) {
    guard yes || isatty(STDIN_FILENO) == 1 else {
      throw Failure(.usage, "purging cannot be undone: say --yes, or --dry-run to see the plan")
    }
  }

  /// Erases, after asking unless that was said to be needless.
  func erase(
    plan: () throws(CairnError) -> PurgePlan,
    purge: (_ progress: (RebuildProgress) -> Bool) throws(CairnError) -> PurgeReceipt?
  ) throws(Failure) {
    if !yes {
      let plan = try answering(plan)
      try PurgeText(json: false).write(plan)
      guard plan.eventCount == 0 || Self.confirms() else {
        throw Failure(.no, "nothing was purged")
      }
    }
    var progress = Progress("purging")
    let receipt = try answering { () throws(CairnError) in
      try purge { state in
        progress.update(Int(clamping: state.sequence), of: Int(clamping: state.head))
        return true
      }
    }
    progress.finish()
    if let receipt { try PurgeText(json: json).write(receipt) }
  }

  private static func confirms() -> Bool {
    Diagnostics.line("This cannot be undone. Type yes to go on:")
    return readLine() == "yes"
  }
}

/// Plans and receipts of purges, for programs or for people.
struct PurgeText {
  let json: Bool

  func write(_ plan: PurgePlan) throws(Failure) {
    var output = Output()
    if json {
      try output.object { line in
        line.field("events", plan.eventCount)
        line.field("items", plan.itemCount)
        line.field("domains", plan.domainCount)
        line.field("bytes", plan.byteCount)
        line.object("kinds") { kinds in
          for kind in EventKind.allCases {
            if let count = plan.kinds[kind] { kinds.field(kind.name, count) }
          }
        }
      }
    } else {
      try output.line(
        "would erase \(Self.count(plan.eventCount, "event")) about "
          + "\(Self.count(plan.itemCount, "item")) in \(Self.count(plan.domainCount, "domain")), "
          + "\(Self.count(plan.byteCount, "byte")) of content")
      for kind in EventKind.allCases {
        guard let count = plan.kinds[kind] else { continue }
        try output.line("  \(kind.name): \(Readable.number(count))")
      }
    }
    try output.flush()
  }

  func write(_ receipt: PurgeReceipt) throws(Failure) {
    var output = Output()
    if json {
      try output.object { line in
        line.field("purge", optional: receipt.id?.uuidString)
        line.field("sequence", optional: receipt.sequence)
        line.field("events", receipt.plan.eventCount)
        line.field("items", receipt.plan.itemCount)
        line.field("digest", JSONLine.base64(receipt.plan.digest))
        line.field("filesScanned", receipt.scannedFileCount)
        line.field("residue", receipt.residueByteCount)
        line.field("state", receipt.isComplete ? "complete" : "pending")
      }
    } else if let sequence = receipt.sequence {
      try output.line(
        "erased \(Self.count(receipt.plan.eventCount, "event")) about "
          + "\(Self.count(receipt.plan.itemCount, "item")); recorded as event \(sequence)")
      try output.line(
        receipt.isComplete
          ? "looked through \(Self.count(receipt.scannedFileCount, "file")): nothing is left"
          : "unreadable from now on; a read that is still going on keeps \(Self.pending)")
    } else {
      try output.line("nothing to purge")
    }
    try output.flush()
  }

  private static let pending = "the files from being cleaned: the next command goes on with that"

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(Readable.number(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
