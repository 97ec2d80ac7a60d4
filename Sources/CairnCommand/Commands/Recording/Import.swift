import ArgumentParser
import Cairn
import Importers

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
      copy adds what is new. Files are copied before they are read and never changed. ndjson, \
      csv and cloudevents are events as export writes them; one without an id is told again by its \
      line and by how many equal lines came before it. A column of a csv that is no event's own is \
      an attribute: a text, or of the type that the schema declares; the column `more` takes JSON. \
      --column and --value say what the columns of any other table mean. Pages of the web: cairn \
      help import web.

      An item of a git repository is its path. Where several repositories come together, with auto, \
      and where the store has another one, it is git:FOLDER/PATH, in the domain git.FOLDER; a \
      repository that the store has keeps its items.

      --except TEXT leaves out every item with TEXT in it: a command, a URL, a path. Commands that \
      hold a password or a token in so many words (password=hunter2, Authorization: Bearer …, keys \
      of AWS and GitHub), of four characters and more, are left out and counted; --secrets takes them.

      Examples:
        cairn import auto --except bank.example --since 2y
        cairn import auto ~/src --dry-run
        cairn import git ~/src/tide --name tide
        cairn import takeout.zip
        cairn import csv v.csv --column item=URL --column title=Name --value kind=view
      """)

  @Argument(
    help: "auto, a format of --list, or files and folders; - is standard input.",
    completion: .file())
  var words: [String] = []

  @Flag(help: "List the formats.") var list = false
  @Flag(help: "Say what would come, and change nothing.") var dryRun = false
  @Flag(help: "With auto: do not ask.") var yes = false

  @Option(
    help: ArgumentHelp(
      "With one git repository: begin its items with git:NAME/.", valueName: "name"))
  var name: String?

  @OptionGroup var table: TableOptions
  @OptionGroup var choices: ImportChoices
  @OptionGroup var input: AppendOptions
  @OptionGroup var writer: WriterOptions

  func run() throws(Failure) {
    if list { return try ImportText.writeFormats(json: writer.options.json) }
    let words = ImportSources.withoutTakeout(self.words)
    guard let first = words.first else {
      throw Failure(
        .usage, "name what to import: cairn import auto, or cairn import FILE (--list: formats)")
    }
    if let form = EventFile(rawValue: first), form == .csv || table.isEmpty {
      return try importEvents(words.dropFirst().map { ($0, form) })
    }
    guard table.isEmpty else {
      throw Failure(.usage, "--column and --value go with tables: cairn import csv FILE")
    }
    let isAuto = first == "auto"
    let isNamed = isAuto || HistoryFormats.named(first) != nil
    if !isNamed { try ImportSources.refuseUnknownFormat(words) }
    // What is not kept first is read by its format, which tells nobody.
    for word in words where isNamed { TypedInput.tell(of: word) }
    let inputs =
      isNamed ? words : try PipedInput.kept(words, scratch: try choices.options().scratch)
    let forms = isNamed ? [] : inputs.map { ($0, EventFile.recognised($0)) }
    let events = forms.compactMap { path, form in form.map { (path: path, form: $0) } }
    if events.count == inputs.count { return try importEvents(events) }
    let others = isNamed ? inputs : forms.filter { $0.1 == nil }.map(\.0)
    try importHistories(others, isAuto: isAuto, events)
  }

  private func importHistories(
    _ words: [String], isAuto: Bool, _ events: [(path: String, form: EventFile)]
  ) throws(Failure) {
    guard events.isEmpty || !dryRun else {
      throw Failure(.usage, "--dry-run takes files of events by themselves")
    }
    let wanted = try choices.options()
    let sources = try ImportSources(words, wanted)
    sources.tellOfPages()
    guard !sources.found.isEmpty else {
      throw Failure(.noInput, "no history is there that cairn knows; name a file of one")
    }
    guard !isAuto || dryRun || yes || Terminal.inputIsTerminal else {
      throw Failure(.usage, "import auto asks first: say --yes, or --dry-run to see what is there")
    }
    try writer.options.refuseStoreFile(input.rejects)
    let sink = try EventSink(
      batchCount: input.batch ?? AppendOptions.records, rejects: input.rejects,
      inputs: sources.found.map(\.path) + events.map(\.path)
    ) { () throws(Failure) in try writer.open() }
    let session = ImportSession(sink: sink, options: wanted, json: writer.options.json)
    session.isAuto = isAuto
    if !dryRun { session.makesStoreLater = try !writer.options.isThere() }
    session.repositoryName = try repositoryName()
    if !events.isEmpty {
      session.afterHistories = { (sink) throws(Failure) in
        try AppendOptions.write(to: sink, inputs: events.map(\.path), importing: wanted) {
          (batch) throws(Failure) in
          for file in events { try file.form.read(file.path, into: &batch) }
        }
      }
    }
    let compared = dryRun ? try writer.options.openIfThere() : nil
    try session.read(sources.found, in: compared, isDryRun: dryRun)
    if dryRun { return try session.showPlan(withEvents: true) }
    if isAuto {
      try session.showPlan(withEvents: false)
      if !yes {
        guard ImportText.confirms() else { throw Failure(.no, "nothing was imported") }
      }
    }
    try session.append()
  }

  private func repositoryName() throws(Failure) -> RepositoryName? {
    guard let name else { return nil }
    guard let name = RepositoryName(name) else {
      throw Failure(.usage, "--name takes a name without a /")
    }
    return name
  }

  private func importEvents(_ files: [(path: String, form: EventFile)]) throws(Failure) {
    guard !files.isEmpty else { throw Failure(.usage, "name files of events; - is standard input") }
    guard choices.host == nil, choices.home == nil, name == nil else {
      throw Failure(
        .usage,
        "--host, --home and --name do not go with files of events, which say that themselves")
    }
    let wanted = try choices.options()
    if dryRun { return try preview(files, wanted) }
    try input.append(to: writer, inputs: files.map(\.path), importing: wanted) {
      (batch) throws(Failure) in
      for file in files { try file.form.read(file.path, table.naming, into: &batch) }
    }
  }

  private func preview(
    _ files: [(path: String, form: EventFile)], _ wanted: ImportOptions
  ) throws(Failure) {
    try writer.options.refuseStoreFile(input.rejects)
    let preview = EventPreview(try writer.options.openIfThere())
    let inputs = files.map(\.path)
    let sink = try EventSink(
      batchCount: AppendOptions.records, rejects: input.rejects, inputs: inputs, preview: preview
    ) { () throws(Failure) in try writer.options.openForReading() }
    try AppendOptions.write(to: sink, inputs: inputs, importing: wanted) {
      (batch) throws(Failure) in
      for file in files {
        preview.begin(file.path, file.form.rawValue)
        try file.form.read(file.path, table.naming, into: &batch)
        try batch.commit()
        preview.end(refused: sink.rejected)
      }
    }
    try preview.write(json: writer.options.json)
    sink.tellOfMore()
    if sink.rejected > 0 { throw Failure(.data, nil) }
  }
}
