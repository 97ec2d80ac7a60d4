import Values

/// An order-independent digest of a set of logical rows.
///
/// The sum modulo 2¹²⁸ of the rows' hashes: adding and removing rows in any order gives the
/// same value, so a digest maintained row by row equals one recomputed from all rows.
/// (Additive multiset hash: Clarke et al., ASIACRYPT 2003, used here against accidents only.)
package struct RowDigest: Hashable, Sendable {
  package var low: UInt64
  package var high: UInt64

  /// The digest of no rows.
  package init() {
    low = 0
    high = 0
  }

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Adds a row.
  /// - Complexity: O(1) beside hashing the row.
  package mutating func add(_ row: RowHasher) {
    let hash = row.finish()
    add(RowDigest(low: hash.low, high: hash.high))
  }

  package mutating func add(_ other: RowDigest) {
    let (sum, carry) = low.addingReportingOverflow(other.low)
    low = sum
    high = high &+ other.high &+ (carry ? 1 : 0)
  }

  /// Takes a row away that was added before.
  /// - Complexity: O(1) beside hashing the row.
  package mutating func remove(_ row: RowHasher) {
    let hash = row.finish()
    let (difference, borrow) = low.subtractingReportingOverflow(hash.low)
    low = difference
    high = high &- hash.high &- (borrow ? 1 : 0)
  }

  /// 32 lower-case hexadecimal digits, high half first.
  package var hexadecimal: String {
    String(high, radix: 16, digits: 16) + String(low, radix: 16, digits: 16)
  }
}
