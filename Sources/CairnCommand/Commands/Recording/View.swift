import ArgumentParser
public import Cairn

struct View: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Record that an item was looked at.",
    discussion: """
      With a --title, an item that is not there becomes one; one that is stays as it is. In rankings \
      by use a deliberate view counts more, one that was not chosen less; attention adds to it.
      """)

  @Argument(help: "The item's identifier.", completion: .items) var item: String

  @Option(help: ArgumentHelp("Where it belongs, if it is new.", valueName: "domain")) var domain:
    String?

  @Option(help: "What brought it up unasked: it hardly counts then.") var transition:
    IncidentalView?

  @Option(
    help: ArgumentHelp(
      "Views that this one stands for, where only their number is known; they count less than as many.",
      valueName: "count")) var visits: Int?

  @OptionGroup var attention: AttentionOptions
  @OptionGroup var attributes: AttributeOptions
  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions

  func validate() throws {
    guard visits.map({ $0 >= 1 }) ?? true else { throw ValidationError("--visits counts from 1.") }
  }

  func run() throws(Failure) {
    var view = Event(
      kind: .view, item: item, domain: domain.map { .value($0) } ?? .absent,
      attributes: attributes.attributes, dwell: attention.dwell, latency: attention.latency,
      deliberate: attention.deliberate)
    view.transition = transition?.rawValue
    view.visits = visits
    try writer.record([try event.applied(to: view)])
  }
}

extension IncidentalView: ExpressibleByArgument {}

struct Select: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "select", abstract: "Record that a search result was chosen.")

  @Argument(help: "The text searched for.") var query: String

  @Argument(help: "The item chosen.", completion: .items) var item: String

  @Option(help: ArgumentHelp("Its rank in the results, from 1.", valueName: "rank")) var position:
    Int64?

  @OptionGroup var screen: ScreenOptions
  @OptionGroup var attention: AttentionOptions
  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions

  func validate() throws {
    guard position.map({ $0 >= 1 }) ?? true else {
      throw ValidationError("--position counts from 1.")
    }
  }

  func run() throws(Failure) {
    let choice = Event(
      kind: .select, item: item, query: query, position: position, shown: screen.items,
      dwell: attention.dwell, latency: attention.latency, deliberate: attention.deliberate)
    try writer.record([try event.applied(to: choice)])
  }
}

/// How somebody looked at something.
struct AttentionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Seconds of attention.", valueName: "seconds")) var dwell: Double?

  @Option(help: ArgumentHelp("Seconds from choice to content.", valueName: "seconds")) var latency:
    Double?

  @Flag(inversion: .prefixedNo, help: "Whether it was chosen on purpose.") var deliberate: Bool?
}
