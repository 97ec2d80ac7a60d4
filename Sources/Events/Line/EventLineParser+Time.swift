extension EventLineParser {
  /// Reads a moment: RFC 3339 in a string or, except for `expires`, Unix seconds.
  ///
  /// A payload does not keep `recorded`.
  mutating func moment(_ field: PayloadField?, _ line: Span<UInt8>) throws(CairnError) {
    guard try !null(line) else {
      clearMoment(field)
      return
    }
    let message: StaticString =
      switch field {
      case .expires: "`expires` must be RFC 3339, as 2026-01-31T12:00:00Z, or null"
      case nil:
        "`recorded` must be RFC 3339, as 2026-01-31T12:00:00Z, or Unix seconds, no milliseconds"
      default: "`time` must be RFC 3339, as 2026-01-31T12:00:00Z, or Unix seconds, no milliseconds"
      }
    let place = json.position
    let time: Timestamp?
    if field != .expires, json.next(line) != UInt8(ascii: "\"") {
      time = Timestamp(unix: try number(line, message))
    } else {
      time = try withText(line, message) { Timestamp(rfc3339: $0) }
    }
    guard let time else { throw invalid(message, at: place) }
    let start = json.out.count
    switch field {
    case nil: draft.recorded = time
    case .expires:
      json.out.appendTimestamp(time)
      draft.set(.expires, start..<json.out.count)
    default:
      draft.time = time
      json.out.appendTimestamp(time)
      draft.set(.time, start..<json.out.count)
    }
  }

  private mutating func clearMoment(_ field: PayloadField?) {
    switch field {
    case nil: draft.recorded = nil
    case .expires:
      json.out.append(CBORByte.null)
      draft.set(.expires, json.out.count - 1..<json.out.count)
    default:
      draft.time = nil
      draft.clear(.time)
    }
  }
}

extension Timestamp {
  /// The moment at a decimal number of Unix seconds; nil outside the range.
  ///
  /// Digits after the ninth are dropped. No double is involved, so what was written is kept.
  init?(unix number: JSONNumber) {
    guard let parts = Self.parts(number), parts.whole <= UInt64(Self.latest.seconds) else {
      return nil
    }
    var seconds = Int64(parts.whole)
    var nanoseconds = parts.nanoseconds
    if number.isNegative {
      seconds = nanoseconds == 0 ? -seconds : -seconds - 1
      nanoseconds = nanoseconds == 0 ? 0 : 1_000_000_000 - nanoseconds
    }
    guard seconds >= Self.earliest.seconds else { return nil }
    self.init(unchecked: seconds, nanoseconds)
  }

  private static func parts(_ number: JSONNumber) -> (whole: UInt64, nanoseconds: UInt32)? {
    guard number.significand != 0 else { return (0, 0) }
    guard number.exponent < 0 else {
      guard number.exponent <= 12 else { return nil }
      let (whole, overflow) = number.significand.multipliedReportingOverflow(
        by: power(number.exponent))
      return overflow ? nil : (whole, 0)
    }
    let digits = -number.exponent
    let whole = digits <= 19 ? number.significand / power(digits) : 0
    let rest = digits <= 19 ? number.significand % power(digits) : number.significand
    guard digits > 9 else { return (whole, UInt32(rest * power(9 - digits))) }
    return (whole, digits <= 28 ? UInt32(rest / power(digits - 9)) : 0)
  }

  /// Ten to a power from 0 to 19.
  private static func power(_ exponent: Int) -> UInt64 {
    var value: UInt64 = 1
    for _ in 0..<exponent { value *= 10 }
    return value
  }
}
