import ArgumentParser
import Cairn
import Rows

struct DiffCommand: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show how the items of two points differ.",
    discussion: "Content counts: an item indexed again with the same attributes is no change.")

  @Argument(
    help: "The earlier point: a sequence, a time or a snapshot's name.", completion: .points)
  var old: PointArgument

  @Argument(help: "The later point; left out: the head.", completion: .points) var new:
    PointArgument?

  @Option(help: .domain, completion: .domains) var domain: String?

  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let store = try options.openForReading()
    let from = try old.moment(of: store, "<old>")
    let to = if let new { try new.moment(of: store, "<new>") } else { try answering(store.at()) }
    var output = Output()
    var problem: Failure?
    var count = 0
    try answering(
      store.forEachChange(from: from, to: to, domain: domain) { change in
        count += 1
        do throws(Failure) { try write(change, to: &output) } catch { problem = error }
        return problem == nil
      })
    if let problem { throw problem }
    try output.flush()
    Listing.ending(count, "change", none: "no item differs between the two", options)
    if count == 0 { try Listing.tellOfDomain(domain, to) }
  }

  private func write(_ change: ItemChange, to output: inout Output) throws(Failure) {
    if options.json {
      try output.object { $0.fields(of: change) }
      return
    }
    let mark =
      switch change.kind {
      case .added: "+"
      case .removed: "-"
      default: "~"
      }
    try output.line("\(mark) \(DisplayText.fit(change.item, Terminal.width.map { $0 - 2 }))")
    for field in change.fields { try output.line(Show.line(of: field)) }
  }
}
