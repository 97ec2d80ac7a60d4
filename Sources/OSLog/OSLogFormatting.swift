import Foundation

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
  private let letter: Character
  private let precision: Int

  private init(_ letter: Character, _ precision: Int) {
    self.letter = letter
    self.precision = min(max(0, precision), 99)
  }

  /// With six digits behind the point.
  public static var fixed: OSLogFloatFormatting { fixed(precision: 6) }
  /// With so many digits behind the point.
  public static func fixed(precision: Int) -> OSLogFloatFormatting { Self("f", precision) }
  /// As a power of ten, with six digits behind the point.
  public static var exponential: OSLogFloatFormatting { exponential(precision: 6) }
  /// As a power of ten, with so many digits behind the point.
  public static func exponential(precision: Int) -> OSLogFloatFormatting { Self("e", precision) }
  /// As is shorter, with six digits at most.
  public static var hybrid: OSLogFloatFormatting { hybrid(precision: 6) }
  /// As is shorter, with so many digits at most.
  public static func hybrid(precision: Int) -> OSLogFloatFormatting { Self("g", precision) }

  func text(_ number: Double) -> String { String(format: "%.\(precision)\(letter)", number) }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
  private let radix: Int
  private var digitCount = 1
  private var prefix = ""
  private var isUppercase = false

  private init(_ radix: Int) { self.radix = radix }

  /// With the digits 0 to 9.
  public static var decimal: OSLogIntegerFormatting { Self(10) }
  /// With the digits 0 to 9, of which there are so many at least.
  public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
    var format = decimal
    format.digitCount = min(minDigits, 99)
    return format
  }
  /// With the digits 0 to f; a number below 0 as its bits.
  public static var hex: OSLogIntegerFormatting { Self(16) }
  /// With the digits 0 to f, behind `0x` where that is asked for.
  public static func hex(includePrefix: Bool = false, uppercase: Bool = false)
    -> OSLogIntegerFormatting
  {
    var format = hex
    format.prefix = includePrefix ? "0x" : ""
    format.isUppercase = uppercase
    return format
  }
  /// With the digits 0 to 7; a number below 0 as its bits.
  public static var octal: OSLogIntegerFormatting { Self(8) }

  func text(_ number: some BinaryInteger) -> String {
    let isNegative = number < 0
    if radix != 10, isNegative {
      let unused = UInt64.bitWidth - min(number.bitWidth, UInt64.bitWidth)
      return text((UInt64(truncatingIfNeeded: number) << unused) >> unused)
    }
    let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
    let zeros = String(repeating: "0", count: max(0, digitCount - digits.count))
    return (isNegative ? "-" : "") + prefix + zeros + digits
  }
}

/// The columns that a value takes at least.
public struct OSLogStringAlignment: Sendable {
  private let columns: Int
  private let isRight: Bool

  /// As many as the value has.
  public static var none: OSLogStringAlignment { left(columns: 0) }
  /// So many, with blanks behind the value.
  public static func left(columns: Int) -> OSLogStringAlignment {
    Self(columns: columns, isRight: false)
  }
  /// So many, with blanks before the value.
  public static func right(columns: Int) -> OSLogStringAlignment {
    Self(columns: columns, isRight: true)
  }

  func padded(_ text: String) -> String {
    // More are no columns of a line.
    let blanks = String(repeating: " ", count: max(0, min(columns, 500) - text.count))
    return isRight ? blanks + text : text + blanks
  }
}
