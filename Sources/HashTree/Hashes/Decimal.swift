/// Decimal numbers as C2SP formats write them: digits only, no leading zero.
enum Decimal {
  static func parse(_ digits: some Collection<UInt8>) -> UInt64? {
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    var value: UInt64 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      let (high, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isAbove) = high.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
      guard !isTooLarge, !isAbove else { return nil }
      value = sum
    }
    return value
  }
}
