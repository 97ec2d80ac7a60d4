import ArgumentParser
import Cairn

struct Verify: CairnSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the log against its hash tree and the projections against their digests.",
    discussion: "Exit code 1, and the first thing that is wrong, when something is."
  )

  @Flag(help: "Also fold the whole log anew in scratch and compare.")
  var deep = false

  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let store = try options.openForReading()
    let head = try answering { () throws(CairnError) in try store.at().sequence }
    var progress = Progress("verifying")
    let found = try answering { () throws(CairnError) in
      try store.verify(deep: deep) { sequence in
        progress.update(Int(clamping: sequence), of: Int(clamping: head))
        return true
      }
    }
    progress.finish()
    try write(found)
    if let problem = found.problems.first {
      let sequence = problem.sequence.map { "event \($0): " } ?? ""
      throw Failure(.no, sequence + problem.message, place: problem.place)
    }
  }

  private func write(_ found: Verification) throws(Failure) {
    var output = Output()
    if options.json {
      try output.object { line in
        line.field("ok", found.isSound)
        line.field("treeSize", found.treeSize)
        line.field("rootHash", JSONLine.base64(found.rootHash))
        line.field("events", found.eventCount)
        line.field(
          "projections",
          json: JSONLine.array(found.projections) { line, projection in
            line.field("name", projection.name)
            line.field("digest", projection.stored)
            line.field("ok", projection.isEqual)
          }
        )
        line.field(
          "problems",
          json: JSONLine.array(found.problems) { line, problem in
            line.field("sequence", optional: problem.sequence)
            line.field("place", problem.place)
            line.field("message", problem.message)
          }
        )
      }
    } else {
      try output.line(
        "events       \(Readable.number(found.eventCount)), hash tree of \(found.treeSize)"
      )
      try output.line("root hash    \(JSONLine.base64(found.rootHash))")
      for projection in found.projections {
        let verdict = projection.isEqual ? "ok" : "differs"
        try output.line("\(DisplayText.pad(projection.name, 13))\(projection.stored)  \(verdict)")
      }
      try output.line(found.isSound ? "all is well" : "\(found.problems.count) problems")
    }
    try output.flush()
  }
}
