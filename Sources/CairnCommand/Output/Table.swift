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

    fileprivate var least: Int {
      switch self {
      case .left(let count), .right(let count): count
      case .share: Table.least
      }
    }
  }

  private struct Place {
    var columns: Int
    var isRight = false
    var beginsLine = false
    var endsLine = false
  }

  private let places: [Place]?

  /// What a share takes at least.
  fileprivate static let least = 8
  /// How far the further lines of a row stand in, where the terminal is too narrow for one.
  private static let indent = 4

  /// Columns for a terminal of that width; for none, tabs, and nothing is cut.
  ///
  /// A row takes several lines where the terminal has not even room for what is fixed: breaking it
  /// between columns loses nothing.
  init(_ columns: [Column], width: Int? = Terminal.width) {
    guard let width else {
      places = nil
      return
    }
    var places: [Place] = []
    var line: [Column] = []
    var room = width
    for column in columns {
      let more = (line.isEmpty ? 0 : 2) + column.least
      if more > room, !line.isEmpty {
        places += Self.line(line, width: width - (places.isEmpty ? 0 : Self.indent))
        line = []
        room = width - Self.indent
      }
      room -= (line.isEmpty ? 0 : 2) + column.least
      line.append(column)
    }
    self.places = places + Self.line(line, width: width - (places.isEmpty ? 0 : Self.indent))
  }

  /// The places of columns that stand in one line.
  private static func line(_ columns: [Column], width: Int) -> [Place] {
    var rest = width - 2 * (columns.count - 1)
    var shares: [Int] = []
    for column in columns {
      if case .share(let share) = column { shares.append(share) } else { rest -= column.least }
    }
    var sum = shares.reduce(0, +)
    // What takes the least takes it from the others, too.
    for share in shares.sorted() where rest * share / sum < least {
      rest -= least
      sum -= share
    }
    var places = columns.map { column in
      switch column {
      case .left(let count): Place(columns: count)
      case .right(let count): Place(columns: count, isRight: true)
      case .share(let share): Place(columns: max(least, rest * share / max(1, sum)))
      }
    }
    places[0].beginsLine = true
    places[places.count - 1].endsLine = true
    return places
  }

  /// One row, without its last newline.
  func row(_ cells: [String]) -> String {
    guard let places else { return cells.map(DisplayText.harmless).joined(separator: "\t") }
    var lines: [String] = []
    var line = ""
    for (cell, place) in zip(cells, places) {
      if place.beginsLine {
        line = String(repeating: " ", count: lines.isEmpty ? 0 : Self.indent)
      } else {
        line += "  "
      }
      if place.isRight {
        line += DisplayText.padLeft(DisplayText.fit(cell, place.columns), place.columns)
      } else {
        line += DisplayText.pad(cell, place.columns)
      }
      guard place.endsLine else { continue }
      while line.last == " " { line.removeLast() }
      if !line.isEmpty || lines.isEmpty { lines.append(line) }
    }
    return lines.joined(separator: "\n")
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

  /// Sequences from one to another: `event 7`, `events 7–12`.
  static func events(_ first: UInt64, _ last: UInt64) -> String {
    first == last ? "event \(first)" : "events \(first)–\(last)"
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
