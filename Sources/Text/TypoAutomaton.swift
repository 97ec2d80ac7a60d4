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
  /// What became of a candidate.
  package enum Match: Sendable, Equatable {
    /// It is this many edits away, at most `maxEdits`.
    case within(edits: Int)
    /// It is too far away, but a longer word with the same beginning may not be.
    case outside
    /// No word that begins with this many bytes of it can match: seek beyond them.
    case dead(byteCount: Int)
  }

  private let pattern: [UInt32]
  private let maxEdits: Int
  let isPrefix: Bool
  /// Rows of the table, `pattern.count + 1` cells each, one per code point of the candidate.
  private var cells: [UInt8]
  /// Fewest edits with which the pattern is a prefix of what was read, per row.
  private var prefixEdits: [UInt8]
  private var scalars: [UInt32] = []
  /// Bytes of the candidate read so far, and where each scalar ends in them.
  var candidate: [UInt8] = []
  var scalarEnds: [Int] = []

  /// Creates an automaton for a folded pattern.
  ///
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
    prefixEdits = [UInt8(truncatingIfNeeded: scalars.count)]
  }

  /// How many code points of a candidate have been read.
  package var depth: Int { scalars.count }

  /// Edits between the pattern and what was read, or of the best prefix of it; nil when too many.
  package var edits: Int? {
    let width = pattern.count + 1
    let value = isPrefix ? prefixEdits[depth] : cells[depth * width + width - 1]
    return Int(value) <= maxEdits ? Int(value) : nil
  }

  /// Whether some continuation of what was read, the empty one included, matches.
  package var isAlive: Bool {
    if isPrefix, Int(prefixEdits[depth]) <= maxEdits { return true }
    let width = pattern.count + 1
    let row = depth * width
    var best = UInt8.max
    for column in 0..<width { best = min(best, cells[row + column]) }
    // An exchange reaches over one row: the row before may yet lead to a match.
    guard Int(best) > maxEdits, depth > 0 else { return Int(best) <= maxEdits }
    for column in 0..<width { best = min(best, cells[row - width + column] &+ 1) }
    return Int(best) <= maxEdits
  }

  /// Reads one more code point.
  ///
  /// - Complexity: O(pattern).
  package mutating func step(_ scalar: UInt32) {
    let width = pattern.count + 1
    let above = depth * width
    let previous = scalars.last
    scalars.append(scalar)
    cells.append(UInt8(truncatingIfNeeded: min(depth, 200)))
    for column in 1..<max(width, 1) {
      let expected = pattern[column - 1]
      var value = cells[above + column - 1] &+ (expected == scalar ? 0 : 1)
      value = min(value, cells[above + column] &+ 1)
      value = min(value, cells[above + width + column - 1] &+ 1)
      if column > 1, scalar == pattern[column - 2], expected == previous {
        value = min(value, cells[above - width + column - 2] &+ 1)
      }
      // Far enough from overflow however long the candidate.
      cells.append(min(value, 200))
    }
    prefixEdits.append(min(prefixEdits[depth - 1], cells[cells.count - 1]))
  }

  /// Goes back to the first code points of what was read.
  package mutating func rewind(to depth: Int) {
    guard depth < self.depth else { return }
    let width = pattern.count + 1
    scalars.removeLast(scalars.count - depth)
    cells.removeLast(cells.count - (depth + 1) * width)
    prefixEdits.removeLast(prefixEdits.count - depth - 1)
    scalarEnds.removeLast(max(scalarEnds.count - depth, 0))
    candidate.removeLast(max(candidate.count - (scalarEnds.last ?? 0), 0))
  }
}
