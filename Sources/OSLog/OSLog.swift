import Foundation

/// How grave a message is.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// Apple's number of the level.
  public let rawValue: UInt8

  /// A level by Apple's number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What is worth to be kept.
  public static let `default` = OSLogType(rawValue: 0)
  /// What may help.
  public static let info = OSLogType(rawValue: 1)
  /// What helps to find a defect.
  public static let debug = OSLogType(rawValue: 2)
  /// An error.
  public static let error = OSLogType(rawValue: 16)
  /// A defect.
  public static let fault = OSLogType(rawValue: 17)

  /// Its name, and its priority in the journal (syslog, RFC 5424 §6.2.1).
  fileprivate var label: (name: String, priority: Int) {
    switch self {
    case .info: ("info", 6)
    case .debug: ("debug", 7)
    case .error: ("error", 3)
    case .fault: ("fault", 2)
    default: ("notice", 5)
    }
  }
}

/// A part of a program that logs.
public final class OSLog: Sendable {
  private let subsystem: String
  private let category: String

  /// The log of nothing in particular.
  public static let `default` = OSLog(subsystem: "", category: "")
  /// A log that keeps nothing.
  public static let disabled = OSLog(subsystem: "", category: "\u{0}")

  /// The log of a part of a program.
  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
  }

  private static let isVerbose = ProcessInfo.processInfo.environment["OS_ACTIVITY_MODE"] == "debug"
  private static let isJournal = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil

  /// Whether messages of a level are written.
  public func isEnabled(type: OSLogType) -> Bool {
    self !== OSLog.disabled && (Self.isVerbose || (type != .debug && type != .info))
  }

  /// One line: a message with a newline in it must not look like two, nor write over itself.
  func write(_ text: String, _ type: OSLogType) {
    guard isEnabled(type: type) else { return }
    let (name, priority) = type.label
    let part = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ":")
    let line =
      (Self.isJournal ? "<\(priority)>" : "")
      + "\(name)\(part.isEmpty ? "" : " [\(part)]") \(text)"
    // By bytes: to Foundation a newline with an accent behind it is another character.
    let blank = UInt8(ascii: " ")
    let shown = line.utf8.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? blank : $0 }
    FileHandle.standardError.write(Data(shown + [UInt8(ascii: "\n")]))
  }
}

/// Logs a message in the older form: a format with its values.
///
/// Values of `%@` and `%s` are hidden unless the format says `%{public}@`.
public func os_log(
  _ message: StaticString, log: OSLog = .default, type: OSLogType = .default,
  _ values: any CVarArg...
) {
  log.write(LogFormat("\(message)").text(values), type)
}

/// Logs a message in the older form, its level first.
public func os_log(
  _ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ values: any CVarArg...
) {
  log.write(LogFormat("\(message)").text(values), type)
}

/// A format of `os_log`, whose values may carry marks such as `{public}`.
struct LogFormat {
  private let format: String

  init(_ format: String) { self.format = format }

  /// The message; a value that is missing is said to be.
  func text(_ values: [any CVarArg]) -> String {
    var text = ""
    var values = values[...]
    var rest = format[...]
    while let mark = rest.firstIndex(of: "%") {
      text += rest[..<mark]
      rest = rest[rest.index(after: mark)...]
      guard var place = Self.place(&rest) else {
        if rest.first == "%" {
          text += "%"
          rest.removeFirst()
        }
        continue
      }
      // A star takes its number from the values; `String(format:)` would read past them.
      while let star = place.flags.firstIndex(of: "*") {
        let number = (values.popFirst() as? Int).map { String($0) } ?? ""
        place.flags.replaceSubrange(star...star, with: number)
      }
      guard let value = values.popFirst() else {
        text += "<missing>"
        continue
      }
      text += Self.shown(value, kind: place.kind, flags: place.flags, marks: place.marks)
    }
    return text + rest
  }

  /// Takes what follows a percent sign; nil where that is no place for a value.
  private static func place(_ rest: inout Substring) -> (
    kind: Character, flags: String, marks: String
  )? {
    guard rest.first != "%" else { return nil }
    var marks: Substring = ""
    if rest.first == "{", let end = rest.firstIndex(of: "}") {
      marks = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    }
    // Letters for the size of a number come before the letter for its kind.
    let letter = rest.firstIndex { $0 == "@" || ($0.isLetter && !"hlqzt".contains($0)) }
    guard let letter else { return nil }
    let flags = rest[..<letter].filter { !$0.isLetter }
    let kind = rest[letter]
    rest = rest[rest.index(after: letter)...]
    return (kind, String(flags), String(marks))
  }

  private static func shown(_ value: any CVarArg, kind: Character, flags: String, marks: String)
    -> String
  {
    // A mark may also name a value, as in `name=publisher`, which makes it no more public.
    let words = marks.split { $0 == "," || $0 == " " }
    let isText = kind == "@" || kind == "s" || kind == "S"
    let isHidden = words.contains("private") || words.contains("sensitive")
    if isHidden || (isText && !words.contains("public")) { return "<private>" }
    if isText { return "\(value)" }
    // `String(format:)` reads what the letter says: only a value of that kind may reach it.
    switch value {
    case let number as any BinaryInteger:
      guard "diuxXo".contains(kind) else { return "\(number)" }
      let wide = Int64(truncatingIfNeeded: number)
      return String(format: "%\(flags)ll\(kind)", wide)
    case let number as Double where "feEgG".contains(kind):
      return String(format: "%\(flags)\(kind)", number)
    case let number as Float where "feEgG".contains(kind):
      return String(format: "%\(flags)\(kind)", Double(number))
    default: return "\(value)"
    }
  }
}
