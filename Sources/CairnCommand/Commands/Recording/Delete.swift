import ArgumentParser
import Cairn
import Rows

struct Delete: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Take items out; their history stays in the log.",
    discussion: """
      With --domain or --all it says how many items go and asks, on a terminal. To bring them back: \
      cairn undo. To erase their history, too: cairn purge.
      """)

  @Argument(help: "The items' identifiers.", completion: .items) var items: [String] = []

  @Option(
    help: ArgumentHelp("Everything in this domain and below it.", valueName: "domain"),
    completion: .domains) var domain: String?

  @Flag(help: "Everything.") var all = false

  @Flag(help: "Say how many items would go and change nothing.") var dryRun = false

  @Flag(help: "Do not ask.") var yes = false

  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions

  func validate() throws {
    let ways = (items.isEmpty ? 0 : 1) + (domain == nil ? 0 : 1) + (all ? 1 : 0)
    guard ways == 1 else { throw ValidationError("Give items, or --domain, or --all.") }
    try event.requireOneID(for: items)
  }

  func run() throws(Failure) {
    var events = items.map { Event(kind: .delete, item: $0) }
    if let domain { events = [Event(kind: .delete, domain: .value(domain))] }
    if all { events = [Event(kind: .delete, all: true)] }
    let deletions = try events.map { (deletion) throws(Failure) in try event.applied(to: deletion) }
    if dryRun { return try showPlan() }
    if items.isEmpty, !yes, Terminal.inputIsTerminal, Terminal.errorsAreTerminal {
      let count = try presentCount()
      let question = "\(Readable.count(count, "item")) would go. Type yes to go on:"
      if count == 0 {
        Diagnostics.line("cairn: no item is there, so this is recorded without effect")
        try tellOfDomain()
      } else if !Question.isAnswered(question, by: "yes") {
        throw Failure(.no, "nothing was deleted")
      }
    }
    if !items.isEmpty { try writer.options.tellOfMissing(items) }
    try writer.record(deletions, makesStore: false)
    if deletions.count > 1, Terminal.errorsAreTerminal {
      Diagnostics.line("to bring them back: cairn undo \(deletions.count)")
    }
  }

  private func showPlan() throws(Failure) {
    let count = try presentCount()
    try Output.answer("would delete \(Readable.count(count, "item"))", json: writer.options.json) {
      $0.field("items", count)
    }
    if count == 0 { try tellOfDomain() }
  }

  private func tellOfDomain() throws(Failure) {
    let store = try writer.options.openForReading()
    defer { store.close() }
    try Listing.tellOfDomain(domain, try answering(store.at()))
  }

  private func presentCount() throws(Failure) -> Int {
    let store = try writer.options.openForReading()
    defer { store.close() }
    return try answering { () throws(CairnError) in
      let moment = try store.at()
      guard !items.isEmpty else { return try moment.itemCount(domain: domain) }
      var count = 0
      for item in items where try moment.item(item) != nil { count += 1 }
      return count
    }
  }
}

extension StoreOptions {
  /// Says of items that are not there that what comes has no effect on them; for people only.
  func tellOfMissing(_ items: [String]) throws(Failure) {
    guard Terminal.errorsAreTerminal else { return }
    let directory = try directory
    let store: Store
    // Where there is no store yet, what follows makes it or says why it cannot.
    do throws(CairnError) { store = try Store.open(at: directory, access: .readOnly) } catch {
      return
    }
    defer { store.close() }
    for item in items {
      let found = try answering(store.at().item(item))
      guard found == nil else { continue }
      Diagnostics.line(
        "cairn: \(DisplayText.fit(item, 60)): no such item, so this is recorded without effect")
    }
  }
}
