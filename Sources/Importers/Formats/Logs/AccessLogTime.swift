/// The time in a web server's log: `17/May/2015:10:05:03 +0000`.
enum AccessLogTime {
  /// - Returns: Unix seconds, nil where the text is not such a time.
  static func unixSeconds(_ text: Substring) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 26, bytes[2] == UInt8(ascii: "/"), bytes[6] == UInt8(ascii: "/"),
      bytes[11] == UInt8(ascii: ":"), bytes[14] == UInt8(ascii: ":"),
      bytes[17] == UInt8(ascii: ":"), bytes[20] == UInt8(ascii: " "),
      let month = CivilTime.month(text.dropFirst(3).prefix(3)),
      let day = number(bytes[0..<2]), let year = number(bytes[7..<11]),
      let hour = number(bytes[12..<14]), let minute = number(bytes[15..<17]),
      let second = number(bytes[18..<20]), let offset = offset(bytes[21..<26]),
      let moment = CivilTime.utc(
        Int(year), month, Int(day), Int(hour), Int(minute), Int(second))
    else { return nil }
    return moment / 1_000_000 - offset
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    digits.allSatisfy { (0x30...0x39).contains($0) }
      ? Int64(String(decoding: digits, as: UTF8.self)) : nil
  }

  /// `+0130` in seconds.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
    guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = number(text.dropFirst().prefix(2)), let minutes = number(text.suffix(2)),
      minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}
