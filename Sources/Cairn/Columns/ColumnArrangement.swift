import Catalog
import Columns
import LMDB

/// Puts items of the present in order, counts and groups them by declared attributes, out of the
/// columns of these.
struct ColumnArrangement {
  private struct Column {
    let number: Int
    let type: DeclaredType
    let data: ColumnData
    /// Its number among those that the reader reads of an item.
    let place: Int
  }

  private var reader: ColumnReader
  private var order: (column: Column, isDescending: Bool)?
  private var group: (column: Column, limit: Int?)?
  private var facets: [(asked: AttributeLimit, column: Column)] = []
  private let store: Store

  /// Nil for a past point.
  /// - Throws: `badArgument` for an attribute that is not declared so.
  init?(
    order: AttributeOrder?, facets: [AttributeLimit], groupBy: AttributeLimit?, _ store: Store,
    _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard let layout = view.columnLayout else { return nil }
    self.store = store
    reader = ColumnReader(view.schema)
    let columns = view.generation.columnProjection.columns
    func column(_ key: String, _ place: Int) throws(CairnError) -> Column? {
      let name = view.schema.attribute(meantBy: key)
      guard let number = layout.number(of: name) else { return nil }
      let data = try columns.column(number, in: txn)
      guard !view.mayBeTooLong(data, name) else { return nil }
      return Column(number: number, type: layout.columns[number].type, data: data, place: place)
    }
    if let order {
      let place = try reader.column(order.key, for: .sort)
      guard let column = try column(order.key, place) else { return nil }
      self.order = (column, order.isDescending)
    }
    for facet in facets {
      let place = try reader.column(facet.key, for: .facet)
      guard let column = try column(facet.key, place) else { return nil }
      self.facets.append((facet, column))
    }
    if let groupBy {
      let place = try reader.column(groupBy.key, for: .group)
      guard let column = try column(groupBy.key, place) else { return nil }
      group = (column, groupBy.limit)
    }
  }

  // MARK: Counts

  /// How often values occur among items.
  /// - Complexity: O(items), some nanoseconds each.
  mutating func counts(
    of items: [UInt32], _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [FacetCounts] {
    var found: [FacetCounts] = []
    for (asked, column) in facets {
      let tally = ColumnTally(column.data, of: items)
      var counts: [ColumnValue: Int] = [:]
      var missingCount = tally.missingCount
      for item in tally.elsewhere {
        let values = try values(of: item, view, txn)[column.place]
        if values.isEmpty { missingCount += 1 }
        for value in values { counts[value, default: 0] += 1 }
      }
      let listed = counts.isEmpty ? tally.most(asked.limit) : tally.counts
      for (code, count) in listed {
        counts[try value(code, column, view, txn), default: 0] += count
      }
      let total = tally.counts.reduce(0) { $0 + $1.count }
      found.append(
        FacetCounts(
          asked, counts, otherCount: total - listed.reduce(0) { $0 + $1.count },
          missingCount: missingCount))
    }
    return found
  }

  private func value(
    _ code: UInt64, _ column: Column, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> ColumnValue {
    guard column.data.hasTexts else { return ColumnValue(code, column.type) }
    return .text(
      try view.generation.columnProjection.columns.text(code, of: column.number, in: txn))
  }

  /// What an item itself says.
  private mutating func values(
    of item: UInt32, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [[ColumnValue]] {
    guard
      let version = try view.generation.catalog.state(of: item, asOf: view.sequence, in: txn)
    else {
      throw CairnError(.corrupt, "a column has an unknown item", remedy: .rebuild)
    }
    return try reader.values(of: item, version.state, view, store.log, txn)
  }

  // MARK: Order

  /// The first items in the order asked for, so many or all; nil where the column cannot tell.
  ///
  /// Items without a value come last; ties are in byte order of identifiers.
  /// - Complexity: O(items), some nanoseconds each; O(items · log items) for all, and a look at the
  ///   identifiers of those of equal value.
  func first(
    _ count: Int?, of items: [UInt32], _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32]? {
    let wanted = min(count ?? items.count, items.count)
    guard let order else { return try view.inOrderOfNames(wanted, of: items, txn) }
    let (column, isDescending) = (order.column, order.isDescending)
    var found = column.data.first(wanted, of: items, isDescending: isDescending)
    if found == nil { found = try keys(of: items, column, isDescending, view, txn) }
    guard let (keyed, missing) = found else { return nil }
    var ordered = try KeyedItems(keyed).first(wanted) { (items, count) throws(CairnError) in
      try view.inOrderOfNames(count, of: items, txn)
    }
    if ordered.count < wanted {
      ordered += try view.inOrderOfNames(wanted - ordered.count, of: missing, txn)
    }
    return Array(ordered.prefix(wanted))
  }

  /// What items are compared by, the least first, and the items without a value.
  private func keys(
    of items: [UInt32], _ column: Column, _ isDescending: Bool, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> (keyed: [KeyedItems.Entry], missing: [UInt32])? {
    var keyed: [KeyedItems.Entry] = []
    var missing: [UInt32] = []
    var isComplete = true
    keyed.reserveCapacity(items.count)
    let ranks = column.data.hasTexts ? try ranks(of: items, column, view, txn) : [:]
    let hasTexts = column.data.hasTexts
    let (none, elsewhere) = (ColumnCode.none, ColumnCode.elsewhere)
    column.data.forEachCode(of: items) { (item, code) in
      switch code {
      case none: missing.append(item)
      case elsewhere: isComplete = false
      default:
        let place = hasTexts ? ranks[code] ?? 0 : code
        let key = isDescending ? ~place : place
        if let last = keyed.last, last.item == item {
          keyed[keyed.count - 1].key = min(last.key, key)
        } else {
          keyed.append((key, item))
        }
      }
    }
    return isComplete ? (keyed, missing) : nil
  }

  /// The places of the texts that items have, in the order of their bytes.
  private func ranks(
    of items: [UInt32], _ column: Column, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt64: UInt64] {
    var texts: [(code: UInt64, bytes: [UInt8])] = []
    for (code, _) in ColumnTally(column.data, of: items).counts {
      texts.append(
        (code, try view.generation.columnProjection.columns.text(code, of: column.number, in: txn)))
    }
    texts.sort { $0.bytes.rawSpan.lexicographicallyPrecedes($1.bytes.rawSpan) }
    var ranks: [UInt64: UInt64] = [:]
    ranks.reserveCapacity(texts.count)
    for (rank, text) in texts.enumerated() { ranks[text.code] = UInt64(rank) }
    return ranks
  }

  // MARK: Groups

  /// The places of the items of each value, in the order of the first; nil where the column cannot
  /// tell.
  func groups(
    of items: [UInt32], _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [(value: ColumnValue?, places: [Int])]? {
    guard let group else { return [] }
    var numbers: [UInt64: Int] = [:]
    var groups: [(code: UInt64, places: [Int])] = []
    var place = 0
    var isComplete = true
    group.column.data.forEachCode(of: items) { (_, code) in
      if code == ColumnCode.elsewhere { isComplete = false }
      if let known = numbers[code] {
        groups[known].places.append(place)
      } else {
        numbers[code] = groups.count
        groups.append((code, [place]))
      }
      place += 1
    }
    // Of an attribute with one value no item has two.
    guard isComplete, place == items.count else { return nil }
    var found: [(value: ColumnValue?, places: [Int])] = []
    for (code, places) in groups {
      found.append(
        (code == ColumnCode.none ? nil : try value(code, group.column, view, txn), places))
    }
    return found
  }

  /// How many items of each group are shown; nil for all.
  var groupLimit: Int? { group?.limit }
}

extension ColumnTally {
  /// The codes that most items have, so many and those that tie with the last of them; nil for all.
  fileprivate func most(_ limit: Int?) -> [(code: UInt64, count: Int)] {
    guard let limit, limit > 0, limit < counts.count else { return counts }
    let sorted = counts.sorted { $0.count > $1.count }
    let least = sorted[limit - 1].count
    return Array(sorted.prefix { $0.count >= least })
  }
}
