import Values

extension QueryScanner {
  /// `$time.name`, `$time.name(integer)` or `$time.iso(text)`.
  mutating func time() throws(CairnError) -> TimeExpression {
    let start = position
    guard take("$time.") else {
      advance()
      _ = word()
      throw error(from: start, "expected $time. and a name such as today")
    }
    let name = word()
    skipSpace()
    guard skip("(") else {
      guard let time = Self.time(name, offset: nil) else {
        throw CairnError(.badQuery, Self.knownTimes, at: start)
      }
      return time
    }
    if name == "iso" { return .instant(try isoArgument()) }
    let offset = try offsetArgument()
    try expect(")")
    guard let time = Self.time(name, offset: offset) else {
      throw CairnError(.badQuery, Self.knownTimes, at: start)
    }
    return time
  }

  private static let knownTimes =
    "expected now, today, yesterday, this_week, last_week, this_month, this_year or iso(…) after "
    + "$time. and an offset only for now, today, this_week, this_month, this_year"

  private static func time(_ name: String, offset: Int64?) -> TimeExpression? {
    switch name {
    case "now": .now(offset: offset)
    case "today": .today(offset: offset)
    case "this_week": .thisWeek(offset: offset)
    case "this_month": .thisMonth(offset: offset)
    case "this_year": .thisYear(offset: offset)
    case "yesterday" where offset == nil: .today(offset: -1)
    case "last_week" where offset == nil: .thisWeek(offset: -1)
    default: nil
    }
  }

  private mutating func offsetArgument() throws(CairnError) -> Int64 {
    let start = position
    if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { advance() }
    while let byte = next, byte.isASCIIWord || byte == UInt8(ascii: ".") { advance() }
    guard let offset = Int64(String(decoding: bytes[start..<position], as: UTF8.self)) else {
      throw error(from: start, "expected a whole number such as -10")
    }
    skipSpace()
    return offset
  }

  private mutating func isoArgument() throws(CairnError) -> Instant {
    let start = position
    while let byte = next, byte != UInt8(ascii: ")") { advance() }
    var text = bytes[start..<position]
    while let last = text.last, last == 0x20 { text.removeLast() }
    guard let instant = Instant(iso8601: text.span, requiresZone: false) else {
      throw error(from: start, "expected a time such as 2024-05-15T10:30:00Z")
    }
    try expect(")")
    return instant
  }
}
