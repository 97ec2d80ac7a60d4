#if Server
  import ArgumentParser
  import Cairn
  import CairnServer
  import Glibc
  import Rows

  struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Answer over HTTP on this machine: JSON, feeds and pages.",
      discussion: """
        Listens at 127.0.0.1:22476 unless told otherwise, and prints one line when it accepts; on a \
        terminal also a link that lets a browser in, once. \
        Requests carry a token: Authorization: Bearer TOKEN, with the one in serve.token in the \
        store or one made by cairn serve token add. Other processes go on reading and writing. \
        All options: cairn help serve run.

        Examples:
          cairn serve
          cairn serve --listen unix:$XDG_RUNTIME_DIR/cairn.sock
          cairn serve token add browser --scope ingest
        """, subcommands: [Run.self, TokenCommand.self], defaultSubcommand: Run.self)

    struct Run: CairnSubcommand {
      static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the server (what serve does by itself).")

      @Option(
        help: ArgumentHelp(
          "127.0.0.1:PORT, [::1]:PORT, localhost:PORT or unix:PATH; port 0 is a free one; may be given several times.",
          valueName: "address")) var listen: [ListenAddress] = []

      @Flag(help: "Change nothing, and make no store.") var readOnly = false

      @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
          "Also answer to this name, as a proxy in front calls it; may be given several times.",
          valueName: "name")) var allowHost: [String] = []

      @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
          "Let pages of this origin ask; may be given several times.", valueName: "origin"))
      var allowOrigin: [String] = []

      @Option(
        help: ArgumentHelp("Keep the token with all rights in this file.", valueName: "file"),
        completion: .file()) var tokenFile: String?

      @Option(
        help: ArgumentHelp(
          "What ActivityWatch's watchers may do without a token: ingest, open (everything), or token (nothing).",
          valueName: "mode")) var activitywatch = WatchMode.off

      @Option(
        name: .customLong("activitywatch-listen"),
        help: ArgumentHelp(
          "Where watchers look, or none for no port of their own.", valueName: "address"))
      var activityWatchListen = usualWatchAddress

      private static let usualWatchAddress = "127.0.0.1:5600"

      @Flag(help: "Let assistants ask at /mcp (Model Context Protocol).") var mcp = false

      @Flag(help: "Let anybody read checkpoint and tiles below /log.") var publicLog = false

      @Flag(help: "Let anybody read /metrics.") var publicMetrics = false

      @Option(
        help: ArgumentHelp(
          "End after so many seconds without a connection; a socket of systemd starts it again.",
          valueName: "seconds")) var idleExit: Double?

      @Option(help: "What goes to standard error: debug, info, warning, error or off.")
      var logLevel = LogLevel.info

      @OptionGroup var writer: WriterOptions

      func run() throws(Failure) {
        var plan = Server.Plan(directory: try writer.options.directory)
        plan.inherited = try answering(InheritedSockets().sockets)
        if !plan.inherited.isEmpty { plan.addresses = [] }
        if !listen.isEmpty { plan.addresses = listen }
        plan.tokenPath = tokenFile
        plan.patience = .seconds(min(writer.wait, 86_400 * 365))
        plan.service.isReadOnly = readOnly
        plan.service.allowedHosts = allowHost
        plan.service.allowedOrigins = allowOrigin
        plan.service.hasPublicLog = publicLog
        plan.service.hasPublicMetrics = publicMetrics
        plan.service.logLevel = logLevel
        plan.service.watchMode = activitywatch
        plan.service.hasAssistants = mcp
        let isUsual = [Self.usualWatchAddress, "none"].contains(activityWatchListen)
        guard activitywatch != .off || isUsual else {
          throw Failure(
            .usage, "needs --activitywatch MODE, which says what watchers may do there",
            place: "--activitywatch-listen")
        }
        let hasWatchSocket = plan.inherited.contains { $0.isForWatchers }
        if activitywatch != .off, activityWatchListen != "none", !hasWatchSocket {
          guard let address = ListenAddress(activityWatchListen) else {
            throw Failure(.usage, "takes 127.0.0.1:PORT or none", place: "--activitywatch-listen")
          }
          plan.watchAddress = address
        }
        plan.service.version = ProgramVersion.number
        let signals = SignalWait()
        let asked = plan
        let server = try answering(Server(asked))
        try sayReady(server)
        let notice = ServiceNotice()
        notice.send("READY=1")
        signals.wait(
          watchdog: notice, idleExit: idleExit.map { .seconds(min(max($0, 0), 86_400 * 365)) },
          isIdle: { server.isIdle }, reload: { server.service.tokens.forget() }
        ) {
          notice.send("STOPPING=1")
          server.stop()
        }
      }

      private func sayReady(_ server: Server) throws(Failure) {
        var output = Output()
        if writer.options.json {
          try output.object { (line) throws(Failure) in
            try answering(server.writeReady(to: &line))
            line.field("pid", getpid())
          }
        } else {
          let urls = server.addresses.map(\.url).joined(separator: " ")
          try output.line("cairn serves \(server.store.directory) at \(urls)")
          if Terminal.outputIsTerminal, let link = server.loginLink() {
            try output.line("A browser is let in, once and within 2 minutes, by \(link)")
          }
        }
        try output.flush()
      }
    }
  }

  extension ListenAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
  }

  extension LogLevel: ExpressibleByArgument {}
  extension Scope: ExpressibleByArgument {}
  extension WatchMode: ExpressibleByArgument {}
#endif
