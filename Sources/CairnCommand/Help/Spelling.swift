/// Finds the word that somebody may have meant.
enum Spelling {
  /// The nearest of some words, if one is near enough: one edit for each three letters, or a
  /// beginning of at least three letters.
  static func nearest(to word: String, among known: [String]) -> String? {
    let word = word.lowercased()
    // An option's hyphens are no letters: `--last` is not nearly `--wait`.
    let letterCount = word.drop { $0 == "-" }.count
    let limit = max(1, letterCount / 3)
    let near = known.map { ($0, distance(Array(word), Array($0))) }.filter { $0.1 <= limit }
    if let best = near.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) { return best.0 }
    guard letterCount >= 3 else { return nil }
    return known.filter { $0.hasPrefix(word) }.min()
  }

  /// Insertions, deletions, replacements and swaps of neighbours between two words.
  ///
  /// Source: optimal string alignment, after Damerau, "A technique for computer detection and
  /// correction of spelling errors", CACM 7 (1964).
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let change = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, change)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, rows[i - 2][j - 2] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
