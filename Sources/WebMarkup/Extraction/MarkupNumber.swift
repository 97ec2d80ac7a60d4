import Values

/// A number as structured data writes it: `[+-]?digits[.digits]`.
package enum MarkupNumber {
  static func parse(_ text: String) -> Double? {
    var scan = DigitScanner(text.strippedSpace)
    let isNegative = scan.take("-")
    if !isNegative { _ = scan.take("+") }
    let whole = scan.digits()
    guard !whole.isEmpty else { return nil }
    var digits = whole
    if scan.take(".") {
      let part = scan.digits()
      guard !part.isEmpty else { return nil }
      digits += "." + part
    }
    guard scan.isAtEnd, let value = Double(digits), value.isFinite else { return nil }
    return isNegative ? -value : value
  }

  /// Whole numbers without a point.
  static func json(_ value: Double) -> JSON {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return .integer(whole) }
    return .number(value.description)
  }

  /// The seconds of an ISO 8601 duration; years and months, which have no fixed length, are none,
  /// and nothing lasts a thousand million.
  package static func seconds(_ text: String) -> Double? {
    var scan = DigitScanner(text.strippedSpace)
    guard scan.take("P") else { return nil }
    var seconds = 0.0
    var isTime = false
    var hasPart = false
    while !scan.isAtEnd {
      if !isTime, scan.take("T") {
        isTime = true
        continue
      }
      var digits = scan.digits()
      guard !digits.isEmpty else { return nil }
      if scan.take(".") || scan.take(",") { digits += "." + scan.digits() }
      guard let value = Double(digits), let unit = unit(&scan, isTime, of: value) else {
        return nil
      }
      seconds += value * unit
      hasPart = true
    }
    return hasPart && seconds < 1e9 ? seconds : nil
  }

  private static func unit(
    _ scan: inout DigitScanner, _ isTime: Bool, of value: Double
  ) -> Double? {
    if isTime { return scan.take("H") ? 3600 : scan.take("M") ? 60 : scan.take("S") ? 1 : nil }
    // No years are no time, however long one is: `P0Y0M0DT35M`.
    if value == 0, scan.take("Y") || scan.take("M") { return 0 }
    return scan.take("W") ? 604_800 : scan.take("D") ? 86_400 : nil
  }
}
