/// Canonical decomposition and ordering (Unicode §3.11), which the standard library keeps to itself.
enum CanonicalDecomposition {
  /// Visits the full decomposition of a scalar, which is the scalar itself for most.
  ///
  /// - Complexity: O(log entries) beyond Latin-1 controls, O(1) for ASCII, Han, Hangul.
  static func forEachScalar(of scalar: Unicode.Scalar, _ visit: (Unicode.Scalar) -> Void) {
    switch scalar.value {
    case 0..<0xC0, 0x3100..<0xAC00, 0xD7A4..<0xF900, 0x2_FA1E...: visit(scalar)
    case 0xAC00..<0xD7A4: forEachJamo(of: scalar, visit)
    default:
      guard let pair = pair(of: scalar.value) else { return visit(scalar) }
      if let first = Unicode.Scalar(UInt32(truncatingIfNeeded: pair >> 21 & 0x1F_FFFF)) {
        forEachScalar(of: first, visit)
      }
      let second = UInt32(truncatingIfNeeded: pair & 0x1F_FFFF)
      if second != 0, let second = Unicode.Scalar(second) { forEachScalar(of: second, visit) }
    }
  }

  /// Puts marks into canonical order: stably by combining class, each run of marks for itself.
  ///
  /// - Complexity: O(n log n).
  static func sort(_ units: inout [UInt32], from start: Int) {
    var runStart = start
    for index in start..<units.count + 1 {
      if index < units.count, combiningClass(units[index]) > 0 { continue }
      if index - runStart > 1 { sortRun(&units, runStart..<index) }
      runStart = index + 1
    }
  }

  private static func sortRun(_ units: inout [UInt32], _ run: Range<Int>) {
    let classes = units[run].map(combiningClass)
    guard zip(classes, classes.dropFirst()).contains(where: >) else { return }
    // The place in the run makes the order total, so that it is stable whatever the sort does.
    let keys = classes.indices.map { UInt64(classes[$0]) << 32 | UInt64($0) }.sorted()
    let sorted = keys.map { units[run.lowerBound + Int($0 & 0xFFFF_FFFF)] }
    units.replaceSubrange(run, with: sorted)
  }

  private static func combiningClass(_ value: UInt32) -> UInt8 {
    guard value >= 0x300, let scalar = Unicode.Scalar(value) else { return 0 }
    return scalar.properties.canonicalCombiningClass.rawValue
  }

  private static func pair(of value: UInt32) -> UInt64? {
    let key = UInt64(value) << 42
    var low = 0
    var high = pairs.count
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle] < key { low = middle + 1 } else { high = middle }
    }
    guard low < pairs.count, pairs[low] >> 42 == UInt64(value) else { return nil }
    return pairs[low]
  }

  /// Hangul syllables are arithmetic (Unicode §3.12).
  private static func forEachJamo(of scalar: Unicode.Scalar, _ visit: (Unicode.Scalar) -> Void) {
    let index = scalar.value - 0xAC00
    let jamo = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
    for value in jamo where value != 0x11A7 { if let part = Unicode.Scalar(value) { visit(part) } }
  }
}
