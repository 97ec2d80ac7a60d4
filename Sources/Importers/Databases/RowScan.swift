import Values

/// The rows of a query over one table, in the order of its rowids.
///
/// A damaged page costs the rows that stand in it or need it: reading goes on after them.
struct RowScan {
  struct Damage {
    var error: CairnError
    /// The number of the first row that could not be, from 1.
    var row: Int
  }

  let database: Database
  /// Gives the rowid of the table in its first column, and has no condition.
  let query: String
  /// The table as the query calls it.
  let table: String
  var condition = "1"

  private static let isOutOfOrder = CairnError(.malformed, "has a damaged page")

  private static let hasDoubles = CairnError(.malformed, "has one key in far too many rows")
  private static let doubleCountMax = 1_000_000

  /// More gaps than a few damaged pages make: one of those may hold what every other row needs.
  private static let gapCountMax = 200_000

  /// Gives every row that can be read.
  /// - Returns: nil where all of them can be.
  func forEach(_ body: (Database.Rows) throws(CairnError) -> Void) throws(CairnError) -> Damage? {
    var damage: Damage?
    var last = Int64.min
    var count = 0
    var doubleCount = 0
    let rows = try self.rows()
    let others = try self.rows()
    try rows.restart(from: .min)
    for _ in 0..<Self.gapCountMax {
      while true {
        let hasRow: Bool
        do throws(CairnError) { hasRow = try rows.next() } catch {
          damage = damage ?? Damage(error: error, row: count + 1)
          break
        }
        guard hasRow else { return damage }
        let row = rows.integer(0) ?? .min
        // What it is joined with may stand there twice, and in one made to do harm for ever.
        if row == last {
          doubleCount += 1
          guard doubleCount <= Self.doubleCountMax else {
            return damage ?? Damage(error: Self.hasDoubles, row: count)
          }
          continue
        }
        // Pages that lead in a circle would give their rows again and again.
        guard row > last else {
          damage = damage ?? Damage(error: Self.isOutOfOrder, row: count + 1)
          break
        }
        count += 1
        last = row
        try body(rows)
      }
      guard let start = Self.readable(after: max(0, last), others) else { break }
      last = start - 1
      try rows.restart(from: start)
    }
    return damage
  }

  private func rows() throws(CairnError) -> Database.Rows {
    try database.rows("\(query) where \(condition) and \(table).rowid >= ? order by \(table).rowid")
  }

  /// A rowid from which rows can be read again, the next one to the damage that can be found by
  /// halving; nil where there is none.
  private static func readable(after last: Int64, _ rows: Database.Rows) -> Int64? {
    var (damaged, step) = (last, Int64(1))
    while true {
      let (start, isTooFar) = last.addingReportingOverflow(step)
      guard !isTooFar else { return nil }
      if isReadable(from: start, rows) {
        var first = start
        while first - damaged > 1 {
          let middle = damaged + (first - damaged) / 2
          if isReadable(from: middle, rows) { first = middle } else { damaged = middle }
        }
        return first
      }
      damaged = start
      step = step.multipliedReportingOverflow(by: 2).partialValue
      guard step > 0 else { return nil }
    }
  }

  private static func isReadable(from start: Int64, _ rows: Database.Rows) -> Bool {
    do throws(CairnError) {
      try rows.restart(from: start)
      _ = try rows.next()
      return true
    } catch {
      // Why not is told of the first row that could not be read.
      return false
    }
  }
}
