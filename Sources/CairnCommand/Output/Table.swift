import Cairn

/// Rows of text for people: columns that fit the terminal, or tabs where nobody looks.
struct Table {
  /// How one column takes its place.
  enum Column {
    /// So many columns, text to the left.
    case left(Int)
    /// So many columns, text (a number) to the right.
    case right(Int)
    /// A share of what the others leave.
    case share(Int)
  }

  private let widths: [(columns: Int, isRight: Bool)]?

  /// Columns for a terminal of that width; for none, tabs, and nothing is cut.
  init(_ columns: [Column], width: Int? = Terminal.width) {
    guard let width else {
      widths = nil
      return
    }
    var fixed = 2 * (columns.count - 1)
    var shares = 0
    for column in columns {
      switch column {
      case .left(let count), .right(let count): fixed += count
      case .share(let share): shares += share
      }
    }
    let rest = max(0, width - fixed)
    widths = columns.map { column in
      switch column {
      case .left(let count): (count, false)
      case .right(let count): (count, true)
      case .share(let share): (max(8, rest * share / max(1, shares)), false)
      }
    }
  }

  /// One line, without its newline.
  func row(_ cells: [String]) -> String {
    guard let widths else { return cells.map(DisplayText.harmless).joined(separator: "\t") }
    var line = ""
    for (index, cell) in cells.enumerated() {
      let (columns, isRight) = widths[index]
      if index > 0 { line += "  " }
      if isRight {
        line += DisplayText.padLeft(DisplayText.fit(cell, columns), columns)
      } else if index == cells.count - 1 {
        line += DisplayText.fit(cell, columns)
      } else {
        line += DisplayText.pad(cell, columns)
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// Moments and numbers for people.
enum Readable {
  /// `2026-11-21 09:30+09:00` in the zone of this command.
  static func time(_ time: Timestamp) -> String { CivilZone.chosen.text(of: time) }

  /// Columns that a time takes.
  static let timeWidth = time(.now()).hasSuffix("Z") ? 17 : 22

  /// A number of things: `1 event`, `12,345 events`.
  static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(number(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A count, thousands apart: `12,345`; sequences are names to be typed, and stay as they are.
  static func number(_ number: some BinaryInteger) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0, text.last != "-" { text += "," }
      text.append(digit)
    }
    return text
  }

  /// In the unit that suits: `1.2 MB`.
  static func bytes(_ count: some BinaryInteger) -> String {
    var value = Double(count)
    for unit in ["B", "kB", "MB", "GB"] {
      if value < 1000 || unit == "GB" {
        return unit == "B" ? "\(count) B" : "\(decimal(value, 1)) \(unit)"
      }
      value /= 1000
    }
    return "\(count) B"
  }

  /// A score with three decimals, or by its first digits where these would all be 0.
  static func score(_ value: Double) -> String {
    // What has many digits before the point needs none behind it, and fits its column.
    guard value > 0, value < 0.0005 else { return decimal(value, value < 100_000 ? 3 : 0) }
    var (digits, exponent) = (value, 0)
    while digits < 1, exponent > -400 { (digits, exponent) = (digits * 10, exponent - 1) }
    return "\(decimal(digits, 1))e\(exponent)"
  }

  /// A number with so many digits after the point.
  static func decimal(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return value.description }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    let whole = Int64(scaled / scale)
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(whole) }
    return "\(sign)\(whole)." + String(Int64(scaled) - whole * Int64(scale), digits: digits)
  }
}
