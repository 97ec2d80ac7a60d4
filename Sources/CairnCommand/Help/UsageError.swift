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
    if let stray { return "\(stray) see: \(help)" }
    if said.contains("nexpected argument"), let quoted { said += "; \(quoted)" }
    said += expectation(said)
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

  /// What goes where a value is missing or was refused without a reason.
  private func expectation(_ said: String) -> String {
    guard let argument = taken.first(where: { said.hasSuffix("<\($0.value)>'") }) else { return "" }
    if said.hasPrefix("Missing") {
      return argument.values.isEmpty ? "" : "; one of \(argument.values.joined(separator: ", "))"
    }
    guard said.hasPrefix("The value ") else { return "" }
    switch argument.value {
    case "uuid": return ": a UUID has 32 hexadecimal digits and four hyphens"
    case "size": return ": bytes go there, or 64K, 256M, 1G"
    case "list": return ": sequences go there, as 5,9-12"
    case "point", "old", "new": return ": a sequence, a time or a snapshot's name goes there"
    case "address": return ": HOST:PORT goes there, or unix:PATH"
    case "names", "key[:n]", "key[:asc|desc]", "base64", "file": return ""
    case "a,b,c,d,e,f[,g]": return ": six or seven numbers go there, or fit"
    default: return ": a number goes there"
    }
  }

  /// A word before a command that takes none, and the option that it was most likely meant for.
  private var stray: String? {
    let taken = taken
    // What `init` takes for its word is told by itself.
    guard command.configuration.subcommands.isEmpty, !(command is Init.Type),
      !taken.contains(where: { $0.names.isEmpty })
    else { return nil }
    var place = path.count
    while place < line.count, line[place].hasPrefix("-") {
      let isValued = taken.contains { !$0.isFlag && $0.names.contains(line[place]) }
      place += isValued ? 2 : 1
    }
    guard place < line.count else { return nil }
    let word = line[place]
    guard quoted == nil else { return nil }
    let options = taken.flatMap(\.names)
    let option =
      taken.first { $0.values.contains(word) }?.names.last
      ?? (UInt(word) == nil ? ["--item", "--domain"] : ["-n"]).first(where: options.contains)
    let shown = DisplayText.word(DisplayText.fit(word, 60))
    let offer = option.map { "; did you mean \($0) \(shown)?" } ?? ";"
    return "Unexpected argument '\(DisplayText.fit(word, 60))'\(offer)"
  }

  /// A text of several words without quotes, as `--title Harbour survey`, and how it is written.
  private var quoted: String? {
    let options = textOptions
    for place in line.indices.dropLast(2) where options.contains(line[place]) {
      var words = line[(place + 1)...].prefix { !$0.hasPrefix("-") }
      // What the command takes by itself may stand behind.
      if place == path.count { words = words.dropLast(taken.count { $0.names.isEmpty }) }
      guard words.count > 1, !words[place + 1].contains(" ") else { continue }
      let text = DisplayText.fit(words.joined(separator: " "), 60)
      return "several words stand in quotes: \(line[place]) '\(text)'"
    }
    return nil
  }

  /// Options of which the value is a text that people write.
  private var textOptions: [String] {
    let texts: Set = ["title", "text", "description", "expression"]
    return taken.filter { texts.contains($0.value) }.flatMap(\.names)
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
    var known = names(of: command)
    if command is CairnCommand.Type { known.append("help") }
    if command is CairnCommand.Type, let other = Synonyms.command(word) {
      return "no command '\(word)'; \(other); see: cairn help"
    }
    let near = Synonyms.command(word, among: known) ?? Spelling.nearest(to: word, among: known)
    // Another one that is nearly called so is not meant either.
    let isErasing = near.map(destructive.contains) ?? false
    let offer = isErasing ? "" : near.map { "; did you mean \($0)?" } ?? ""
    let help = isErasing ? near.map { "\(help) \($0)" } ?? help : help
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
        if textOptions.contains(owner) { return "write \(owner)=\(word); see: \(help)" }
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
    let word = String(option.dropFirst(2))
    return taken.contains { $0.names.isEmpty && [word, word + "s"].contains($0.value) }
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
    return fault.taken.filter { !$0.isFlag && !$0.isRepeating }.flatMap(\.names)
      .first { repeated.contains(String($0.dropFirst(2))) }.map {
        "\($0) is given twice and takes one value; see: \(fault.help)"
      }
  }

  /// The long name of the option that a word is, with or without its value; nil for other words.
  private static func longName(of word: String) -> Substring? {
    if word.hasPrefix("--") { return word.dropFirst(2).prefix { $0 != "=" } }
    return word.hasPrefix("-n") ? "limit" : nil
  }

  /// What a command takes: options, flags and words.
  private struct Taken {
    /// With their hyphens; a word that stands alone has none.
    var names: [String]
    /// What the help calls the value.
    var value: String
    /// The values that are allowed, where they are listed.
    var values: [String]
    var isFlag: Bool
    var isRepeating: Bool
  }

  /// What the command takes, as the parser describes it.
  private var taken: [Taken] {
    let description = Array(command._dumpHelp().utf8)
    // Were it no JSON, all would be left to the parser.
    let arguments = JSONObject(json: description)?["command"]?.object?["arguments"]?.array ?? []
    return arguments.compactMap(\.object).map { argument in
      let names = (argument["names"]?.array ?? []).compactMap(\.object).compactMap { name in
        name["name"]?.string.map { (name["kind"] == .string("short") ? "-" : "--") + $0 }
      }
      return Taken(
        names: names, value: argument["valueName"]?.string ?? "",
        values: (argument["allValues"]?.array ?? []).compactMap(\.string),
        isFlag: argument["kind"] == .string("flag"),
        isRepeating: argument["isRepeating"] == .bool(true))
    }
  }

  /// Every option of the command.
  private var options: [String] { ["-h", "--help", "--version"] + taken.flatMap(\.names) }

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
