import ArgumentParser
import Cairn

/// What is wrong with a line, in one sentence: names first, then what the parser says.
struct UsageError {
  /// The words up to the command that the line names, such as `snapshot create`.
  private let path: [String]
  private let command: any ParsableCommand.Type
  private let line: [String]

  /// What is never suggested: a slip of the finger must not erase anything.
  private static let destructive: Set = [
    "delete", "purge", "retention", "--all", "--yes", "--all-of-it", "--accept-loss",
  ]

  init(_ words: [String]) {
    // What stands behind `help` is the line that it is about.
    let line = words.first == "help" ? Array(words.dropFirst()) : words
    var path: [String] = []
    var command: any ParsableCommand.Type = CairnCommand.self
    for word in line {
      guard let next = Self.subcommand(of: command, named: word) else { break }
      command = next
      path.append(next is ImportWeb.Type ? "import web" : word)
    }
    // The options of `serve` are those of what it does by itself.
    if let usual = command.configuration.defaultSubcommand,
      path.count == line.count || line[path.count].hasPrefix("-")
    {
      command = usual
    }
    self.path = path
    self.command = command
    self.line = line
  }

  /// The message for an error of the parser.
  func message(_ said: String) -> String {
    if let unknown = unknownCommand { return unknown }
    if let unknown = unknownOption { return unknown }
    // A list of what is allowed comes with a line for each.
    var said = said.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
    while said.last == "." { said.removeLast() }
    // The parser lists them all, be it thousands from `xargs`.
    if let list = said.firstRange(of: " unexpected arguments: ") {
      let words = said[list.upperBound...].dropFirst()
      let first = words[..<(words.firstRange(of: "', '")?.lowerBound ?? words.endIndex)]
      said =
        "\(said[..<list.lowerBound]) unexpected arguments, "
        + "'\(DisplayText.fit(String(first), 60))' first"
    }
    // The one word that people give it is a directory, as to `git init`.
    if command is Init.Type, line.count == path.count + 1, line.last?.hasPrefix("-") == false {
      said += "; name it by --store DIR"
    }
    if command is Check.Type, said.contains("'--key ") {
      said += "; the log's owner prints it: cairn checkpoint --key"
    }
    if command is Update.Type, said.contains("null' is invalid") || said.contains("'--remove <") {
      said += "; to take an attribute away: --unset KEY"
    }
    // Of a command that takes both, these are numbers of events.
    for (option, time) in [("--from", "--since"), ("--to", "--until")]
    where said.contains("invalid for '\(option) ") && options.contains(time) {
      said += "; for a time: \(time)"
    }
    return "\(said); see: \(help)"
  }

  private var name: String { (["cairn"] + path).joined(separator: " ") }
  private var help: String { (["cairn help"] + path).joined(separator: " ") }

  /// A word where a command has to stand, and is none.
  var unknownCommand: String? {
    let children = command.configuration.subcommands
    guard !children.isEmpty, path.count < line.count else { return nil }
    let word = line[path.count]
    guard !word.hasPrefix("-") else { return nil }
    return Self.unknown(word, in: command, name, help)
  }

  /// That a word names no command, and which one may have been meant.
  static func unknown(
    _ word: String, in command: any ParsableCommand.Type = CairnCommand.self,
    _ name: String = "cairn", _ help: String = "cairn help"
  ) -> String {
    let known = names(of: command).filter { !destructive.contains($0) }
    if command is CairnCommand.Type, let other = Synonyms.command(word) {
      return "no command '\(word)'; \(other); see: cairn help"
    }
    let near = Synonyms.command(word, among: known) ?? Spelling.nearest(to: word, among: known)
    let offer = near.map { "; did you mean \($0)?" } ?? ""
    let shown = DisplayText.fit(word, 60)
    let place = name == "cairn" ? "no command" : "\(name) has no command"
    return "\(place) '\(shown)'\(offer.isEmpty ? ";" : offer) see: \(help)"
  }

  private var unknownOption: String? {
    let known = options
    var place = line.startIndex + path.count
    while place < line.endIndex {
      let word = line[place]
      place += 1
      if word == "--" { return nil }
      guard word.hasPrefix("-"), word != "-" else { continue }
      let option = String(word.prefix { $0 != "=" })
      // A number may stand right behind its letter.
      if option == "-help" || option.hasPrefix("-n") && known.contains("-n") { continue }
      guard !known.contains(option) else { continue }
      if option == "--generate-completion-script" {
        return "\(option) takes bash, zsh or fish; see: cairn help"
      }
      if command is CairnCommand.Type, ["--store", "--json", "--utc"].contains(option) {
        return "\(option) goes with a command, such as cairn stats; see: cairn help"
      }
      // The parser takes a number below 0 for an option.
      if Double(word) != nil, let owner = line[..<(place - 1)].last, known.contains(owner) {
        return "\(owner) takes no number below 0; see: \(help)"
      }
      // As `git log -5` has it.
      if known.contains("-n"), let count = UInt(option.dropFirst()) {
        return "\(name) has no option '\(option)'; did you mean -n \(count)? see: \(help)"
      }
      guard !takesByItself(option) else {
        let word = option.dropFirst(2)
        return "\(name) has no option '\(option)'; write the \(word) alone; see: \(help)"
      }
      let near =
        Synonyms.option(option, among: known)
        ?? Spelling.nearest(
          to: option, among: known.filter { $0.hasPrefix("--") && !Self.destructive.contains($0) })
      let offer =
        otherCommand(taking: option).map { "; \($0);" } ?? near.map { "; did you mean \($0)?" }
        ?? Synonyms.advice(option).map { "; \($0);" } ?? ";"
      let quoting =
        command is Search.Type
        ? " (text that begins with -: cairn search -- -text)"
        : Self.isWord(word) ? " (a name that begins with - stands behind --, a value behind =)" : ""
      return "\(name) has no option '\(DisplayText.fit(option, 60))'\(offer) see: \(help)\(quoting)"
    }
    return nil
  }

  /// What asks for some of the events by an option that this command has not.
  private func otherCommand(taking option: String) -> String? {
    if command is Export.Type, ["--actor", "--domain", "--since"].contains(option) {
      return "cairn log \(option) … --json gives these"
    }
    if command is Log.Type, ["--session", "--device", "--query", "--filter"].contains(option) {
      return "cairn purge \(option) … --dry-run --list shows these"
    }
    return nil
  }

  /// Whether an option has the name of what the command takes without one, as `--item` of `show`.
  private func takesByItself(_ option: String) -> Bool {
    guard option.hasPrefix("--"), option.count > 2 else { return false }
    let word = option.dropFirst(2)
    return CairnCommand.helpMessage(for: command, includeHidden: true, columns: 400)
      .split(separator: "\n")
      .contains { $0.hasPrefix("  <\(word)>") || $0.hasPrefix("  <\(word)s>") }
  }

  /// Whether it is more than a letter after one hyphen, as a name that begins with one.
  private static func isWord(_ word: String) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2 && word != "-help"
  }

  /// That a word is no command or no option, such as `-hal`, in which the parser sees the `h`: it
  /// would answer with the help and call that a success.
  static func hiddenHelp(in line: [String]) -> String? {
    let words = line.prefix { $0 != "--" }
    if words.contains(where: CairnCommand.helpFlags.contains) {
      return UsageError(line).unknownCommand
    }
    guard words.contains(where: { isWord($0) && !$0.hasPrefix("-n") && $0.contains("h") }) else {
      return nil
    }
    let fault = UsageError(line)
    return fault.unknownCommand ?? fault.unknownOption
  }

  /// That an option begins with one long dash, as in text that was pasted.
  static func pastedDash(in line: [String]) -> String? {
    let dashes = "\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}"
    for word in line.prefix(while: { $0 != "--" }) {
      guard let first = word.first, dashes.contains(first) else { continue }
      let name = word.drop { dashes.contains($0) || $0 == "-" }.prefix { $0 != "=" }
      let fault = UsageError(line)
      let option = (name.count == 1 ? "-" : "--") + name
      guard fault.options.contains(option) else { continue }
      return "'\(DisplayText.fit(word, 60))' begins with a long dash; write \(option); "
        + "see: \(fault.help)"
    }
    return nil
  }

  /// That an option which takes one value is given two, of which the parser keeps the last.
  ///
  /// Only where any stands twice the parser is asked which ones may: that takes it a millisecond.
  static func repeatedOption(in line: [String]) -> String? {
    var seen: Set<Substring> = []
    var repeated: Set<String> = []
    for word in line.prefix(while: { $0 != "--" }) {
      guard let option = longName(of: word) else { continue }
      if !seen.insert(option).inserted { repeated.insert(String(option)) }
    }
    guard !repeated.isEmpty else { return nil }
    let fault = UsageError(line)
    return fault.singleOptions.first(where: repeated.contains).map {
      "--\($0) is given twice and takes one value; see: \(fault.help)"
    }
  }

  /// The long name of the option that a word is, with or without its value; nil for other words.
  private static func longName(of word: String) -> Substring? {
    if word.hasPrefix("--") { return word.dropFirst(2).prefix { $0 != "=" } }
    return word.hasPrefix("-n") ? "limit" : nil
  }

  /// The long names of options that take one value once, as the parser describes the command.
  private var singleOptions: [String] {
    let description = Array(command._dumpHelp().utf8)
    // Were it no JSON, no option would be refused.
    let arguments = JSONObject(json: description)?["command"]?.object?["arguments"]?.array ?? []
    return arguments.flatMap { argument -> [String] in
      guard let argument = argument.object, argument["kind"] == .string("option"),
        argument["isRepeating"] == .bool(false), let names = argument["names"]?.array
      else { return [] }
      return names.compactMap { $0.object?["name"]?.string }
    }
  }

  /// Every option of the command, as its help lists them.
  private var options: [String] {
    var found = ["-h", "--help", "--version"]
    for line in CairnCommand.helpMessage(for: command, includeHidden: true, columns: 400)
      .split(separator: "\n")
    {
      guard line.hasPrefix("  -") else { continue }
      let label = line.dropFirst(2).split(separator: "  ", maxSplits: 1).first ?? ""
      for part in label.split(whereSeparator: { ", /<".contains($0) }) where part.hasPrefix("-") {
        found.append(String(part))
        // A flag that can be taken back is listed as --deliberate/--no-deliberate.
      }
    }
    return found
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
  }

  private static func subcommand(of command: any ParsableCommand.Type, named name: String)
    -> (any ParsableCommand.Type)?
  {
    command.configuration.subcommands.first {
      $0._commandName == name || $0.configuration.aliases.contains(name)
    }
  }
}
