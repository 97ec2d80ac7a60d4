import ArgumentParser
import Cairn
import CairnServer
import Files
import Rows

struct Verify: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the log against its hash tree and the projections against their digests.",
    discussion: """
      Every event's checksum, header and content, the tree and its root, every checkpoint that \
      was signed, every snapshot's root, each projection's rows, and what a server was told. Exit \
      code 1, and the first thing that is wrong, when something is.
      """)

  @Flag(help: "Also fold the whole log anew in scratch and compare.") var deep = false

  @Option(
    help: ArgumentHelp(
      "A checkpoint of this store, kept elsewhere, that the log has to continue.", valueName: "file"
    ), completion: .file()) var against: String?

  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let checkpoint = try against.map { (path) throws(Failure) in try WholeInput.text(path) }
    let directory = try options.directory
    var found: Verification
    do throws(CairnError) { found = try verify(directory, checkpoint) } catch {
      // What is too damaged to be opened has been verified, and not found sound.
      guard Self.isDamage(error, of: directory) else {
        var failure = Failure(error)
        if error.code == .notVerified {
          failure.message = error.message + "; name one that this store signed"
        }
        throw failure
      }
      found = Verification(damage: error)
    }
    found.addKeptFiles(of: directory)
    try write(found)
    if let problem = found.problems.first {
      let event = problem.sequence.map { "event \($0)" }
      let isNamed = event.map(problem.place.hasSuffix) ?? true
      let others = found.problems.count - 1
      throw Failure(
        .no,
        (isNamed ? "" : (event ?? "") + ": ") + problem.advisedMessage
          + (others > 0 ? " (and \(others) more: --json lists all)" : ""), place: problem.place)
    }
  }

  /// Whether the error is of a file of the store, rather than of there being no store.
  private static func isDamage(_ error: CairnError, of directory: String) -> Bool {
    guard let place = error.place else { return error.code == .corrupt }
    // A log that holds nothing, and has no projections beside it, is only about to be a store's.
    if place.hasPrefix("log.mdb"), [.missing, .notAStore].contains(error.code),
      FileStatus("\(directory)/CURRENT") == nil
    {
      return false
    }
    // A row has a checksum: one of another format was written by a newer program.
    if error.code == .unsupportedFormat, place.hasPrefix("log.mdb, ") { return false }
    let isView = place.hasPrefix("view-") && place.contains(".mdb")
    let isOurs = isView || place.hasPrefix("log.mdb") || place == "CURRENT"
    return error.code == .corrupt
      || isOurs && [.missing, .notAStore, .unsupportedFormat].contains(error.code)
  }

  private func verify(_ directory: String, _ checkpoint: String?) throws(CairnError) -> Verification
  {
    let store = try Store.open(at: directory, access: .readOnly)
    defer { store.close() }
    // Only the bar needs it: damage is for the verification to name.
    let head = try? store.at().sequence
    var progress = Progress("verifying")
    let found = try store.verify(deep: deep, against: checkpoint) { sequence in
      progress.update(Int(clamping: sequence), of: head.map { Int(clamping: $0) })
      return true
    }
    progress.finish()
    return found
  }

  private func write(_ found: Verification) throws(Failure) {
    var output = Output()
    if options.json {
      try output.object { $0.fields(of: found) }
    } else {
      try output.line(
        "events       \(Readable.number(found.eventCount)), hash tree of \(found.treeSize)")
      try output.line("root hash    \(found.rootHash?.base64 ?? "")")
      if found.checkpointCount > 0 {
        try output.line(
          "checkpoints  \(Readable.number(found.checkpointCount)) signed, all on this tree")
      }
      if let against, found.isSound {
        try output.line("against      \(DisplayText.harmless(against)): this log continues it")
      }
      for projection in found.projections {
        let verdict = projection.isEqual ? "ok" : "differs"
        try output.line("\(DisplayText.pad(projection.name, 13))\(projection.stored)  \(verdict)")
      }
      if found.projectionsAreOutdated {
        try output.line("projections  made by another version or schema, not compared")
        try output.line("             the next write makes them anew; or run: cairn rebuild")
      }
      if let purge = found.pendingPurge {
        try output.line("the purge of event \(purge) is pending: the next append goes on with it")
      }
      let count = found.problems.count
      try output.line(
        found.isSound ? "all is well" : count == 1 ? "1 problem" : "\(count) problems")
    }
    try output.flush()
  }
}
