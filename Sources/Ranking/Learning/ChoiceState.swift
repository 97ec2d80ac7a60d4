import LMDB
import Projections

/// How often and how lately an item was chosen for one query.
///
/// `Σ 2^((tᵢ − t)/H)` over the choices i, kept at the time of the latest; H is
/// ``FoldConstants/choiceHalfLifeDays``. A choice that stayed the only one counts like that for
/// ``FoldConstants/loneChoiceHours``; then it is also halved every
/// ``FoldConstants/loneChoiceHalfLifeDays``: it may have been a slip.
package struct ChoiceState: Equatable, Sendable {
  private static let loneMicroseconds = Int64(FoldConstants.current.loneChoiceHours * 3.6e9)
  static let byteCount = 4 + 8 + 8

  package private(set) var count: UInt32 = 0
  /// Time of the latest choice, microseconds since 1970.
  package private(set) var reference = Int64.min
  private var sum = 0.0

  package init() {}

  /// Folds in a choice; late ones are welcome.
  mutating func add(atMicroseconds time: Int64) {
    count &+= 1
    if reference == .min {
      (reference, sum) = (time, 1)
    } else if time >= reference {
      sum = sum * Self.factor(reference, time) + 1
      reference = time
    } else {
      sum += Self.factor(time, reference)
    }
  }

  /// What is left of the choices at a moment; before the latest one, all of it.
  package func weight(atMicroseconds now: Int64) -> Double {
    guard count > 0 else { return 0 }
    let weight = sum * Self.factor(reference, now)
    let (sure, overflow) = reference.addingReportingOverflow(Self.loneMicroseconds)
    guard count == 1, !overflow else { return weight }
    return weight
      * Decay.factor(
        fromMicroseconds: sure, to: now, halfLifeDays: FoldConstants.current.loneChoiceHalfLifeDays)
  }

  private static func factor(_ from: Int64, _ to: Int64) -> Double {
    Decay.factor(
      fromMicroseconds: from, to: to, halfLifeDays: FoldConstants.current.choiceHalfLifeDays)
  }

  func encode(into row: inout [UInt8]) {
    row.appendBigEndian(count)
    row.appendBigEndian(UInt64(bitPattern: reference))
    row.appendBigEndian(sum.bitPattern)
  }

  init(decoding row: RawSpan) throws(CairnError) {
    guard row.byteCount == Self.byteCount else { throw Choices.damaged }
    count = row.loadBigEndian32(at: 0)
    reference = Int64(bitPattern: row.loadBigEndian64(at: 4))
    sum = Double(bitPattern: row.loadBigEndian64(at: 12))
  }

  /// The logical row: who was chosen for what, and the state after it.
  func digestRow(query: [UInt8], item: NameKey) -> RowHasher {
    var hasher = RowHasher(kind: 5)
    hasher.add(query, query.indices)
    hasher.add(item)
    hasher.add(UInt64(count))
    hasher.add(UInt64(bitPattern: reference))
    hasher.add(sum.bitPattern)
    return hasher
  }
}
