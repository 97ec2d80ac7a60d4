import ArgumentParser
import Cairn

struct Impression: CairnSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Record that search results were shown.",
    discussion: "What was on screen and never chosen sinks; results that were not, stay.")

  @Argument(help: "The text searched for.") var query: String

  @OptionGroup var screen: ScreenOptions
  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions

  func validate() throws {
    guard !screen.items.isEmpty else { throw ValidationError("Say what was --shown.") }
  }

  func run() throws(Failure) {
    let impression = Event(kind: .impression, query: query, shown: screen.items)
    try writer.record([try event.applied(to: impression)])
  }
}

struct Less: CairnSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask for less of items in search results.",
    discussion: "Half of it is forgotten in nine days.")

  @Argument(help: "The items' identifiers.", completion: .items) var items: [String]

  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions

  func validate() throws { try event.requireOneID(for: items) }

  func run() throws(Failure) {
    let events = try items.map { (item) throws(Failure) in
      var wish = Event(kind: .impression, item: item)
      wish.feedback = "less"
      return try event.applied(to: wish)
    }
    try writer.record(events)
  }
}

/// What results were on screen.
struct ScreenOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("The items on screen, in order, between commas.", valueName: "a,b"))
  var shown: [String] = []

  var items: [String] { shown.flatMap { $0.split(separator: ",").map(String.init) } }
}
