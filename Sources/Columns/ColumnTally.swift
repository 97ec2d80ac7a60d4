/// How often each code occurs among items.
package struct ColumnTally: Sendable {
  /// Codes that occur, with the items that have them; in no order.
  package private(set) var counts: [(code: UInt64, count: Int)] = []
  /// Items without a value.
  package private(set) var missingCount = 0
  /// Items of which the column cannot tell.
  package private(set) var elsewhere: [UInt32] = []

  /// Codes up to which they are counted in a run of memory, and not looked up.
  private static let runCountMax: UInt64 = 1 << 20

  /// Counts the codes of items.
  /// - Complexity: O(items), some nanoseconds each.
  package init(_ column: ColumnData, of items: [UInt32]) {
    guard let bounds = column.bounds else {
      count(column, items) { _ in }
      return
    }
    let span = bounds.upperBound - bounds.lowerBound
    guard span < Self.runCountMax, span <= 64 * UInt64(items.count) else {
      var found: [UInt64: Int] = [:]
      count(column, items) { found[$0, default: 0] += 1 }
      counts = found.map { ($0.key, $0.value) }
      return
    }
    var run = [UInt32](repeating: 0, count: Int(span) + 1)
    count(column, items) { run[Int(truncatingIfNeeded: $0 &- bounds.lowerBound)] += 1 }
    for index in run.indices where run[index] > 0 {
      counts.append((bounds.lowerBound + UInt64(index), Int(run[index])))
    }
  }

  @inline(__always) private mutating func count(
    _ column: ColumnData, _ items: [UInt32], _ body: (UInt64) -> Void
  ) {
    var (missing, others) = (0, [UInt32]())
    column.forEachCode(of: items) { (item, code) in
      if code >= ColumnCode.first {
        body(code)
      } else if code == ColumnCode.none {
        missing += 1
      } else {
        others.append(item)
      }
    }
    (missingCount, elsewhere) = (missing, others)
  }
}
