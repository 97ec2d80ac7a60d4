import Glibc

/// A moment in time, to the nanosecond, in UTC without leap seconds.
///
/// Always within the years 0000 to 9999, so that every timestamp has an RFC 3339 form.
public struct Timestamp: Hashable, Sendable {
  /// Whole seconds after 1970-01-01T00:00:00Z, rounded down.
  public let seconds: Int64
  /// 0…999,999,999, added to `seconds`.
  public let nanoseconds: UInt32

  /// 0000-01-01T00:00:00Z, the earliest there is.
  public static let earliest = Timestamp(unchecked: -62_167_219_200, 0)
  /// 9999-12-31T23:59:59.999999999Z, the latest there is.
  public static let latest = Timestamp(unchecked: 253_402_300_799, 999_999_999)

  /// A moment by parts that the caller knows to be in range.
  package init(unchecked seconds: Int64, _ nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The last moment before this one.
  package var justBefore: Timestamp {
    nanoseconds > 0
      ? Timestamp(seconds: seconds, nanoseconds: nanoseconds - 1)
      : Timestamp(seconds: seconds - 1, nanoseconds: 999_999_999)
  }

  /// A moment by its parts; what lies outside the range becomes its nearest end.
  public init(seconds: Int64, nanoseconds: UInt32 = 0) {
    guard seconds >= Self.earliest.seconds else {
      self = .earliest
      return
    }
    guard seconds <= Self.latest.seconds else {
      self = .latest
      return
    }
    self.init(unchecked: seconds, min(nanoseconds, 999_999_999))
  }

  /// A moment by its Unix time; what lies outside the range becomes its nearest end, and what is
  /// no number the epoch.
  public init(unixSeconds: Double) {
    guard !unixSeconds.isNaN else {
      self.init(unchecked: 0, 0)
      return
    }
    guard unixSeconds > Double(Self.earliest.seconds) else {
      self = .earliest
      return
    }
    guard unixSeconds < Double(Self.latest.seconds) + 1 else {
      self = .latest
      return
    }
    let whole = unixSeconds.rounded(.down)
    let fraction = ((unixSeconds - whole) * 1e9).rounded()
    self.init(
      unchecked: Int64(whole) + (fraction >= 1e9 ? 1 : 0), fraction >= 1e9 ? 0 : UInt32(fraction))
  }

  /// A moment by its distance from the epoch; what lies outside the range becomes its nearest end.
  public init(microseconds: Int64) {
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.init(
      seconds: rest < 0 ? whole - 1 : whole,
      nanoseconds: UInt32(rest < 0 ? rest + 1_000_000 : rest) * 1000)
  }

  /// The clock's time.
  public static func now() -> Timestamp {
    var time = timespec()
    // SAFETY: the call fills the one structure it is given and keeps no reference to it.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
  }

  /// Microseconds after the epoch, rounded down.
  public var microseconds: Int64 { seconds * 1_000_000 + Int64(nanoseconds / 1000) }

  /// Seconds after the epoch, as near as a double comes (about a quarter of a microsecond today).
  public var unixSeconds: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

  /// Whole hours after the epoch, rounded down.
  package var hours: Int64 { seconds >= 0 ? seconds / 3600 : (seconds - 3599) / 3600 }

  /// The UTC day the moment lies in.
  package var date: CivilDate {
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    return CivilDate(daysSinceEpoch: Int(day))
  }
}

extension Timestamp: Comparable {
  /// Earlier than.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.seconds != b.seconds ? a.seconds < b.seconds : a.nanoseconds < b.nanoseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// The RFC 3339 form.
  public var description: String { rfc3339 }
}
