import LMDB

/// The items used, in an order from which the best by frecency can be read at any clock.
///
/// | table | key | value |
/// |---|---|---|
/// | `use-order` | class ‖ ~last use ‖ ordinal | where in the class, a byte for each sum |
/// | `use-classes` | class | bound of the last uses in the class, number of members |
///
/// An item is re-keyed when it is used and never because time passes. The tables follow from
/// `ranks` and are not part of the digest; a verification checks them against it.
package struct UseOrder: Sendable {
  static let orderName: TableName = "use-order"
  static let classesName: TableName = "use-classes"

  let order: Table
  let classes: Table

  init(_ environment: Environment) {
    order = environment[Self.orderName]
    classes = environment[Self.classesName]
  }

  /// Where an item stands.
  struct Place: Equatable, Comparable, Sendable {
    var useClass: UseClass
    var reference: Int64
    var item: UInt32
    /// Where in its class the item stands.
    var refinement: UInt64

    /// Nil for an item that was never used.
    init?(_ item: UInt32, _ state: UseState?) {
      guard let state, state != UseState() else { return nil }
      useClass = UseClass(state.frecency, isViewed: state.viewCount > 0)
      reference = state.frecency.referenceMicroseconds
      self.item = item
      refinement = UseClass.refinement(of: state.frecency)
    }

    /// Nil for a row that is none of this table.
    init?(_ key: RawSpan, _ row: RawSpan) {
      guard key.byteCount == Self.byteCount, row.byteCount == Self.rowByteCount else { return nil }
      useClass = UseClass(key)
      reference = Self.time(key.loadBigEndian64(at: UseClass.byteCount))
      item = key.loadBigEndian32(at: UseClass.byteCount + 8)
      refinement = UInt64(row.loadBigEndian32(at: 0)) << 16 | UInt64(row.loadBigEndian16(at: 4))
    }

    static let byteCount = UseClass.byteCount + 12
    static let rowByteCount = 6

    /// What no member of the class used then or before exceeds.
    var classBound: Frecency { useClass.bound(referenceMicroseconds: reference) }

    /// What the item itself does not exceed.
    var bound: Frecency { useClass.bound(referenceMicroseconds: reference, refinement: refinement) }

    func writeRow(to row: inout ByteWriter) {
      row.removeAll()
      row.appendBigEndian(UInt32(truncatingIfNeeded: refinement >> 16))
      row.appendBigEndian(UInt16(truncatingIfNeeded: refinement))
    }

    func write(to key: inout ByteWriter) {
      key.removeAll()
      useClass.append(to: &key)
      key.appendBigEndian(Self.descending(reference))
      key.appendBigEndian(item)
    }

    static func < (one: Place, other: Place) -> Bool {
      if one.useClass != other.useClass { return one.useClass < other.useClass }
      if one.reference != other.reference { return one.reference > other.reference }
      return one.item < other.item
    }

    /// Whether both have the same key.
    func isAt(_ other: Place) -> Bool {
      item == other.item && reference == other.reference && useClass == other.useClass
    }

    /// Bytes that sort later times first.
    static func descending(_ time: Int64) -> UInt64 { ~(UInt64(bitPattern: time) ^ 1 << 63) }

    static func time(_ bytes: UInt64) -> Int64 { Int64(bitPattern: ~bytes ^ 1 << 63) }
  }

  /// What a batch changes, gathered to be written in the order of keys.
  struct Changes {
    fileprivate var places: [(place: Place, isAdded: Bool)] = []

    mutating func replace(_ item: UInt32, _ before: UseState?, _ after: UseState) {
      let old = Place(item, before)
      let new = Place(item, after)
      guard old != new else { return }
      if let old { places.append((old, false)) }
      if let new { places.append((new, true)) }
    }
  }

  /// Writes a batch's changes.
  /// - Complexity: O(changes · log items), two rows for a use.
  func apply(_ changes: Changes, in txn: inout WriteTransaction) throws(CairnError) {
    var members: [UseClass: (change: Int64, latest: Int64)] = [:]
    let places = changes.places.sorted {
      $0.place < $1.place || $0.place.isAt($1.place) && !$0.isAdded && $1.isAdded
    }
    var key = ByteWriter()
    var row = ByteWriter()
    try txn.run(order) { (run) throws(CairnError) in
      for (place, isAdded) in places {
        place.write(to: &key)
        var entry = members[place.useClass, default: (0, .min)]
        if isAdded {
          place.writeRow(to: &row)
          try run.put(key.bytes, row.bytes)
          entry = (entry.change + 1, max(entry.latest, place.reference))
        } else {
          try run.delete(key.bytes)
          entry.change -= 1
        }
        members[place.useClass] = entry
      }
    }
    for (useClass, entry) in members.sorted(by: { $0.key < $1.key }) {
      try update(useClass, entry.change, entry.latest, in: &txn)
    }
  }

  private func update(
    _ useClass: UseClass, _ change: Int64, _ latest: Int64, in txn: inout WriteTransaction
  ) throws(CairnError) {
    var key = ByteWriter()
    useClass.append(to: &key)
    var bound = latest
    var count = change
    if let row = try txn.reader.get(classes, key.bytes) {
      bound = max(bound, try Self.latest(row))
      count &+= Int64(bitPattern: row.loadBigEndian64(at: 8))
    }
    guard count > 0 else {
      try txn.delete(classes, key.bytes)
      return
    }
    var row = ByteWriter()
    row.appendBigEndian(UInt64(bitPattern: bound))
    row.appendBigEndian(UInt64(bitPattern: count))
    try txn.put(classes, key.bytes, row.bytes)
  }

  /// Whether an item stands where it should.
  func contains(_ place: Place, in txn: borrowing ReadTransaction) throws(CairnError) -> Bool {
    var key = ByteWriter()
    place.write(to: &key)
    guard let row = try txn.get(order, key.bytes) else { return false }
    return Place(key.bytes, row) == place
  }

  /// How many items have a place.
  func count(in txn: borrowing ReadTransaction) throws(CairnError) -> Int { try txn.count(order) }

  /// The bound of the last uses in a class; the item that set it may have left.
  static func latest(_ row: RawSpan) throws(CairnError) -> Int64 {
    guard row.byteCount == 16 else { throw damaged(classesName) }
    return Int64(bitPattern: row.loadBigEndian64(at: 0))
  }

  static func damaged(_ table: TableName) -> CairnError {
    CairnError(
      .corrupt, "the order of items by use is damaged",
      place: "table \(table.rawValue)", remedy: .rebuild)
  }
}
