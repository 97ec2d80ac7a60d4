import ArgumentParser
import Cairn
import Rows

struct Export: CairnSubcommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// As `append` reads them.
    case ndjson
    /// CloudEvents 1.0 in JSON, one a line.
    case cloudevents
    /// RFC 4180, with a header.
    case csv
    /// The leaves and hashes as static files (C2SP tlog-tiles).
    case tiles
    /// Those of ``PeerExport/Format``, which hold pages only.
    case browserexport, netscape, activitywatch, opml, atom
  }

  static let configuration = CommandConfiguration(
    abstract: "Write every event in a format that other programs read.",
    discussion: """
      browserexport and activitywatch hold visits of pages; netscape, opml and atom hold bookmarks. \
      tiles publishes the hash tree, not the events: a signed checkpoint, tiles and the leaves, \
      which hold nothing personal, in a directory that can be served as it is (C2SP tlog-tiles). \
      Into a directory with an earlier export only what is new is written.

      Some of the events, as append reads them, come from log: cairn log --actor ann --json.
      """)

  @Argument(help: "For tiles: the directory.", completion: .directory) var directory: String?

  @Option(
    help: """
      ndjson, cloudevents (1.0, one a line), csv, tiles, browserexport, netscape, activitywatch, \
      opml or atom.
      """) var format = Format.ndjson

  @Option(help: ArgumentHelp("Last point.", valueName: "point"), completion: .points)
  var asOf: PointArgument?

  @OptionGroup var writer: WriterOptions

  func validate() throws {
    if format != .tiles, let directory, Format(rawValue: directory) != nil {
      throw ValidationError("A format is an option: cairn export --format \(directory).")
    }
    guard (format == .tiles) == (directory != nil) else {
      throw ValidationError(
        "Only --format tiles takes a directory, and needs one; into a file: cairn export > FILE.")
    }
    guard format != .tiles || asOf == nil else {
      throw ValidationError("Tiles are published up to the head: no --as-of.")
    }
  }

  func run() throws(Failure) {
    if let directory { return try writeTiles(directory) }
    let store = try writer.options.openForReading()
    var query = EventQuery()
    // Every event of the log until then, whether searches know it yet or not.
    if let asOf { query.through = try asOf.lastSequence(of: store) }
    if let peer = PeerExport.Format(rawValue: format.rawValue) {
      return try write(query, store, peer)
    }
    try EventStream.write(query, of: store, as: EventFormat(rawValue: format.rawValue) ?? .ndjson)
  }

  private func write(_ query: EventQuery, _ store: Store, _ peer: PeerExport.Format) throws(Failure)
  {
    var query = query
    // Of bookmarks the last one counts.
    query.isReversed = peer.isOfBookmarks
    var output = Output()
    var writer = PeerExport(peer)
    try writer.begin(&output, now: .now())
    var problem: Failure?
    try answering(
      store.forEachEvent(query) { event in
        do throws(Failure) { try writer.write(event, to: &output) } catch { problem = error }
        return problem == nil
      })
    if let problem { throw problem }
    try writer.end(&output)
    try output.flush()
    guard writer.leftOutCount > 0 else { return }
    let count = Readable.count(writer.leftOutCount, "bookmark")
    Diagnostics.line("cairn: left out \(count) of what is neither a page nor a file")
  }

  private func writeTiles(_ directory: String) throws(Failure) {
    let store = try writer.openExisting()
    let done = try answering(store.exportTiles(into: directory))
    try Output.answer(
      "\(Readable.count(done.checkpoint.size, "event")) in "
        + "\(Readable.count(done.fileCount, "new file")), "
        + "\(Readable.bytes(done.byteCount)); read back and checked",
      json: writer.options.json
    ) { line in
      line.fields(of: done.checkpoint)
      line.field("files", done.fileCount)
      line.field("bytes", done.byteCount)
    }
  }
}
