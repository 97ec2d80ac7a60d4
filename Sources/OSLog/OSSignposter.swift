/// Marks of what a program does when, for `OSSignposter` and `os_signpost`.
///
/// Linux has no Instruments to show them: they are messages of the level `debug`, so written with
/// `OS_ACTIVITY_MODE=debug` alone, the end of an interval with the time that it took.
public struct OSSignposter: Sendable {
  private let log: OSLog

  /// Marks of nothing in particular.
  public init() { log = .default }

  /// Marks of a part of a program.
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// Marks of a part of a program, in one of the categories that are known.
  public init(subsystem: String, category: OSLog.Category) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  /// Marks that go where a logger writes.
  public init(logger: Logger) { log = logger.log }

  /// Marks that go where a log writes.
  public init(logHandle: OSLog) { log = logHandle }

  /// Marks that nobody sees.
  public static let disabled = OSSignposter(logHandle: .disabled)

  /// Whether marks are written.
  public var isEnabled: Bool { log.signpostsEnabled }

  /// A number that no other interval of the process has.
  public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }

  /// The number of an object's intervals.
  public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
    OSSignpostID(log: log, object: object)
  }

  /// Begins an interval.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive,
    _ message: @autoclosure () -> SignpostMetadata = ""
  ) -> OSSignpostIntervalState {
    log.mark(.begin, name, id, message().text)
    return .beginState(id: id)
  }

  /// Begins an interval in which something moves.
  public func beginAnimationInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive,
    _ message: @autoclosure () -> SignpostMetadata = ""
  ) -> OSSignpostIntervalState { beginInterval(name, id: id, message()) }

  /// Ends an interval.
  public func endInterval(
    _ name: StaticString, _ state: OSSignpostIntervalState,
    _ message: @autoclosure () -> SignpostMetadata = ""
  ) { log.mark(.end, name, state.signpostID, message().text, since: state.start) }

  /// Marks a moment.
  public func emitEvent(
    _ name: StaticString, id: OSSignpostID = .exclusive,
    _ message: @autoclosure () -> SignpostMetadata = ""
  ) { log.mark(.event, name, id, message().text) }

  /// Does something as an interval.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive,
    _ message: @autoclosure () -> SignpostMetadata = "", around task: () throws -> T
  ) rethrows -> T {
    let state = beginInterval(name, id: id, message())
    defer { endInterval(name, state) }
    return try task()
  }
}

/// What a mark says besides its name.
public typealias SignpostMetadata = OSLogMessage

/// An interval that has begun.
public final class OSSignpostIntervalState: Sendable {
  /// The interval's number.
  public let signpostID: OSSignpostID
  let start = ContinuousClock.now

  private init(_ id: OSSignpostID) { signpostID = id }

  /// An interval of this number that begins now.
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { Self(id) }
}

/// Tells intervals of one name apart.
public struct OSSignpostID: Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// What stands for the only interval of its name.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  /// No number.
  public static let invalid = OSSignpostID(.max)
  /// No number.
  public static let null = OSSignpostID(0)

  /// A number that the program chose.
  public init(_ value: UInt64) { rawValue = value }

  /// A number that no other interval of the process has.
  public init(log: OSLog) { rawValue = .random(in: 1 ..< .max) }

  /// The number of an object's intervals.
  public init(log: OSLog, object: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
  }

  /// The order of the numbers.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What a mark is of.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
  /// Apple's number of the type.
  public let rawValue: UInt8

  /// A type by Apple's number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A moment.
  public static let event = OSSignpostType(rawValue: 0)
  /// The beginning of an interval.
  public static let begin = OSSignpostType(rawValue: 1)
  /// The end of an interval.
  public static let end = OSSignpostType(rawValue: 2)

  fileprivate var label: String {
    switch self {
    case .begin: "begin"
    case .end: "end"
    default: "event"
    }
  }
}

/// Marks a moment, or an end of an interval, in the older form.
public func os_signpost(
  _ type: OSSignpostType, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive
) { log.mark(type, name, signpostID, "") }

/// Marks a moment, or an end of an interval, in the older form: a format with its values.
public func os_signpost(
  _ type: OSSignpostType, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive,
  _ format: StaticString, _ values: any CVarArg...
) { log.mark(type, name, signpostID, LogFormat("\(format)").text(values)) }

extension OSLog {
  /// A category that Apple's systems know.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The category's name.
    public let rawValue: String

    /// A category by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What is worth to be looked at.
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    /// What is recorded while somebody looks.
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    /// What is recorded with its calls while somebody looks.
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }

  /// The log of a part of a program, in one of the categories that are known.
  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  /// Whether marks are written.
  public var signpostsEnabled: Bool { isEnabled(type: .debug) }

  fileprivate func mark(
    _ type: OSSignpostType, _ name: StaticString, _ id: OSSignpostID,
    _ message: @autoclosure () -> String, since start: ContinuousClock.Instant? = nil
  ) {
    guard signpostsEnabled else { return }
    let number = id == .exclusive ? "" : " \(String(id.rawValue, radix: 16))"
    let duration = start.map { ", \(ContinuousClock.now - $0)" } ?? ""
    let said = message()
    write("\(type.label) \(name)\(number)\(duration)\(said.isEmpty ? "" : ": \(said)")", .debug)
  }
}
