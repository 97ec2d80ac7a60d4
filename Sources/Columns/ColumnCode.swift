package import Values

/// Values as whole numbers that order alike.
package enum ColumnCode {
  package static let none: UInt64 = 0
  /// A value that the column cannot hold.
  package static let elsewhere: UInt64 = 1
  /// The least code of a value.
  package static let first: UInt64 = 2

  private static let sign: UInt64 = 1 << 63
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// The code of a whole number; nil for the two least.
  package static func of(_ number: Int64) -> UInt64? {
    let code = UInt64(bitPattern: number) ^ sign
    return code >= first ? code : nil
  }

  /// The code of a number; nil for one that is not finite.
  package static func of(_ number: Double) -> UInt64? {
    guard number.isFinite else { return nil }
    let bits = number == 0 ? 0 : number.bitPattern
    return bits & sign != 0 ? ~bits : bits | sign
  }

  /// The code of a time; nil before 1677 and after 2262.
  package static func of(_ time: Timestamp) -> UInt64? {
    let (seconds, overflow) = time.seconds.multipliedReportingOverflow(by: nanosecondsPerSecond)
    let (sum, carry) = seconds.addingReportingOverflow(Int64(time.nanoseconds))
    return overflow || carry ? nil : of(sum)
  }

  /// The code of a truth value.
  package static func of(_ flag: Bool) -> UInt64 { first + (flag ? 1 : 0) }

  package static func integer(_ code: UInt64) -> Int64 { Int64(bitPattern: code ^ sign) }

  package static func number(_ code: UInt64) -> Double {
    Double(bitPattern: code & sign != 0 ? code & ~sign : ~code)
  }

  package static func time(_ code: UInt64) -> Timestamp {
    let sum = integer(code)
    let (seconds, rest) = sum.quotientAndRemainder(dividingBy: nanosecondsPerSecond)
    return rest < 0
      ? Timestamp(seconds: seconds - 1, nanoseconds: UInt32(rest + nanosecondsPerSecond))
      : Timestamp(seconds: seconds, nanoseconds: UInt32(rest))
  }

  package static func flag(_ code: UInt64) -> Bool { code > first }
}
