import ArgumentParser
import Cairn

struct Delete: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Take items out; their history stays in the log.")

  @Argument(help: "The items' identifiers.") var items: [String] = []

  @Option(help: ArgumentHelp("Everything in this domain and below it.", valueName: "domain"))
  var domain: String?

  @Flag(help: "Everything.") var all = false

  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    let ways = (items.isEmpty ? 0 : 1) + (domain == nil ? 0 : 1) + (all ? 1 : 0)
    guard ways == 1 else { throw ValidationError("Give items, or --domain, or --all.") }
    guard items.count <= 1 || event.id == nil else {
      throw ValidationError("--id names one event, and there are several items.")
    }
  }

  func run() throws(Failure) {
    var events = items.map { Event(kind: .delete, item: $0) }
    if let domain { events = [Event(kind: .delete, domain: .value(domain))] }
    if all { events = [Event(kind: .delete, all: true)] }
    try writer.record(events.map { event.applied(to: $0) }, options)
  }
}
