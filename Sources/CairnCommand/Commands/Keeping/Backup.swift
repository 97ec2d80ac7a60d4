import ArgumentParser
import Cairn
import Rows

struct Backup: CairnSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a backup while the store is in use.",
    discussion: """
      A consistent copy of the log, live rows only; projections are folded anew by a restore. The \
      private key that signs checkpoints is not in it: keep signer.key elsewhere.
      """)

  @Argument(help: "A directory, absent or empty.", completion: .directory) var directory: String

  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let store = try options.openForReading()
    InterruptNote.set(Replay.unfinished)
    defer { InterruptNote.clear() }
    let report = try answering(store.backUp(into: directory))
    try BackupText.write(report, "backed up", json: options.json)
    Store.warnOfCopy(in: directory, isNoted: report.isNoted)
  }
}

struct RestoreBackup: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make a store of a backup, after checking every byte of it.",
    discussion: """
      When the store named by --store is the one that the backup is of, what it purged since is \
      purged from the new store too, and a backup that ends before a checkpoint which that store \
      signed is refused. On another machine give a list that `cairn purges export FILE` wrote after \
      the backup: without either, what was purged since the backup is back.
      """)

  @Argument(help: "The backup's directory.", completion: .directory) var backup: String

  @Option(
    help: ArgumentHelp("The new store's directory, absent or empty.", valueName: "dir"),
    completion: .directory) var into: String

  @Option(
    help: ArgumentHelp("A checkpoint that the backup must not end before.", valueName: "file"),
    completion: .file()) var checkpoint: String?

  @Option(
    help: ArgumentHelp(
      "What the store purged, as cairn purges export wrote it: it is purged again.",
      valueName: "file"), completion: .file()) var purges: String?

  @Flag(help: "Restore even if events that a checkpoint was signed for are missing.")
  var acceptLoss = false

  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let known = try checkpoint.map { (file) throws(Failure) in try WholeInput.text(file) }
    let purged = try purges.map { (file) throws(Failure) in try PurgeList.read(file) }
    let original = try original()
    InterruptNote.set(Replay.unfinished)
    defer { InterruptNote.clear() }
    let report = try answering(
      Store.restore(
        backup, into: into, original: original, purges: purged, checkpoint: known,
        acceptsLoss: acceptLoss))
    try BackupText.write(report, "restored", json: options.json)
    Store.warnOfCopy(in: into, isNoted: report.isNoted)
    if !report.knowsPurges {
      let why = purged == nil ? "" : "the list of purges is no newer than the backup: "
      Diagnostics.line(
        "cairn: \(why)what was purged since this backup was made is not known here, and is back if "
          + "there was any: restore again with --purges FILE (cairn purges export)")
    } else if let purged {
      purged.tellIfStrange(to: "backup", endingAt: report.sequence)
    }
  }

  /// The store that the backup is of; a restore has to work where it is lost.
  private func original() throws(Failure) -> Store? {
    let directory = try options.directory
    do throws(CairnError) { return try Store.open(at: directory, access: .readOnly) } catch {
      if error.code != .missing {
        Diagnostics.line("cairn: \(directory): cannot be opened: \(error.message)")
      }
      return nil
    }
  }
}

enum BackupText {
  static func write(_ report: BackupReport, _ verb: String, json: Bool) throws(Failure) {
    let isRestore = verb == "restored"
    var output = Output()
    if json {
      try output.object { line in
        line.field("sequence", report.sequence)
        line.field("rootHash", report.rootHash.base64)
        line.field("bytes", report.byteCount)
        guard isRestore else { return }
        line.field("purged", report.purgedCount)
        line.field("purgesKnown", report.knowsPurges)
      }
    } else {
      try output.line(
        "\(verb) \(Readable.count(report.sequence, "event")), "
          + "\(Readable.count(report.byteCount, "byte")), root \(report.rootHash.base64)")
      if report.purgedCount > 0 {
        let count = Readable.count(report.purgedCount, "event")
        try output.line("\(count) purged since then purged here, too")
      }
    }
    try output.flush()
  }
}
