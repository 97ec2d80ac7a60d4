import Glibc

/// A line on the terminal that says how far long work has come; nothing anywhere else.
struct Progress: ~Copyable {
  private let label: String
  private let shown: Bool
  private var last: ContinuousClock.Instant?
  private var drawn = false

  private static let interval = Duration.milliseconds(100)

  /// Shows nothing even on a terminal when it is to be quiet.
  init(_ label: String, quiet: Bool = false) {
    self.label = label
    shown = !quiet && Terminal.errorsAreTerminal
  }

  /// Redraws, at most ten times a second.
  mutating func update(_ done: Int, of total: Int? = nil) {
    guard shown else { return }
    let now = ContinuousClock.now
    if let last, now - last < Self.interval { return }
    last = now
    drawn = true
    let count = total.map { "\(done) of \($0)" } ?? "\(done)"
    let bar = total.map { Self.bar(done, of: $0, columns: 30) + " " } ?? ""
    Self.write("\r\u{1B}[K\(label) \(bar)\(count)")
  }

  /// Takes the line away.
  mutating func finish() {
    if drawn { Self.write("\r\u{1B}[K") }
    drawn = false
  }

  static func bar(_ done: Int, of total: Int, columns: Int) -> String {
    let filled = total > 0 ? min(columns, done * columns / total) : columns
    return String(repeating: "█", count: filled) + String(repeating: "░", count: columns - filled)
  }

  private static func write(_ text: String) {
    // A bar that cannot be shown stops no work.
    try? Output.write(Array(text.utf8), to: STDERR_FILENO, name: "")
  }
}
