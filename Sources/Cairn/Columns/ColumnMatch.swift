import Columns
import LMDB
import Projections
import Query

/// The items that may pass a filter, as far as columns tell.
struct ColumnMatch {
  let items: ItemSet
  /// Those of them of which a column cannot tell; nil for none.
  let unsure: ItemSet?
  /// Whether all others of them do.
  let isExact: Bool

  /// Whether an item that may pass has to be looked at.
  func isOpen(_ item: UInt32) -> Bool { !isExact || unsure?.contains(item) ?? false }
}

extension Moment.View {
  /// What is in the columns of the present; nil for a past point, without a schema, and where other
  /// definitions made the rows.
  var columnLayout: ColumnLayout? {
    guard isPresent, !isOutdated, let lens else { return nil }
    return generation.columnProjection.layout(lens)
  }

  /// The items that may pass some tests; nil where no column tells.
  /// - Complexity: O(items) for each test that a column can answer, a fraction of a nanosecond
  ///   each.
  func items(
    passing tests: [RequiredTest], isAll: Bool, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> ColumnMatch? {
    guard !tests.isEmpty, let layout = columnLayout else { return nil }
    var items: ItemSet?
    var unsure: ItemSet?
    var isExact = isAll
    for test in tests {
      guard let number = layout.number(of: test.attribute),
        var found = try matches(test.condition, number, layout.columns[number], txn)
      else {
        isExact = false
        continue
      }
      if case .text = test.condition {
        let data = try generation.columnProjection.columns.column(number, in: txn)
        if mayBeTooLong(data, test.attribute) { isExact = false }
      }
      if let open = found.unsure {
        found.items.formUnion(open)
        unsure = unsure ?? ItemSet()
        unsure?.formUnion(open)
      }
      if items == nil { items = found.items } else { items?.formIntersection(found.items) }
    }
    guard let items else { return nil }
    return ColumnMatch(items: items, unsure: unsure, isExact: isExact)
  }

  private func matches(
    _ condition: RequiredTest.Condition, _ number: Int, _ column: ColumnLayout.Column,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> ColumnMatches? {
    let columns = generation.columnProjection.columns
    switch condition {
    case .range(let range):
      guard column.type != .text, column.type != .keyword else { return nil }
      let data = try columns.column(number, in: txn)
      guard let bounds = data.bounds, let codes = range.codes(in: bounds, column.type) else {
        return data.items(with: nil)
      }
      return data.items(with: codes)
    case .text(var condition):
      guard column.type == .text || column.type == .keyword else { return nil }
      let data = try columns.column(number, in: txn)
      guard data.textCount <= Self.heldTextCountMax else { return nil }
      var codes: [UInt64] = []
      try columns.forEachText(of: number, in: txn) { (code, text) in
        if condition.holds(text) { codes.append(code) }
      }
      return data.items(withAny: codes)
    }
  }

  /// Whether a column may hold a text that is too long and counts as missing: which one is, only
  /// the items' domains say.
  func mayBeTooLong(_ data: ColumnData, _ key: String) -> Bool {
    schema.declarations(of: key).contains { data.scalarCountMax > $0.attribute.maxLength ?? .max }
  }

  /// Texts up to which each is held against a pattern, rather than each item's.
  private static var heldTextCountMax: Int { 1 << 16 }
}

extension ValueRange {
  /// The codes in bounds that lie in it; nil for none.
  /// - Complexity: O(1): some 128 comparisons.
  func codes(in bounds: ClosedRange<UInt64>, _ type: DeclaredType) -> ClosedRange<UInt64>? {
    let low = Self.first(in: bounds) { !lies(.above, $0, type) }
    guard let low else { return nil }
    let past = Self.first(in: low...bounds.upperBound) { lies(.below, $0, type) }
    guard let past else { return low...bounds.upperBound }
    return past > low ? low...past - 1 : nil
  }

  /// The first code in bounds from which on a condition holds; nil for none.
  private static func first(
    in bounds: ClosedRange<UInt64>, where holds: (UInt64) -> Bool
  ) -> UInt64? {
    guard holds(bounds.upperBound) else { return nil }
    return (bounds.lowerBound..<bounds.upperBound).partitioningIndex(where: holds)
  }

  private func lies(_ side: Side, _ code: UInt64, _ type: DeclaredType) -> Bool {
    switch ColumnValue(code, type) {
    case .bool(let flag): lies(side, .integer(flag ? 1 : 0))
    case .integer(let whole): lies(side, .integer(whole))
    case .number(let number): lies(side, .double(number))
    case .time(let time):
      lies(side, .time(Instant(seconds: time.seconds, nanoseconds: time.nanoseconds)))
    case .text: true
    }
  }
}
