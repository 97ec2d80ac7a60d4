import ArgumentParser
import Cairn
import Files
import Importers

/// A time on the command line, as people write it: a moment or a span such as a day.
struct TimeArgument: ExpressibleByArgument {
  let text: String

  init(argument: String) { text = argument }

  /// The first moment meant; what is wrong is told of the option.
  func start(_ option: String, _ direction: TimeExpression.Direction = .back) throws(Failure)
    -> Timestamp
  { try read(option, direction).start }

  /// The last moment meant.
  func end(_ option: String) throws(Failure) -> Timestamp { try read(option, .back).end }

  /// From `--since` until `--until`, both ends included; nil where neither is given.
  static func span(_ since: TimeArgument?, _ until: TimeArgument?) throws(Failure)
    -> ClosedRange<Timestamp>?
  {
    if since == nil, until == nil { return nil }
    let start = try since?.start("--since") ?? .earliest
    let end = try until?.end("--until") ?? .latest
    guard start <= end else {
      throw Failure(.usage, "--since is after --until: nothing can lie between them")
    }
    return start...end
  }

  private func read(_ option: String, _ direction: TimeExpression.Direction) throws(Failure)
    -> TimeExpression
  {
    do { return try TimeExpression(text, zone: .chosen, direction: direction) } catch {
      throw Failure(error, of: option, unless: .badArgument, help: "times")
    }
  }
}

/// When an item goes.
struct ExpiryArgument: ExpressibleByArgument {
  let text: String

  init(argument: String) { text = argument }

  /// `never`, or a time; a distance such as `30d` counts from now on.
  func change() throws(Failure) -> Change<Timestamp> {
    if text == "never" { return .cleared }
    let time = try TimeArgument(argument: text).start("--expires", .forward)
    // Somebody who means 30 days writes 30.
    if Terminal.errorsAreTerminal, time <= .now() {
      Diagnostics.line(
        "cairn: --expires: \(CivilZone.chosen.text(of: time)) is over, so the item is gone now; "
          + "for days from now write 30d")
    }
    return .value(time)
  }
}

extension NameSpecification {
  /// `-n 3`, `-n3` and `--limit 3`.
  static var limit: Self { [.customShort("n", allowingJoined: true), .long] }
}

/// A number from 0 on.
struct CountArgument: ExpressibleByArgument, ExpressibleByIntegerLiteral {
  let value: Int
  /// The number as a limit: 0 stands for none.
  var limit: Int? { value == 0 ? nil : value }

  init(integerLiteral value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Int(argument), value >= 0 else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { "\(value)" }
}

extension TimeZone {
  /// The zone of times in files that are written without one, as ``CivilZone/chosen`` is.
  static var chosen: TimeZone { CivilZone.chosen == .utc ? .utc : .system() }
}

extension CivilZone {
  /// The zone in which this command reads and shows times: the process's, or UTC with `--utc`.
  ///
  /// Read off the line itself, since values are read before flags are known.
  static let chosen: CivilZone = {
    let options = CommandLine.arguments.prefix { $0 != "--" }
    if options.contains("--utc") { return .utc }
    tellOfUnknownZone()
    return .local
  }()

  /// The C library takes a zone that it does not know for UTC, without a word.
  private static func tellOfUnknownZone() {
    guard let name = Variables.get("TZ").map({ $0.hasPrefix(":") ? $0.dropFirst() : $0[...] }),
      !name.isEmpty, name != "GMT",
      // A rule of its own, as POSIX has it: a name and a number.
      name.hasPrefix("/") || !name.contains(where: \.isNumber),
      TimeZone(variable: String(name)) == nil
    else { return }
    Diagnostics.line(
      "cairn: TZ names no zone of this machine (\(DisplayText.harmless(String(name)))): times are in UTC"
    )
  }
}
