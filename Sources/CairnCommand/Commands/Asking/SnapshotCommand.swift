import ArgumentParser
import Cairn
import Rows

struct SnapshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot", abstract: "Give points in time a name.",
    discussion: "A snapshot is a name for a sequence number; it costs nothing to keep.",
    subcommands: [Create.self, List.self, ShowOne.self, Remove.self, Restore.self])

  struct Create: CairnSubcommand {
    static let configuration = CommandConfiguration(abstract: "Name the present, or --as-of.")
    @Argument(help: "The name; it may not read as a number or a time.") var name: String
    @Option(
      help: ArgumentHelp("Name this point (cairn help points).", valueName: "point"),
      completion: .points) var asOf: PointArgument?
    @OptionGroup var writer: WriterOptions

    func run() throws(Failure) {
      let store = try writer.openExisting()
      let point = try asOf?.point(of: store) ?? .head
      let snapshot = try answering(store.createSnapshot(name, at: point))
      try SnapshotRow.write([snapshot], json: writer.options.json)
    }
  }

  struct List: CairnSubcommand {
    static let configuration = CommandConfiguration(abstract: "List the names.")
    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      let store = try options.openForReading()
      let snapshots = try answering(store.snapshots())
      let heading = snapshots.isEmpty ? nil : options
      try SnapshotRow.write(snapshots, json: options.json, heading: heading)
      let none = "no snapshots; make one with: cairn snapshot create NAME"
      Listing.ending(snapshots.count, "snapshot", none: none, options)
    }
  }

  struct ShowOne: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show what a name stands for.")
    @Argument(help: "The name.", completion: .snapshots) var name: String
    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      let store = try options.openForReading()
      guard let snapshot = try answering(store.snapshot(name)) else { throw SnapshotRow.unknown }
      try SnapshotRow.write([snapshot], json: options.json)
    }
  }

  struct Remove: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Forget a name, in the files too; the history stays.")
    @Argument(help: "The name.", completion: .snapshots) var name: String
    @OptionGroup var writer: WriterOptions

    func run() throws(Failure) {
      let store = try writer.openExisting()
      let known = try answering(store.snapshot(name))
      let isGone = try answering(store.forgetSnapshot(name))
      guard let known, let isGone else { throw SnapshotRow.unknown }
      try SnapshotRow.write([known], json: writer.options.json)
      guard !isGone else { return }
      Diagnostics.line(
        "cairn: a read that is still going on keeps the name in free pages of log.mdb; the next "
          + "purge or snapshot delete overwrites it")
    }
  }

  struct Restore: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "restore", abstract: "Make a new store that ends where the snapshot was made.")
    @Argument(help: "The name.", completion: .snapshots) var name: String
    @Option(
      help: ArgumentHelp("A directory that is absent or empty.", valueName: "dir"),
      completion: .directory) var into: String
    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      let store = try options.openForReading()
      guard let snapshot = try answering(store.snapshot(name)) else { throw SnapshotRow.unknown }
      let isNoted = try answering(
        store.copy(at: try store.at(.sequence(snapshot.sequence)), into: into))
      try SnapshotRow.write([snapshot], json: options.json)
      Store.warnOfCopy(in: into, isNoted: isNoted)
    }
  }
}

enum SnapshotRow {
  static let unknown = Failure(.no, "no snapshot has that name; see: cairn snapshot list")

  static func write(
    _ snapshots: [NamedSnapshot], json: Bool, heading options: StoreOptions? = nil
  ) throws(Failure) {
    var output = Output()
    let table = Table([.share(1), .right(9), .left(Readable.timeWidth), .right(9), .left(12)])
    if let options {
      let names = ["NAME", "EVENT", "RECORDED", "ITEMS", "ROOT HASH"]
      try Listing.heading(names, table, options, to: &output)
    }
    for snapshot in snapshots {
      let cells = [
        snapshot.name, String(snapshot.sequence), snapshot.recorded.map(Readable.time) ?? "",
        Readable.number(snapshot.itemCount), String(snapshot.rootHash.base64.prefix(12)),
      ]
      try output.row(table.row(cells), json: json) { $0.fields(of: snapshot) }
    }
    try output.flush()
  }
}

extension WriterOptions {
  /// Opens a store to change it, where making a new one would make no sense.
  func openExisting() throws(Failure) -> Store {
    try options.openForReading().close()
    return try open()
  }
}
