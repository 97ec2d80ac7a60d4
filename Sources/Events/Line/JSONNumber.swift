/// A number as JSON spells it (RFC 8259 §6), read but not yet converted.
struct JSONNumber {
  var range: Range<Int>
  var isNegative = false
  /// Neither point nor exponent.
  var isInteger = true
  /// The first 19 significant digits.
  var significand: UInt64 = 0
  /// Power of ten of the significand's last digit.
  var exponent = 0
  /// More digits than the significand holds.
  var isTruncated = false

  /// The exact whole number, when it was written as one and fits.
  ///
  /// Minus zero is none: only a double can hold it.
  var integer: Int64? {
    guard isInteger, !isTruncated else { return nil }
    if isNegative {
      guard significand > 0, significand <= 1 << 63 else { return nil }
      return Int64(truncatingIfNeeded: 0 &- significand)
    }
    return Int64(exactly: significand)
  }

  /// The whole number that is meant, also where it is written as `1.0` or `1e2`.
  func whole(_ text: Span<UInt8>) -> Int64? {
    if let integer { return integer }
    let value = double(text)
    return value.magnitude < 0x1p53 ? Int64(exactly: value) : nil
  }

  /// Whether it is written as a whole number that only a double could hold, and none does.
  var isRoundedWhole: Bool {
    guard isInteger, integer == nil else { return false }
    return isTruncated || UInt64(exactly: Double(significand)) != significand
  }

  /// The nearest double; infinite when there is none.
  func double(_ text: Span<UInt8>) -> Double {
    // Both the significand and the power are exact, so one rounding is all there is (Clinger,
    // "How to read floating point numbers accurately", 1990).
    if !isTruncated, significand < 1 << 53, exponent >= -22, exponent <= 22 {
      let power = Self.powers[abs(exponent)]
      let magnitude = exponent < 0 ? Double(significand) / power : Double(significand) * power
      return isNegative ? -magnitude : magnitude
    }
    var digits: [UInt8] = []
    digits.append(text, range)
    return Double(String(decoding: digits, as: UTF8.self)) ?? .infinity
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

extension JSONNumber {
  /// Reads the number that starts at `start`; when the grammar allows none there, nil and the
  /// offset of the byte that breaks it.
  init?(_ text: Span<UInt8>, at start: Int, failure: inout Int) {
    range = start..<start
    var index = start
    defer { failure = index }
    isNegative = Self.skip(text, &index, UInt8(ascii: "-"))
    let leading = index
    guard readDigits(text, &index, scale: 0) > 0 else { return nil }
    guard index == leading + 1 || text[leading] != UInt8(ascii: "0") else {
      index = leading + 1
      return nil
    }
    if Self.skip(text, &index, UInt8(ascii: ".")) {
      isInteger = false
      guard readDigits(text, &index, scale: -1) > 0 else { return nil }
    }
    if Self.skip(text, &index, UInt8(ascii: "e")) || Self.skip(text, &index, UInt8(ascii: "E")) {
      isInteger = false
      guard readPower(text, &index) else { return nil }
    }
    range = start..<index
  }

  private static func skip(_ text: Span<UInt8>, _ index: inout Int, _ byte: UInt8) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  /// Adds digits to the significand; `scale` is what one more digit does to the exponent.
  private mutating func readDigits(_ text: Span<UInt8>, _ index: inout Int, scale: Int) -> Int {
    let start = index
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      if significand < 1_000_000_000_000_000_000 {
        significand = significand * 10 + UInt64(digit)
        exponent += scale
      } else {
        isTruncated = true
        exponent += scale + 1
      }
      index += 1
    }
    return index - start
  }

  private mutating func readPower(_ text: Span<UInt8>, _ index: inout Int) -> Bool {
    let isDown = Self.skip(text, &index, UInt8(ascii: "-"))
    if !isDown { _ = Self.skip(text, &index, UInt8(ascii: "+")) }
    let start = index
    var power = 0
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      // The bound is far beyond any double and keeps the sum from running over.
      if power < 1_000_000 { power = power * 10 + Int(digit) }
      index += 1
    }
    exponent += isDown ? -power : power
    return index > start
  }
}
