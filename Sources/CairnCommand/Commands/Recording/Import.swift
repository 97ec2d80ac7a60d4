import ArgumentParser
import Cairn
import Importers

struct Import: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take in a history that something else kept.",
    usage: """
      cairn import auto [DIR ...]
      cairn import [FORMAT] PATH ...
      cairn import --list
      """,
    discussion: """
      auto finds the histories of browsers, shells, desktops and editors in the home (or in the \
      folders given), shows them and asks once. Without a FORMAT each file is known by its content. \
      All files of one import are merged by time. Importing the same again adds nothing; a newer \
      copy adds what is new. Files are copied before they are read and never changed.
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
    if first == "ndjson" { return try importEvents(Array(words.dropFirst())) }
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

  private func importEvents(_ files: [String]) throws(Failure) {
    guard !files.isEmpty else { throw Failure(.usage, "name files of events; - is standard input") }
    try input.append(to: options, writer, inputs: files) { (batch) throws(Failure) in
      for file in files {
        var reader = try LineReader(file)
        try batch.read(&reader)
      }
    }
  }
}
