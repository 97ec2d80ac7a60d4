import ArgumentParser
import Cairn

/// The circumstances of a question: evidence that items used in the same ones are meant.
struct ContextOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Prefer what this actor used.", valueName: "name")) var actor: String?

  @Option(help: ArgumentHelp("Prefer what was used in this visit.", valueName: "name")) var session:
    String?

  @Option(
    help: ArgumentHelp("Prefer what was used on this device (device in events).", valueName: "name")
  ) var device: String?

  @Option(
    help: ArgumentHelp("Prefer what was used after this item.", valueName: "item"),
    completion: .items) var after: String?

  @Flag(help: "Prefer what was used at this time of day, weekdays and weekends apart.") var byHour =
    false

  /// The circumstances given; nil for none.
  var context: SearchContext? {
    var context = SearchContext()
    context.actor = actor
    context.session = session
    context.device = device
    context.previousItem = after
    context.countsHour = byHour
    return context == SearchContext() ? nil : context
  }
}
