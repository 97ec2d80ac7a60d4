import Catalog
import LMDB

/// Puts what was found in order, counts it and groups it by declared attributes.
///
/// Of each row only what it is compared by is kept.
struct Arrangement<Reference> {
  private struct Entry {
    let reference: Reference
    /// The item's identifier, which decides between equal values.
    let name: [UInt8]
    let sortValue: ColumnValue?
    let groupValue: ColumnValue?
  }

  private struct Tally {
    let asked: AttributeLimit
    let column: Int
    var counts: [ColumnValue: Int] = [:]
    var missingCount = 0
  }

  private var reader: ColumnReader
  private var order: (column: Int, isDescending: Bool)?
  private var group: (column: Int, limit: Int?)?
  private var tallies: [Tally] = []
  private var entries: [Entry] = []

  /// - Throws: `badArgument` for an attribute that is not declared so.
  init(
    order: AttributeOrder?, facets: [AttributeLimit] = [], groupBy: AttributeLimit? = nil,
    in schema: SchemaDefinition
  ) throws(CairnError) {
    reader = ColumnReader(schema)
    if let order { self.order = (try reader.column(order.key, for: .sort), order.isDescending) }
    for facet in facets {
      tallies.append(Tally(asked: facet, column: try reader.column(facet.key, for: .facet)))
    }
    if let groupBy { group = (try reader.column(groupBy.key, for: .group), groupBy.limit) }
  }

  /// Adds a version of an item; where no attribute gives the order, the calls do.
  mutating func add(
    _ reference: Reference, _ item: UInt32, name: [UInt8]? = nil, _ state: ItemState,
    _ view: borrowing Moment.View, _ store: Store, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let values = try reader.values(of: item, state, view, store.log, txn)
    for index in tallies.indices {
      let counted = values[tallies[index].column]
      if counted.isEmpty { tallies[index].missingCount += 1 }
      for value in counted { tallies[index].counts[value, default: 0] += 1 }
    }
    var id: [UInt8] = []
    var sortValue: ColumnValue?
    if let order {
      id = if let name { name } else { try view.generation.catalog.name(of: item, in: txn) }
      sortValue = order.isDescending ? values[order.column].last : values[order.column].first
    }
    entries.append(
      Entry(
        reference: reference, name: id, sortValue: sortValue,
        groupValue: group.flatMap { values[$0.column].first }))
  }

  /// Everything that was added, in order.
  consuming func references() -> [Reference] { inOrder().map(\.reference) }

  /// The answer; `row` makes a row of a reference and its place among all, from 1.
  consuming func results<Row>(
    limit: Int?, offset: Int, _ row: (Reference, Int) throws(CairnError) -> Row
  ) throws(CairnError) -> Results<Row> {
    var results = Results<Row>()
    results.facets = tallies.map {
      FacetCounts($0.asked, $0.counts, missingCount: $0.missingCount)
    }
    let entries = inOrder()
    guard let group else {
      for place in Self.page(entries.count, limit, offset) {
        results.rows.append(try row(entries[place].reference, place + 1))
      }
      return results
    }
    let places = Self.groups(entries)
    var shown: [Results<Row>.Group] = []
    for members in places[Self.page(places.count, limit, offset)] {
      var rows: [Row] = []
      for place in members.prefix(group.limit ?? members.count) {
        rows.append(try row(entries[place].reference, place + 1))
      }
      let value = members.first.flatMap { entries[$0].groupValue?.attribute }
      shown.append(.init(value: value, count: members.count, rows: rows))
    }
    results.groups = shown
    return results
  }

  private func inOrder() -> [Entry] {
    guard let order else { return entries }
    return entries.sorted { one, other in
      switch (one.sortValue, other.sortValue) {
      case (let first?, let second?) where first != second:
        return order.isDescending ? second < first : first < second
      case (nil, .some): return false
      case (.some, nil): return true
      default: return one.name.rawSpan.lexicographicallyPrecedes(other.name.rawSpan)
      }
    }
  }

  /// The places of the rows of each value, in the order of the first.
  private static func groups(_ entries: [Entry]) -> [[Int]] {
    var numbers: [ColumnValue?: Int] = [:]
    var groups: [[Int]] = []
    for (place, entry) in entries.enumerated() {
      if let known = numbers[entry.groupValue] {
        groups[known].append(place)
      } else {
        numbers[entry.groupValue] = groups.count
        groups.append([place])
      }
    }
    return groups
  }

  private static func page(_ count: Int, _ limit: Int?, _ offset: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<start + min(limit ?? count, count - start)
  }
}

extension FacetCounts {
  /// The values that most items have, of counts of all, or of those that can be among them.
  init(
    _ asked: AttributeLimit, _ counts: [ColumnValue: Int], otherCount: Int = 0, missingCount: Int
  ) {
    let sorted = counts.sorted { one, other in
      one.value != other.value ? one.value > other.value : one.key < other.key
    }
    let listed = sorted.prefix(asked.limit ?? sorted.count)
    key = asked.key
    values = listed.map { FacetCounts.Value(value: $0.key.attribute, count: $0.value) }
    self.otherCount = sorted.dropFirst(listed.count).reduce(otherCount) { $0 + $1.value }
    self.missingCount = missingCount
  }
}
