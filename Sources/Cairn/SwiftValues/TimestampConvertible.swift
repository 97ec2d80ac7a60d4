public import FoundationEssentials

/// A moment in time, as Cairn or Foundation has it.
public protocol TimestampConvertible {
  /// The moment.
  var timestamp: Timestamp { get }
}

extension Timestamp: TimestampConvertible {
  /// The moment itself.
  public var timestamp: Timestamp { self }

  /// A moment of Foundation, to the nearest microsecond; what lies outside the range becomes its
  /// nearest end, and what is no number the epoch.
  public init(_ date: Date) {
    // The double of every other microsecond lies just before it.
    let middle = Timestamp(unixSeconds: date.timeIntervalSince1970) + .nanoseconds(500)
    self.init(microseconds: middle.microseconds)
  }

  /// The moment so much later; what lies outside the range becomes its nearest end.
  public static func + (time: Timestamp, distance: Duration) -> Timestamp {
    // Farther than any moment is from another, and near enough to count with.
    let most = Duration.seconds(1_000_000_000_000)
    let (seconds, attoseconds) = min(max(distance, .zero - most), most).components
    let nanoseconds = Int64(time.nanoseconds) + attoseconds / 1_000_000_000
    let carry = nanoseconds < 0 ? -1 : nanoseconds / 1_000_000_000
    return Timestamp(
      seconds: time.seconds + seconds + carry,
      nanoseconds: UInt32(nanoseconds - carry * 1_000_000_000))
  }

  /// The moment so much earlier; what lies outside the range becomes its nearest end.
  public static func - (time: Timestamp, distance: Duration) -> Timestamp {
    time + (.zero - distance)
  }

  /// How much later one moment is than another.
  public static func - (one: Timestamp, other: Timestamp) -> Duration {
    .seconds(one.seconds - other.seconds)
      + .nanoseconds(Int64(one.nanoseconds) - Int64(other.nanoseconds))
  }
}

extension Date: TimestampConvertible {
  /// The moment, to the microsecond.
  public var timestamp: Timestamp { Timestamp(self) }

  /// A moment of Cairn, as near as a double comes.
  public init(_ timestamp: Timestamp) { self.init(timeIntervalSince1970: timestamp.unixSeconds) }
}

extension TimestampConvertible where Self == Timestamp {
  /// The clock's time.
  public static var now: Timestamp { Timestamp.now() }
}

extension Timestamp {
  /// The moment as Foundation has it.
  public var date: Date { Date(self) }
}

extension Point {
  /// After all events recorded at or before this time, as near as a date tells times apart: those
  /// of one microsecond all count.
  public static func time(_ date: Date) -> Point {
    let now = Timestamp.now()
    let end = Timestamp(date) + .nanoseconds(999)
    // The present's own microsecond is not over, and there is no point in the future.
    return .time(end - .microseconds(2) < now ? min(end, now) : end)
  }
}

extension Change: ExpressibleByUnicodeScalarLiteral where Value == String {
  /// A new value.
  public init(unicodeScalarLiteral value: String) { self = .value(value) }
}

extension Change: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {
  /// A new value.
  public init(extendedGraphemeClusterLiteral value: String) { self = .value(value) }
}

extension Change: ExpressibleByStringLiteral where Value == String {
  /// A new value.
  public init(stringLiteral value: String) { self = .value(value) }
}

extension Change: ExpressibleByStringInterpolation where Value == String {}

extension Change: ExpressibleByNilLiteral {
  /// Not mentioned.
  public init(nilLiteral: ()) { self = .absent }
}
