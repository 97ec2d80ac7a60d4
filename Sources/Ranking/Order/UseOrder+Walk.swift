internal import HeapModule
package import LMDB

extension UseOrder {
  /// What items are put in order by.
  package enum Measure: Sendable {
    /// Frecency at a time, in microseconds since 1970.
    case frecency(Int64, amplitudes: [Double] = Frecency.amplitudes)
    /// The logarithm of the frecency at a time that some items were used after: there plain
    /// values may overflow and tie.
    case logarithm(Int64, amplitudes: [Double] = Frecency.amplitudes)
    /// One scale's sum at a time.
    case scale(Int, Int64)

    /// The greater, the better.
    /// - Complexity: O(1), some 20 ns; ten times that for a logarithm.
    package func key(_ frecency: Frecency) -> Double {
      switch self {
      case .frecency(let now, let amplitudes):
        frecency.score(atMicroseconds: now, amplitudes: amplitudes)
      case .logarithm(let now, let amplitudes):
        frecency.logarithm(atMicroseconds: now, amplitudes: amplitudes)
      case .scale(let scale, let now): frecency.sum(ofScale: scale, atMicroseconds: now)
      }
    }

    /// A key that no frecency below a bound exceeds, whatever the rounding.
    package func key(bound: Frecency) -> Double {
      let key = key(bound)
      guard case .logarithm = self, key.isFinite else { return key * (1 + 1e-9) }
      return key + abs(key) * 1e-12 + 1e-6
    }
  }

  /// Members that lie below what is needed, after which the bound of those that follow is asked
  /// for.
  private static let checkInterval = 8

  /// A class that may still hold good items: its members used at `reference` or before.
  private struct Stretch: Comparable {
    var bound: Double
    var useClass: UseClass
    var reference: Int64
    var item: UInt32

    static func < (one: Stretch, other: Stretch) -> Bool { one.bound < other.bound }
  }

  /// How to compare frecencies at a time: by themselves, or by logarithms when some item was
  /// viewed after it.
  /// - Complexity: O(1) when no use was ever later than `latestUse`; else O(classes), some 40 ns
  ///   each.
  package func measure(
    at now: Int64, latestUse: Int64 = .max, amplitudes: [Double] = Frecency.amplitudes,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Measure {
    if latestUse <= now { return .frecency(now, amplitudes: amplitudes) }
    var ahead: [UseClass] = []
    try txn.scan(classes) { (key, row) throws(CairnError) in
      let useClass = UseClass(key)
      guard useClass.isViewed else { return false }
      if try Self.latest(row) > now { ahead.append(useClass) }
      return true
    }
    for useClass in ahead {
      // The bound may have outlived the item that set it.
      if let head = try head(of: useClass, in: txn), head.reference > now {
        return .logarithm(now, amplitudes: amplitudes)
      }
    }
    return .frecency(now, amplitudes: amplitudes)
  }

  /// Visits items roughly from the best down, until no other can reach what is needed.
  /// - Parameters:
  ///   - measure: What is best.
  ///   - isViewed: Whether items that were viewed are visited, or those only edited.
  ///   - txn: What to read from.
  ///   - body: Gets an item and returns the key that others must reach. The visit ends when the
  ///     bounds of all items not yet visited lie below it; infinity ends it at once.
  /// - Returns: What no item that was not visited exceeds, or what was needed at the end where
  ///   that is more; minus infinity when all were visited.
  /// - Complexity: some hundred items for a hundred wanted; all items at worst.
  /// - Throws: `.corrupt` for damaged rows, and what `body` throws.
  @discardableResult package func forEachByBound(
    _ measure: Measure, isViewed: Bool = true, in txn: borrowing ReadTransaction,
    _ body: (UInt32) throws(CairnError) -> Double
  ) throws(CairnError) -> Double {
    var heap = Heap<Stretch>()
    try txn.scan(classes, from: [isViewed ? 0 : 1]) { (key, row) throws(CairnError) in
      let useClass = UseClass(key)
      guard useClass.isViewed == isViewed else { return false }
      let latest = try Self.latest(row)
      let bound = measure.key(bound: useClass.bound(referenceMicroseconds: latest))
      heap.insert(Stretch(bound: bound, useClass: useClass, reference: latest, item: 0))
      return true
    }
    var walk = Walk()
    var greatest: Double { heap.max?.bound ?? -.infinity }
    while greatest >= walk.needed, let stretch = heap.popMax() {
      if let rest = try visit(stretch, greatest, measure, &walk, in: txn, body) {
        heap.insert(rest)
      }
    }
    return max(greatest, walk.passedOver)
  }

  /// How far a visit has come.
  private struct Walk {
    var needed = -Double.infinity
    /// The greatest bound of an item that was not worth a look.
    var passedOver = -Double.infinity
  }

  /// Visits the members of a class while none of another class can be better.
  private func visit(
    _ stretch: Stretch, _ next: Double, _ measure: Measure, _ walk: inout Walk,
    in txn: borrowing ReadTransaction, _ body: (UInt32) throws(CairnError) -> Double
  ) throws(CairnError) -> Stretch? {
    var start = ByteWriter()
    stretch.useClass.append(to: &start)
    start.appendBigEndian(Place.descending(stretch.reference))
    start.appendBigEndian(stretch.item)
    var rest: Stretch?
    var checkedIn = 0
    var now = walk
    try txn.scan(order, from: start.array()) { (key, row) throws(CairnError) in
      let place = try Self.place(key, row)
      guard place.useClass == stretch.useClass else { return false }
      let own = measure.key(bound: place.bound)
      if own < max(next, now.needed) {
        // To pass over a few too many costs little: whether the rest can wait is asked now and
        // then.
        if own >= now.needed || checkedIn == 0 {
          let bound = measure.key(bound: place.classBound)
          guard bound >= max(next, now.needed) else {
            rest = Stretch(
              bound: bound, useClass: place.useClass, reference: place.reference, item: place.item)
            return false
          }
          checkedIn = Self.checkInterval
        }
        checkedIn -= 1
      }
      if own >= now.needed {
        now.needed = try body(place.item)
      } else {
        now.passedOver = max(now.passedOver, own)
      }
      return true
    }
    walk = now
    return rest
  }

  private func head(of useClass: UseClass, in txn: borrowing ReadTransaction) throws(CairnError)
    -> Place?
  {
    var start = ByteWriter()
    useClass.append(to: &start)
    var found: Place?
    try txn.scan(order, from: start.array()) { (key, row) throws(CairnError) in
      let place = try Self.place(key, row)
      if place.useClass == useClass { found = place }
      return false
    }
    return found
  }

  private static func place(_ key: RawSpan, _ row: RawSpan) throws(CairnError) -> Place {
    guard let place = Place(key, row) else { throw damaged(orderName) }
    return place
  }
}
