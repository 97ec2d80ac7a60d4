import Values

struct ClockTime: Equatable {
  var hour = 0
  var minute = 0
  var second = 0
  var nanoseconds: UInt32 = 0
  /// How long what was named lasts; 0 for a moment.
  var spanSeconds = 3_600
  /// Seconds east of UTC, where it was named.
  var offset: Int?

  /// `10`, `10:00`, `10:00:30`, `10:00:30.5`, each of a half of the day (`3 pm`) or with an offset
  /// where it is named, also behind a blank (`git log` and PostgreSQL print it so), up to the end
  /// of the text.
  init?(_ scanner: inout DigitScanner) {
    guard let hour = scanner.number(2) else { return nil }
    self.hour = hour
    if scanner.take(":") {
      guard let minute = scanner.number(2) else { return nil }
      self.minute = minute
      spanSeconds = 60
      if scanner.take(":") {
        guard let second = scanner.number(2) else { return nil }
        self.second = second
        spanSeconds = 1
        if scanner.take(".") {
          let digits = scanner.digits()
          guard !digits.isEmpty, let fraction = UInt32((digits + "00000000").prefix(9)) else {
            return nil
          }
          nanoseconds = fraction
          spanSeconds = 0
        }
      }
    }
    if scanner.isAtEnd { return }
    _ = scanner.take(" ")
    if let half = scanner.take(word: "am") ? 0 : scanner.take(word: "pm") ? 12 : nil {
      guard (1...12).contains(hour), scanner.isAtEnd else { return nil }
      self.hour = hour % 12 + half
      return
    }
    offset = scanner.take("z") || scanner.take(word: "utc") ? 0 : scanner.offset()
    guard offset != nil, scanner.isAtEnd else { return nil }
  }
}
