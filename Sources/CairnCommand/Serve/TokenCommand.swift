#if Server
  import ArgumentParser
  import Cairn
  import CairnServer
  import Rows

  struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token", abstract: "Hand out tokens for the server, and take them back.",
      discussion: """
        ingest appends and cannot read; read asks; write does both, snapshots and consumers too; \
        admin may do all. A running server heeds a change within a second.
        """, subcommands: [Add.self, List.self, Remove.self])

    struct Add: CairnSubcommand {
      static let configuration = CommandConfiguration(abstract: "Make a token and print it, once.")
      @Argument(help: "Its name, as it stands in the log.") var name: String
      @Option(help: "What it allows: ingest, read, write or admin.") var scope: Scope
      @OptionGroup var options: StoreOptions

      func run() throws(Failure) {
        let file = try options.tokenFile()
        let text = try answering(file.add(name, scope))
        try Output.answer(text, json: options.json) { line in
          line.field("name", name)
          line.field("scope", scope.rawValue)
          line.field("token", text)
        }
      }
    }

    struct List: CairnSubcommand {
      static let configuration = CommandConfiguration(
        abstract: "List names and scopes; tokens themselves are kept by nobody.")
      @OptionGroup var options: StoreOptions

      func run() throws(Failure) {
        let file = try options.tokenFile()
        let tokens = try answering(file.list())
        var output = Output()
        let table = Table([.share(1), .left(8), .left(Readable.timeWidth)])
        try Listing.heading(["NAME", "SCOPE", "MADE"], table, options, to: &output)
        for token in tokens {
          let cells = [token.name, token.scope.rawValue, Readable.time(token.created)]
          try output.row(table.row(cells), json: options.json) { $0.fields(of: token) }
        }
        try output.flush()
        let none = "no tokens; make one with: cairn serve token add NAME --scope read"
        Listing.ending(tokens.count, "token", none: none, options)
      }
    }

    struct Remove: CairnSubcommand {
      static let configuration = CommandConfiguration(abstract: "Take a token back.")
      @Argument(help: "Its name.") var name: String
      @OptionGroup var options: StoreOptions

      func run() throws(Failure) {
        let file = try options.tokenFile()
        let isFound = try answering(file.remove(name))
        if !isFound { throw Failure(.no, "no token has that name; see: cairn serve token list") }
      }
    }
  }

  extension StoreOptions {
    fileprivate func tokenFile() throws(Failure) -> TokenFile {
      let store = try openForReading()
      defer { store.close() }
      return TokenFile(directory: store.directory)
    }
  }
#endif
