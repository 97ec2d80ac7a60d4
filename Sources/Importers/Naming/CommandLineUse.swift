import Cryptography
import Events

struct CommandLineUse {
  /// The language of the line: the scheme of its item and the type of its content.
  struct Language {
    var scheme: String
    var contentType: String
    static let shell = Language(scheme: "shell", contentType: "public.shell-script")
    static let python = Language(scheme: "python", contentType: "public.python-script")
    static let vim = Language(scheme: "vim", contentType: "public.source-code")
  }

  var command: String
  var language = Language.shell
  /// Microseconds since 1970; nil where the source has none.
  var time: Int64?
  /// Whether the time is that of another command, which may have another one in a later file.
  var isTimeBorrowed = false
  var host: String?
  var session: String?
  var workingDirectory: String?
  var exitStatus: Int64?
  /// Seconds that it ran.
  var duration: Double?
  /// The row's own key, where it has one.
  var key: String?
  var place: RecordPlace
}

extension Collector {
  /// Adds a command; one of white space only is left out.
  func add(
    _ use: CommandLineUse, source: String, _ complete: (inout ImportedEvent) -> Void = { _ in }
  ) throws(CairnError) {
    guard CommandText.nonBlank(use.command) != nil else { return skip("blank") }
    guard options.takesSecrets || !CommandSecret.isIn(use.command) else {
      return skip(CommandSecret.reason)
    }
    // A crash may leave a row of them in a file; no shell takes one.
    guard !use.command.utf8.contains(0) else { return malformed(use.place, "a byte of 0") }
    if let time = use.time, !CivilTime.isInRange(time) { return malformed(use.place, "no time") }
    let title = CommandText.title(use.command)
    let host = use.host.flatMap { $0.isEmpty ? nil : $0 } ?? options.host
    var item = use.language.scheme + ":" + use.command
    let isLong = item.utf8.count > EventLimits.itemByteCount
    if isLong {
      // The hash in its place holds no text.
      if let reason = options.refusal(of: item) { return skip(reason) }
      let digest = SHA256.hash(Array(use.command.utf8))
      item = use.language.scheme + ":sha256-" + Hexadecimal.text(digest.bytes)
    }
    var event = ImportedEvent(
      item: item, domain: "shell." + DomainPath.component(host),
      time: use.time, title: title, identity: identity(use, source), place: use.place)
    if isLong || use.command.utf8.contains(0x0A) { event.set("textContent", use.command) }
    event.set("contentType", use.language.contentType)
    event.session = use.session
    event.set("workingDirectory", use.workingDirectory)
    event.set("exitStatus", use.exitStatus)
    // Clocks are set back while a command runs.
    event.set("duration", use.duration.flatMap { $0 >= 0 ? $0 : nil })
    complete(&event)
    try add(event)
  }

  private func identity(_ use: CommandLineUse, _ source: String) -> Identity {
    if let key = use.key { return Identity(source, key) }
    let time = use.isTimeBorrowed ? nil : use.time
    var identity = Identity(time == nil ? "untimed" : "command", source)
    if let time { identity.add(time: time) }
    identity.add(use.command)
    identity.addCount(isUntimed: time == nil)
    return identity
  }
}

/// Texts as titles.
enum CommandText {
  /// Nil for a text of white space only.
  static func nonBlank(_ text: String) -> String? {
    let isBlank = text.utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
    // What is not ASCII may still be a space.
    return isBlank || text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : text
  }

  /// The text without white space at its ends.
  static func trimmed(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars
    let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
    let end = scalars.lastIndex { !$0.properties.isWhitespace }
    guard let end else { return "" }
    return String(String.UnicodeScalarView(scalars[start...end]))
  }

  /// The first line with something in it, cut at 200 characters.
  static func title(_ command: String) -> String {
    let lines = command.unicodeScalars.split(separator: "\n").lazy.map { trimmed(Substring($0)) }
    let line = lines.first { !$0.isEmpty } ?? command
    return line.unicodeScalars.count > 200
      ? String(String.UnicodeScalarView(line.unicodeScalars.prefix(200))) + "…" : line
  }
}
