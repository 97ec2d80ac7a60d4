import ArgumentParser
import Cairn

struct Index: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "index", abstract: "Put an item in, or put it anew.",
    discussion: "Replaces what was known of the item, its domain too; its counters go on.")

  @Argument(help: "The item's identifier.") var item: String

  @Option(help: ArgumentHelp("Where it belongs, such as com.example.mail.", valueName: "domain"))
  var domain: String?

  @Option(help: ArgumentHelp("When it goes: a time, or never.", valueName: "time")) var expires:
    ExpiryArgument?

  @OptionGroup var attributes: AttributeOptions
  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    try writer.record(
      [
        event.applied(
          to: Event(
            kind: .index, item: item, domain: domain.map { .value($0) } ?? .absent,
            attributes: attributes.attributes, expires: expires?.change ?? .absent))
      ], options)
  }
}

struct Update: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Change some of what is known of an item.",
    discussion: "What is not named stays. On an item that is not there: recorded, no effect.")

  @Argument(help: "The item's identifier.") var item: String

  @Option(help: ArgumentHelp("Move it to this domain.", valueName: "domain")) var domain: String?

  @Flag(help: "Take it out of its domain.") var noDomain = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Take an attribute away; may be given several times.", valueName: "key"))
  var unset: [String] = []

  @Option(help: ArgumentHelp("When it goes: a time, or never.", valueName: "time")) var expires:
    ExpiryArgument?

  @OptionGroup var attributes: AttributeOptions
  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard domain == nil || !noDomain else {
      throw ValidationError("--domain and --no-domain contradict each other.")
    }
  }

  func run() throws(Failure) {
    var changed = attributes.attributes
    for key in unset { changed[key] = .null }
    try writer.record(
      [
        event.applied(
          to: Event(
            kind: .update, item: item,
            domain: noDomain ? .cleared : domain.map { .value($0) } ?? .absent, attributes: changed,
            expires: expires?.change ?? .absent))
      ], options)
  }
}
