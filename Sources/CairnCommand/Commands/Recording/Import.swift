import ArgumentParser
import Cairn
import Importers
import Rows

struct Import: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take in a history that something else kept.",
    usage: """
      cairn import auto [DIR ...]
      cairn import [FORMAT] PATH ...
      cairn import web PAGE ...
      cairn import --list
      """,
    discussion: """
      auto finds the histories of browsers, shells, desktops and editors in the home (or in the \
      folders given), shows them and asks once. Without a FORMAT each file is known by its content. \
      All files of one import are merged by time. Importing the same again adds nothing; a newer \
      copy adds what is new. Files are copied before they are read and never changed. ndjson and \
      csv are events as export writes them; one without an id is told again by its line and by how \
      many equal lines came before it. Pages of the web: cairn help import web.
      """)

  @Argument(help: "auto, a format of --list, or files and folders.", completion: .file())
  var words: [String] = []

  @Flag(help: "List the formats.") var list = false
  @Flag(help: "Say what would come, and change nothing.") var dryRun = false
  @Flag(help: "With auto: do not ask.") var yes = false

  @OptionGroup var choices: ImportChoices
  @OptionGroup var input: AppendOptions
  @OptionGroup var writer: WriterOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    if list { return try ImportText.writeFormats(json: options.json) }
    guard let first = words.first else {
      throw Failure(
        .usage, "name what to import: cairn import auto, or cairn import FILE (--list: formats)")
    }
    if let form = EventFile(rawValue: first) {
      return try importEvents(words.dropFirst().map { ($0, form) })
    }
    let forms = words.map { ($0, EventFile.recognised($0)) }
    if forms.allSatisfy({ $0.1 != nil }) {
      return try importEvents(forms.compactMap { path, form in form.map { (path, $0) } })
    }
    let isAuto = first == "auto"
    let wanted = try choices.options()
    let sources = try ImportSources(words, wanted)
    guard !sources.found.isEmpty else {
      throw Failure(.noInput, "no history is there that cairn knows; name a file of one")
    }
    guard !isAuto || dryRun || yes || Terminal.inputIsTerminal else {
      throw Failure(.usage, "import auto asks first: say --yes, or --dry-run to see what is there")
    }
    let sink = try EventSink(
      batchCount: input.batch, rejects: input.rejects, inputs: sources.found.map(\.path)
    ) { () throws(Failure) in try writer.open(options) }
    let session = ImportSession(sink: sink, options: wanted, json: options.json)
    try session.read(sources.found, in: dryRun ? try existingStore() : nil, isDryRun: dryRun)
    if dryRun { return try session.showPlan(withEvents: true) }
    if isAuto {
      try session.showPlan(withEvents: false)
      if !yes {
        guard ImportText.confirms() else { throw Failure(.no, "nothing was imported") }
      }
    }
    try session.append()
  }

  /// The store as it is, when there is one.
  private func existingStore() throws(Failure) -> Store? {
    do { return try options.openForReading() } catch {
      guard error.status == .noInput else { throw error }
      return nil
    }
  }

  private func importEvents(_ files: [(path: String, form: EventFile)]) throws(Failure) {
    guard !files.isEmpty else { throw Failure(.usage, "name files of events; - is standard input") }
    guard !dryRun else {
      throw Failure(.usage, "--dry-run does not go with files of events")
    }
    try input.append(to: options, writer, inputs: files.map(\.path), derivesIDs: true) {
      (batch) throws(Failure) in
      for file in files { try file.form.read(file.path, into: &batch) }
    }
  }
}
