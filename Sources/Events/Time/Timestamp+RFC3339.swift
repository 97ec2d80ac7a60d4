// Source: RFC 3339 §5.6 (grammar), §5.7 (leap seconds).

extension Timestamp {
  /// The moment an RFC 3339 text stands for, or nil when it is none.
  ///
  /// `t` and `z` may be lower-case and a blank may stand between date and time. A 60th second is
  /// accepted at 23:59 UTC and means the second after it. Digits after the ninth of a fraction
  /// are dropped.
  public init?(rfc3339 text: String) {
    var copy = text
    let parsed = copy.withUTF8 { (bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? in
      // SAFETY: the span lives inside the closure that lends the bytes.
      Timestamp(rfc3339: unsafe Span(_unsafeElements: bytes))
    }
    guard let parsed else { return nil }
    self = parsed
  }

  /// The moment RFC 3339 bytes stand for; see ``init(rfc3339:)-(String)``.
  package init?(rfc3339 text: Span<UInt8>) {
    guard text.count >= 20, let year = Self.number(text, 0, 4), text[4] == UInt8(ascii: "-"),
      let month = Self.number(text, 5, 2), text[7] == UInt8(ascii: "-"),
      let day = Self.number(text, 8, 2), Self.separatesDateAndTime(text[10]),
      let hour = Self.number(text, 11, 2), text[13] == UInt8(ascii: ":"),
      let minute = Self.number(text, 14, 2), text[16] == UInt8(ascii: ":"),
      let second = Self.number(text, 17, 2), (1...12).contains(month), day >= 1,
      day <= CivilDate.dayCount(year: year, month: month), hour < 24, minute < 60, second <= 60
    else { return nil }
    var position = 19
    guard let nanoseconds = Self.fraction(text, &position), let offset = Self.offset(text, position)
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
    let minuteStart = days * 86_400 + hour * 3600 + minute * 60 - offset
    if second == 60 {
      let minuteOfDay = ((minuteStart % 86_400) + 86_400) % 86_400
      guard minuteOfDay == 86_340 else { return nil }
    }
    let seconds = Int64(minuteStart + second)
    guard seconds >= Self.earliest.seconds, seconds <= Self.latest.seconds else { return nil }
    self.init(unchecked: seconds, nanoseconds)
  }

  private static func separatesDateAndTime(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t") || byte == UInt8(ascii: " ")
  }

  private static func number(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= text.count else { return nil }
    var value = 0
    for index in start..<start + count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// Nanoseconds of an optional fraction; nil when the point has no digit after it.
  private static func fraction(_ text: Span<UInt8>, _ position: inout Int) -> UInt32? {
    guard position < text.count, text[position] == UInt8(ascii: ".") else { return 0 }
    position += 1
    let start = position
    var value: UInt32 = 0
    while position < text.count, text[position] &- UInt8(ascii: "0") < 10 {
      if position - start < 9 { value = value * 10 + UInt32(text[position] &- UInt8(ascii: "0")) }
      position += 1
    }
    guard position > start else { return nil }
    for _ in min(position - start, 9)..<9 { value *= 10 }
    return value
  }

  /// Seconds east of UTC; nil unless the zone ends the text.
  private static func offset(_ text: Span<UInt8>, _ start: Int) -> Int? {
    guard start < text.count else { return nil }
    let sign: Int
    switch text[start] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): return start + 1 == text.count ? 0 : nil
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    default: return nil
    }
    guard start + 6 == text.count, text[start + 3] == UInt8(ascii: ":"),
      let hours = number(text, start + 1, 2), let minutes = number(text, start + 4, 2), hours < 24,
      minutes < 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}

extension Timestamp {
  /// The RFC 3339 form in UTC: no fraction for whole seconds, else 3, 6 or 9 digits, as few as
  /// hold the value.
  public var rfc3339: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(30)
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends what ``rfc3339`` gives.
  package func appendRFC3339(to bytes: inout [UInt8]) {
    let date = self.date
    let secondOfDay = Int(seconds) - date.daysSinceEpoch * 86_400
    Self.append(date.year, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(date.month, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    Self.append(date.day, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    Self.append(secondOfDay / 3600, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(secondOfDay / 60 % 60, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(secondOfDay % 60, digits: 2, to: &bytes)
    if nanoseconds != 0 {
      bytes.append(UInt8(ascii: "."))
      let value = Int(nanoseconds)
      if value % 1_000_000 == 0 {
        Self.append(value / 1_000_000, digits: 3, to: &bytes)
      } else if value % 1000 == 0 {
        Self.append(value / 1000, digits: 6, to: &bytes)
      } else {
        Self.append(value, digits: 9, to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  private static func append(_ value: Int, digits: Int, to bytes: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
