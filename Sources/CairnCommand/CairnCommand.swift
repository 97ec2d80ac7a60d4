import ArgumentParser
import Glibc

@main struct CairnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cairn",
    abstract: "An activity history that can be searched, ranked and travelled in time.",
    discussion: """
      First: cairn import auto (browsers, shells, desktops) or cairn import git DIR or cairn index \
      ITEM --title TEXT; then cairn find. Pages: cairn help filters, help times, help points, \
      help schemas.

      Exit codes: 0 done, 1 the answer is no, 64 usage, 65 bad input data, 66 no such store or \
      file, 69 another process writes, 70 internal, 74 disk error, 75 a server does not answer \
      now, 130 interrupted.
      """, version: ProgramVersion.text,
    groupedSubcommands: groups)

  private static let groups =
    [
      CommandGroup(
        name: "Recording",
        subcommands: [
          Init.self, Append.self, Index.self, Update.self, Delete.self, View.self, Select.self,
          Impression.self, Less.self, Undo.self, Revert.self, Import.self, ImportWeb.self,
          Watch.self,
        ]),
      CommandGroup(
        name: "Asking",
        subcommands: [
          Items.self, Show.self, Find.self, Search.self, Suggest.self, Top.self, Log.self,
          Stats.self, TimelineCommand.self, DiffCommand.self, Evaluate.self, Inspect.self,
          WebLink.self, MCP.self,
        ]),
      CommandGroup(
        name: "Looking after a store",
        subcommands: [
          SnapshotCommand.self, Replay.self, Rebuild.self, Migrate.self, SchemaCommand.self,
          Verify.self, Purge.self,
          Purges.self,
          Backup.self, RestoreBackup.self, Retention.self, Export.self, Doctor.self,
        ]),
      CommandGroup(
        name: "Giving evidence",
        subcommands: [CheckpointCommand.self, Prove.self, Check.self, WitnessCommand.self]),
    ] + servingCommands

  private static var servingCommands: [CommandGroup] {
    #if Server
      [CommandGroup(name: "Serving", subcommands: [Serve.self])]
    #else
      []
    #endif
  }

  static func main() {
    Diagnostics.holdStandardStreams()
    Diagnostics.endQuietlyOnSignals()
    let line = LeadingOptions.moved(Array(CommandLine.arguments.dropFirst()))
    var arguments = DashedValue.joined(line)
    if let place = firstUnreadableArgument {
      Diagnostics.line(
        "cairn: argument \(place) is not UTF-8; ids and texts are kept as they are given")
      Glibc.exit(Failure.Status.usage.rawValue)
    }
    let isBare = arguments.isEmpty
    if isBare { arguments = ["--help"] }
    if arguments == ["help", "version"] { arguments.removeFirst() }
    if ["version", "-V", "-v"].contains(arguments[0]) { arguments[0] = "--version" }
    arguments = ImportWeb.line(from: arguments)
    // As with other programs, a group's help may be asked for behind its name.
    if arguments.count > 1, arguments[1] == "help", hasCommands(arguments[0]) {
      arguments.swapAt(0, 1)
    }
    do {
      if isBare, try StoreState.isShown() { return }
      if try isAnsweredByPage(arguments) { return }
      if let pasted = UsageError.pastedDash(in: arguments) { throw Failure(.usage, pasted) }
      if let view = PlainView(arguments) { return try view.run() }
      if let hidden = UsageError.hiddenHelp(in: arguments) { throw Failure(.usage, hidden) }
      var command = try parse(line: arguments)
      if let repeated = UsageError.repeatedOption(in: arguments) { throw Failure(.usage, repeated) }
      try command.run()
    } catch let failure as Failure { end(failure) } catch {
      do throws(Failure) { Glibc.exit(try report(error, arguments, isBare: isBare)) } catch {
        end(error)
      }
    }
  }

  private static func end(_ failure: Failure) -> Never {
    if let line = failure.line { Diagnostics.line(line) }
    Glibc.exit(failure.status.rawValue)
  }

  /// Answers `help PAGE`, and refuses `help` about what is neither a page nor a command.
  private static func isAnsweredByPage(_ line: [String]) throws(Failure) -> Bool {
    guard line[0] == "help", line.count > 1 else { return false }
    if let page = HelpPage(rawValue: line[1]) {
      var output = Output()
      try output.line(page.text)
      try output.flush()
      return true
    }
    let isKnown = configuration.subcommands.contains {
      $0._commandName == line[1] || $0.configuration.aliases.contains(line[1])
    }
    if isKnown, let fault = UsageError(line).unknownCommand { throw Failure(.usage, fault) }
    if isKnown || line[1].hasPrefix("-") || line[1] == "help" { return false }
    let pages = HelpPage.allCases.map(\.rawValue)
    if let page = Spelling.nearest(to: line[1], among: pages) {
      let shown = DisplayText.fit(line[1], 60)
      throw Failure(.usage, "no help is about '\(shown)'; see: cairn help \(page)")
    }
    throw Failure(.usage, UsageError.unknown(line[1]))
  }

  /// The place of the first argument that is not UTF-8: as a string it would be another one.
  private static var firstUnreadableArgument: Int? {
    for place in 1..<max(1, Int(CommandLine.argc)) {
      // SAFETY: `argv` has `argc` NUL-ended strings, which nobody changes.
      guard let text = unsafe CommandLine.unsafeArgv[place] else { continue }
      if unsafe String(validatingCString: text) == nil { return place }
    }
    return nil
  }

  /// Parses a line by the one command it names, which spares the making of all the others and is
  /// half of what a short command costs.
  private static func parse(line: [String]) throws -> any ParsableCommand {
    // A line that the command does not take, or that asks for help, is for the whole tree to
    // answer: it knows how the command is called.
    guard let named = command(named: line.first), !line.contains(where: helpFlags.contains),
      let command = try? named.parseAsRoot(Array(line.dropFirst()))
    else { return try parseAsRoot(line) }
    return command
  }

  /// The command of a name, unless it has commands of its own; without the whole tree's
  /// configuration, which tells the formats of everything.
  private static func command(named name: String?) -> (any ParsableCommand.Type)? {
    for group in groups {
      for command in group.subcommands where command.configuration.commandName == name {
        return command.configuration.subcommands.isEmpty ? command : nil
      }
    }
    return nil
  }

  /// Whether a command of this name is a group of others.
  private static func hasCommands(_ name: String) -> Bool {
    configuration.subcommands.contains {
      $0._commandName == name && !$0.configuration.subcommands.isEmpty
    }
  }

  static let helpFlags = ["--help", "-h", "-help", "--help-hidden"]

  /// Says what ArgumentParser has to say: help and completions as asked for, a mistake in a line.
  private static func report(_ error: any Error, _ line: [String], isBare: Bool) throws(Failure)
    -> Int32
  {
    let code = exitCode(for: error)
    guard code != .success else {
      let message = fullMessage(for: error)
      let shown =
        CompletionScript.isWanted
        ? CompletionScript.mended(message)
        : UsageLine.broken(in: message, columns: Terminal.width ?? 80)
      let text = Array((shown + "\n").utf8)
      let isGroup = hasCommands(line[0]) && !line.contains { $0 == "help" || $0.hasPrefix("-") }
      if isBare || isGroup {
        // Help that nobody asked for by name is the answer to a mistake; where standard error takes
        // none, there is nowhere to say so.
        try? Output.write(text, to: STDERR_FILENO, name: "standard error")
        return Failure.Status.usage.rawValue
      }
      try Output.write(text, to: STDOUT_FILENO, name: "standard output")
      return 0
    }
    Diagnostics.line("cairn: \(UsageError(line).message(message(for: error)))")
    return Failure.Status.usage.rawValue
  }
}

/// A command of ours: it fails in one way only.
protocol CairnSubcommand: ParsableCommand { func run() throws(Failure) }
