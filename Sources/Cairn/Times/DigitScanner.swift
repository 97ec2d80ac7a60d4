/// Takes digits and marks off the front of a text.
struct DigitScanner {
  struct Clock: Equatable {
    var hour = 0
    var minute = 0
    var second = 0
    var nanoseconds: UInt32 = 0
    /// How long what was named lasts; 0 for a moment.
    var spanSeconds = 3_600
  }

  private var rest: Substring

  init(_ text: Substring) { rest = text }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ mark: Character) -> Bool {
    guard rest.first == mark else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// A number of exactly so many digits.
  mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return Int(digits)
  }

  /// `10`, `10:00`, `10:00:30`, `10:00:30.5` and an offset, up to the end of the text.
  mutating func clock() -> (clock: Clock, offset: Int?)? {
    var clock = Clock()
    guard let hour = number(2) else { return nil }
    clock.hour = hour
    if take(":") {
      guard let minute = number(2) else { return nil }
      clock.minute = minute
      clock.spanSeconds = 60
      if take(":") {
        guard let second = number(2) else { return nil }
        clock.second = second
        clock.spanSeconds = 1
        if take(".") {
          let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
          guard !digits.isEmpty, digits.count <= 9,
            let fraction = UInt32(digits + String(repeating: "0", count: 9 - digits.count))
          else { return nil }
          rest = rest.dropFirst(digits.count)
          clock.nanoseconds = fraction
          clock.spanSeconds = 0
        }
      }
    }
    if isAtEnd { return (clock, nil) }
    guard let offset = offset(), isAtEnd else { return nil }
    return (clock, offset)
  }

  private mutating func offset() -> Int? {
    if take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = number(2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
