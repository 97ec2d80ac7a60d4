/// Decimal numbers as C2SP formats write them: digits only, no leading zero.
enum Decimal {
  static func parse(_ digits: some Collection<UInt8>) -> UInt64? {
    // The initialiser also takes signs and leading zeros.
    guard let value = UInt64(String(decoding: digits, as: UTF8.self)),
      digits.elementsEqual(String(value).utf8)
    else { return nil }
    return value
  }
}
