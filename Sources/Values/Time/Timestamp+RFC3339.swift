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
    guard let time = TimeText(text, requiresZone: true) else { return nil }
    if time.isLeapSecond {
      // The time is that of the second after it, and only midnight UTC may follow one.
      guard time.seconds % 86_400 == 0 else { return nil }
    }
    guard time.seconds >= Self.earliest.seconds, time.seconds <= Self.latest.seconds else {
      return nil
    }
    self.init(unchecked: time.seconds, time.nanoseconds)
  }

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
    bytes.append(addingCapacity: 30) { (text: inout OutputSpan<UInt8>) in
      Self.append(date.year / 100, to: &text)
      Self.append(date.year % 100, to: &text)
      text.append(UInt8(ascii: "-"))
      Self.append(date.month, to: &text)
      text.append(UInt8(ascii: "-"))
      Self.append(date.day, to: &text)
      text.append(UInt8(ascii: "T"))
      Self.append(secondOfDay / 3600, to: &text)
      text.append(UInt8(ascii: ":"))
      Self.append(secondOfDay / 60 % 60, to: &text)
      text.append(UInt8(ascii: ":"))
      Self.append(secondOfDay % 60, to: &text)
      if nanoseconds != 0 { Self.append(fraction: nanoseconds, to: &text) }
      text.append(UInt8(ascii: "Z"))
    }
  }

  /// Appends three, six or nine digits after a point.
  private static func append(fraction nanoseconds: UInt32, to text: inout OutputSpan<UInt8>) {
    text.append(UInt8(ascii: "."))
    appendThree(nanoseconds / 1_000_000, to: &text)
    if nanoseconds % 1_000_000 != 0 { appendThree(nanoseconds / 1_000 % 1_000, to: &text) }
    if nanoseconds % 1_000 != 0 { appendThree(nanoseconds % 1_000, to: &text) }
  }

  private static func appendThree(_ value: UInt32, to text: inout OutputSpan<UInt8>) {
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 100))
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10 % 10))
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
  }

  @inline(__always) private static func append(_ value: Int, to text: inout OutputSpan<UInt8>) {
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10))
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
  }
}
