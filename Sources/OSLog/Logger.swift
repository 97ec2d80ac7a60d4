/// Writes messages to standard error, with their subsystem, category and level.
///
/// Under systemd they come into the journal with a priority. As on Apple's systems, `debug` and
/// `info` are kept out unless somebody asks for them: `OS_ACTIVITY_MODE=debug`.
public struct Logger: Sendable {
  let log: OSLog

  /// A logger of a part of a program.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// A logger of nothing in particular.
  public init() { log = .default }

  /// A logger that writes as another one.
  public init(_ log: OSLog) { self.log = log }

  /// Logs at the default level.
  public func log(_ message: OSLogMessage) { log.write(message.text, .default) }

  /// Logs at a level.
  public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message.text, level) }

  /// Logs what helps to find a defect.
  public func trace(_ message: OSLogMessage) { log.write(message.text, .debug) }

  /// Logs what helps to find a defect.
  public func debug(_ message: OSLogMessage) { log.write(message.text, .debug) }

  /// Logs what may help.
  public func info(_ message: OSLogMessage) { log.write(message.text, .info) }

  /// Logs what is worth to be kept.
  public func notice(_ message: OSLogMessage) { log.write(message.text, .default) }

  /// Logs what should not be.
  public func warning(_ message: OSLogMessage) { log.write(message.text, .error) }

  /// Logs an error.
  public func error(_ message: OSLogMessage) { log.write(message.text, .error) }

  /// Logs a defect.
  public func critical(_ message: OSLogMessage) { log.write(message.text, .fault) }

  /// Logs a defect.
  public func fault(_ message: OSLogMessage) { log.write(message.text, .fault) }
}
