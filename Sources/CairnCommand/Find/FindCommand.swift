import ArgumentParser
import Cairn
import Rows

struct Find: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "Search as you type, and choose an item.",
    discussion: """
      Prints the identifier of the item that is chosen; of a shell's command the command itself. \
      Enter chooses, the arrows and the page keys move, Alt-← and Alt-→ (or Ctrl) step through \
      time, Esc leaves (exit code 1), as does Ctrl-D where nothing is typed, Ctrl-C breaks off \
      (130). A choice in the present is recorded as a select with what was on screen, leaving a \
      list as an impression, and a choice without a query as a view. Without a terminal, and on a \
      dumb one, it answers as search does.

      Examples:
        cairn find harbour
        cairn find --open
        eval "$(cairn find --shell bash)"   # in ~/.bashrc: Ctrl-G puts an item there
      """)

  @Argument(help: "What to begin with; several words make one query.") var words: [String] = []

  @Option(help: .domain, completion: .domains) var domain: String?

  @Option(help: .filter) var filter: String?

  @Flag(help: "Open the item (its contentURL, or an identifier that is one) with xdg-open.")
  var open = false

  @Flag(inversion: .prefixedNo, help: "Record what was chosen, so that it leads next time.")
  var record = true

  @Flag(help: "Print it as a shell's line takes it: a file by its path, what is no command quoted.")
  var line = false

  @Option(help: "Print what binds Ctrl-G in a shell: bash, zsh or fish.") var shell: ShellBinding?

  @OptionGroup var context: ContextOptions
  @OptionGroup var point: PointOptions
  @OptionGroup var writer: WriterOptions

  /// How many items the list holds, and how many an answer without a terminal has.
  private static var listCount: Int { 100 }
  private static var answerCount: Int { 10 }

  func run() throws(Failure) {
    if let shell {
      var output = Output()
      try output.line(shell.text)
      return try output.flush()
    }
    let moment = try writer.options.moment(point)
    let text = words.joined(separator: " ")
    var request = SearchRequest(text)
    (request.domain, request.filter, request.context) = (domain, filter, context.context)
    request.limit = Self.answerCount
    // A filter that cannot be read is said before the screen changes.
    var check = request
    check.text = ""
    _ = try answering(moment.search(check))
    guard let terminal = try RawTerminal.open() else {
      guard !words.isEmpty else {
        throw Failure(
          .usage,
          "find needs a terminal, and no dumb one; else give words, or use: cairn search")
      }
      return try SearchAnswer(request: request, moment: moment, json: writer.options.json).write()
    }
    let identity = StoreIdentity(directory: moment.store.directory)
    let source = FindSource(
      store: moment.store, domain: domain, filter: filter, context: context.context,
      limit: Self.listCount)
    let end = try choose(terminal, source, text, point.asOf == nil ? nil : moment.sequence)
    try Listing.tellOfDomain(domain, moment)
    if record { try identity.check("find") }
    switch end {
    case .interrupted: throw Failure(.interrupted, nil)
    case .left(let showing):
      moment.store.close()
      note(Self.impression(showing))
      throw Failure(.no, nil)
    case .chosen(let item, let showing):
      try print(item, moment)
      let target = open ? try Opener.target(of: item.item, in: moment) : nil
      // A process has a log open once: for reading until here, for writing from here on.
      moment.store.close()
      note(Self.choice(of: item.item, showing))
      if let target { try Opener.open(target) }
    }
  }

  /// Lets somebody choose; the terminal is as it was afterwards, whatever happened.
  private func choose(
    _ terminal: RawTerminal, _ source: FindSource, _ text: String, _ sequence: UInt64?
  ) throws(Failure) -> FindSession.End {
    defer { TerminalModes.restore() }
    return try FindSession(terminal, source, query: text, at: sequence).run()
  }

  private func print(_ item: FindSource.Found, _ moment: Moment) throws(Failure) {
    var output = Output()
    if writer.options.json {
      try output.object { line in
        line.field("item", item.item)
        line.field("domain", optional: item.domain)
        line.field("title", optional: item.title)
      }
    } else {
      let word = try ShellWord(item.item, in: moment)
      try output.line(line ? word.quoted : word.text)
    }
    try output.flush()
  }

  private static func choice(of item: String, _ showing: FindSession.Showing) -> Event? {
    guard showing.isPresent else { return nil }
    guard !showing.query.isEmpty else { return Event(kind: .view, item: item, deliberate: true) }
    return Event(
      kind: .select, item: item, query: showing.query, position: Int64(showing.position),
      shown: showing.items, deliberate: true)
  }

  private static func impression(_ showing: FindSession.Showing) -> Event? {
    guard showing.isPresent, !showing.query.isEmpty, !showing.items.isEmpty else { return nil }
    return Event(kind: .impression, query: showing.query, shown: showing.items)
  }

  /// Records what happened; that it cannot be recorded takes nothing from the answer.
  private func note(_ event: Event?) {
    guard record, var event else { return }
    event.actor = context.actor
    event.session = context.session
    if let device = context.device { event.device = device }
    do throws(Failure) {
      let store = try writer.open()
      defer { store.close() }
      _ = try answering(store.appendBlocking(event))
    } catch {
      Diagnostics.line("\(error.line ?? "cairn") (the choice was not recorded; --no-record)")
    }
  }
}
