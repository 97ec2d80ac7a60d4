/// Finds words within a few typing errors of a pattern while walking a sorted dictionary.
///
/// One edit is a code point inserted, left out or replaced, or two neighbours exchanged (optimal
/// string alignment). The candidate is stepped into code point by code point, one row of the
/// distance table each, so that words with a common beginning share its rows:
///
/// ```swift
/// var typo = TypoAutomaton(pattern: Array("trnasport".utf8), maxEdits: 2, prefix: false)
/// switch typo.match(candidate) {
/// case .within(let edits): …
/// case .outside: …                       // try the next word
/// case .dead(let byteCount): …           // no word that begins with these bytes can match
/// }
/// ```
package struct TypoAutomaton: Sendable {
  package enum Match: Sendable, Equatable {
    /// It is this many edits away, at most `maxEdits`.
    case within(edits: Int)
    /// It is too far away, but a longer word with the same beginning may not be.
    case outside
    /// No word that begins with this many bytes of it can match: seek beyond them.
    case dead(byteCount: Int)
  }

  /// What is known after so many code points of a candidate.
  struct Row: Sendable {
    /// The last of them; no scalar before the first.
    var scalar = UInt32.max
    /// Where it ends in the candidate.
    var end = 0
    /// The least cell of the row, and the last one.
    var least: UInt8 = 0
    var last: UInt8 = 0
    /// Fewest edits with which the pattern is a prefix of what was read.
    var prefixEdits: UInt8 = 0
  }

  private let pattern: [UInt32]
  private let maxEdits: Int
  let isPrefix: Bool
  /// How many code points of a candidate have been read.
  package private(set) var depth = 0
  /// One row per code point, and the one before the first; those behind `depth` mean nothing.
  var rows: [Row]
  /// The cells of the rows, `pattern.count + 1` each.
  private var cells: [UInt8]
  /// Bytes of the candidate read so far.
  var candidate: [UInt8] = []

  /// Creates an automaton for a folded pattern.
  /// - Parameters:
  ///   - pattern: UTF-8; code points after `TextLimits.typoScalarCount` are ignored.
  ///   - maxEdits: 0, 1 or 2 make sense; at most 8.
  ///   - prefix: Whether words that begin with something close to the pattern match too.
  package init(pattern: [UInt8], maxEdits: Int, prefix: Bool) {
    var scalars: [UInt32] = []
    let span = pattern.span
    var index = 0
    while index < span.count, scalars.count < TextLimits.typoScalarCount {
      let (scalar, byteCount) = UTF8Coding.decode(span, at: index)
      scalars.append(scalar)
      index += byteCount
    }
    self.pattern = scalars
    self.maxEdits = min(max(maxEdits, 0), 8)
    isPrefix = prefix
    cells = (0...scalars.count).map { UInt8(truncatingIfNeeded: $0) }
    let width = UInt8(truncatingIfNeeded: scalars.count)
    rows = [Row(last: width, prefixEdits: width)]
  }

  /// Edits between the pattern and what was read, or of the best prefix of it; nil when too many.
  package var edits: Int? {
    let value = isPrefix ? rows[depth].prefixEdits : rows[depth].last
    return Int(value) <= maxEdits ? Int(value) : nil
  }

  /// Whether some continuation of what was read, the empty one included, matches.
  package var isAlive: Bool {
    if isPrefix, Int(rows[depth].prefixEdits) <= maxEdits { return true }
    if Int(rows[depth].least) <= maxEdits { return true }
    // An exchange reaches over one row: the row before may yet lead to a match.
    return depth > 0 && Int(rows[depth - 1].least) + 1 <= maxEdits
  }

  /// Reads one more code point.
  /// - Complexity: O(pattern).
  package mutating func step(_ scalar: UInt32) {
    let width = pattern.count + 1
    let above = depth * width
    let row = above + width
    if cells.count < row + width {
      cells.append(contentsOf: repeatElement(0, count: max(cells.count, width)))
    }
    if rows.count < depth + 2 { rows.append(Row()) }
    let before = rows[depth]
    let pattern = pattern
    let letters = pattern.span
    var cells: [UInt8] = []
    swap(&cells, &self.cells)
    var table = cells.mutableSpan
    // Far enough from overflow however long the candidate.
    var left = UInt8(truncatingIfNeeded: min(depth + 1, 200))
    var diagonal = table[above]
    var least = left
    table[row] = left
    for column in 1..<max(width, 1) {
      let expected = letters[column - 1]
      let up = table[above + column]
      var value = diagonal &+ (expected == scalar ? 0 : 1)
      value = min(value, min(up, left) &+ 1)
      if expected == before.scalar, column > 1, scalar == letters[column - 2] {
        value = min(value, table[above - width + column - 2] &+ 1)
      }
      value = min(value, 200)
      table[row + column] = value
      least = min(least, value)
      diagonal = up
      left = value
    }
    swap(&cells, &self.cells)
    depth += 1
    rows[depth] = Row(
      scalar: scalar, least: least, last: left, prefixEdits: min(before.prefixEdits, left))
  }

  /// Goes back to the first code points of what was read.
  package mutating func rewind(to depth: Int) { self.depth = min(self.depth, depth) }
}
