import Cairn
import Glibc
import Synchronization

/// A line on the terminal that says how far long work has come; nothing anywhere else.
struct Progress: ~Copyable {
  private let label: String
  private let shown: Bool
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?
  /// Whether a line stands on the terminal that another line has to take away.
  private static let isDrawn = Atomic(false)
  private static let away = "\r\u{1B}[K"

  private static let interval = Duration.milliseconds(100)
  /// Before that, rate and time left are guesses.
  private static let secondsBeforeRate = 0.5

  init(_ label: String) {
    self.label = label
    shown = Terminal.errorsAreTerminal && !Terminal.isDumb
  }

  /// Redraws, at most ten times a second.
  /// - Parameters:
  ///   - done: How many are done.
  ///   - total: How many there are, where that is known.
  ///   - part: What part of the work is done, where the number of things is not known.
  mutating func update(_ done: Int, of total: Int? = nil, part: Double? = nil) {
    guard shown else { return }
    let now = ContinuousClock.now
    if let last, now - last < Self.interval { return }
    last = now
    Self.isDrawn.store(true, ordering: .relaxed)
    let count = Readable.number(done)
    var text = "\(label) " + (total.map { "\(count) of \(Readable.number($0))" } ?? count)
    let part = part ?? total.map { Double(done) / Double(max(1, $0)) }
    let seconds = (now - start) / .seconds(1)
    if seconds > Self.secondsBeforeRate {
      text += ", \(Readable.number(Int(Double(done) / seconds))) a second"
      if let part, part > 0, part <= 1 {
        text += ", \(Self.duration(seconds * (1 - part) / part)) left"
      }
    }
    if let part {
      let columns = (Terminal.columns(of: STDERR_FILENO) ?? 80) - DisplayText.width(text) - 2
      if columns >= 10 { text += " " + Self.bar(part, columns: min(30, columns)) }
    }
    Self.write(Self.away + text)
  }

  /// Shows how far projections are, and has whoever makes them go on.
  mutating func show(_ state: RebuildProgress) -> Bool {
    update(Int(clamping: state.sequence), of: Int(clamping: state.head))
    return true
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 100 ? "\(whole) s" : whole < 6_000 ? "\(whole / 60) min" : "\(whole / 3_600) h"
  }

  /// Takes the line away.
  mutating func finish() {
    let text = Self.takeAway()
    if !text.isEmpty { Self.write(text) }
  }

  /// What takes the line away that is drawn; nothing where none is.
  static func takeAway() -> String { isDrawn.exchange(false, ordering: .relaxed) ? away : "" }

  private static func bar(_ part: Double, columns: Int) -> String {
    let filled = max(0, min(columns, Int(part * Double(columns))))
    let (done, left) = Terminal.showsUTF8 ? ("█", "░") : ("#", ".")
    return String(repeating: done, count: filled) + String(repeating: left, count: columns - filled)
  }

  private static func write(_ text: String) {
    // A bar that cannot be shown stops no work.
    try? Output.write(Array(text.utf8), to: STDERR_FILENO, name: "")
  }
}
