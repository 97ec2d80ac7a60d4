import ArgumentParser
import Cairn
import Rows

struct Check: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a checkpoint, a proof file or tiles, without the store they came from.",
    discussion: """
      The path is a signed checkpoint, a .tlog-proof file, or a directory of tiles with its \
      checkpoint. Exit code 1 when it does not hold, 65 when it is none of these.
      """)

  @Argument(help: "The file (- is standard input) or the directory.", completion: .file()) var path:
    String

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A verifier key of the log; may be given several times.", valueName: "vkey"))
  var key: [String]

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A witness's key; may be given several times.", valueName: "vkey"))
  var witness: [String] = []

  @Option(help: ArgumentHelp("How many of the witnesses must have cosigned (default: all)."))
  var quorum: Int?

  @Option(
    help: ArgumentHelp(
      "The leaf that a proof file has to show (default: the one in it).", valueName: "base64"))
  var leaf: Base64Argument?

  @Flag(help: .json) var json = false

  func validate() throws {
    guard (0...witness.count).contains(quorum ?? 0) else {
      throw ValidationError("--quorum takes a number up to that of the witnesses.")
    }
  }

  func run() throws(Failure) {
    let keys = try answering(
      TrustedKeys(logs: key, witnesses: witness, quorum: quorum ?? witness.count))
    if WholeInput.isDirectory(path) {
      let checkpoint = try answering(keys.tiles(in: path))
      return try write("tiles", checkpoint, nil)
    }
    let bytes = try WholeInput.read(path, limit: TrustedKeys.proofByteCountMax)
    if bytes.starts(with: Array("c2sp.org/tlog-proof".utf8)) {
      let proven = try naming(path) { () throws(CairnError) in
        try keys.proof(bytes, leaf: leaf?.bytes)
      }
      return try write("proof", proven.checkpoint, proven)
    }
    guard bytes.first != UInt8(ascii: "{") else {
      throw Failure(
        .data,
        "is JSON, which nobody signed; what can be checked is a file of purge --receipt, "
          + "prove --tlog-proof or checkpoint", place: path)
    }
    let checkpoint = try naming(path) { () throws(CairnError) in try keys.checkpoint(bytes) }
    try write("checkpoint", checkpoint, nil)
  }

  private func naming<R>(_ path: String, _ body: () throws(CairnError) -> R) throws(Failure) -> R {
    try answering { () throws(CairnError) in
      do throws(CairnError) { return try body() } catch {
        throw error.placed(path)
      }
    }
  }

  /// Ranges as far as a line takes them.
  private static func text(of ranges: [ClosedRange<UInt64>]) -> String {
    let shown = SequenceRanges.text(Array(ranges.prefix(rangeCount)))
    guard ranges.count > rangeCount else { return shown }
    let rest = ranges.dropFirst(rangeCount).reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 }
    return "\(shown) and \(Readable.number(rest)) more (--json has all)"
  }

  private static let rangeCount = 10

  private func write(
    _ what: String, _ checkpoint: SignedCheckpoint, _ proven: TrustedKeys.ProvenLeaf?
  ) throws(Failure) {
    guard leaf == nil || proven != nil else {
      throw Failure(.usage, "only a proof file shows a leaf; check it without --leaf", place: path)
    }
    var output = Output()
    if json {
      try output.object { line in
        line.field("ok", true)
        line.field("what", what)
        line.fields(of: checkpoint)
        if let proven {
          line.field("leafIndex", proven.leafIndex)
          line.field("leaf", Base64.encode(proven.leaf))
          if let purge = proven.purge { line.object("purge") { $0.fields(of: purge) } }
        }
      }
    } else {
      let place = proven.map { "event \($0.leafIndex + 1) is in it" } ?? "\(what) verified"
      try output.line("\(checkpoint.origin): \(checkpoint.size) events; \(place)")
      if let purge = proven?.purge {
        try output.line(
          "it is a purge of \(Readable.count(purge.eventCount, "event")), recorded "
            + "\(Readable.time(purge.recorded)): \(Self.text(of: purge.sequences))")
      }
    }
    try output.flush()
  }
}

/// Bytes on the command line.
struct Base64Argument: ExpressibleByArgument {
  let bytes: [UInt8]

  init?(argument: String) {
    guard let bytes = Base64.decode(argument) else { return nil }
    self.bytes = bytes
  }
}
