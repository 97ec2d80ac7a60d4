import ArgumentParser
import Cairn

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take in a history that something else kept.",
    discussion: "Importing the same again counts duplicates; an import that was killed resumes.",
    subcommands: [Git.self, AccessLog.self, NDJSON.self])

  struct Git: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "git", abstract: "The first-parent history of a git checkout.",
      discussion: """
        What each commit added, changed and removed, as index, update and delete of its paths. \
        Folders make the domain, with . as %2E.
        """)
    @Argument(help: "Checkouts, or any folders in them.", completion: .directory) var paths:
      [String]
    @OptionGroup var input: AppendOptions
    @OptionGroup var writer: WriterOptions
    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      try input.append(to: options, writer) { (batch) throws(Failure) in
        for path in paths { try batch.read(try GitProcess(path), name: path) }
      }
    }
  }

  struct AccessLog: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "access-log", abstract: "The views in a web server's log.",
      discussion: """
        Common and Combined Log Format. A view is a GET answered with 200, 206 or 304; the item \
        is the request target as written.
        """)
    @Argument(help: "Log files; - is standard input.", completion: .file()) var files: [String]
    @OptionGroup var input: AppendOptions
    @OptionGroup var writer: WriterOptions
    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      try input.append(to: options, writer, inputs: files) { (batch) throws(Failure) in
        try batch.readAccessLogs(files)
      }
    }
  }

  struct NDJSON: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "ndjson", abstract: "Events, one JSON object a line; as append does.")
    @Argument(help: "Files of events; - is standard input.", completion: .file()) var files:
      [String]
    @OptionGroup var input: AppendOptions
    @OptionGroup var writer: WriterOptions
    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      try input.append(to: options, writer, inputs: files) { (batch) throws(Failure) in
        for file in files {
          var reader = try LineReader(file)
          try batch.read(&reader)
        }
      }
    }
  }
}
