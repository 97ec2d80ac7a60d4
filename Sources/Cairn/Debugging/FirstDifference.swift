import Catalog
import Columns
import LMDB
import Projections
import Ranking
import TextIndex
import Timeline

/// A live projection held against a fresh fold of the same log.
package struct ReplayComparison: Sendable {
  /// Both digests; `digestBefore` is the live one's.
  package var result: RebuildResult
  /// Where they part, when they differ.
  package var first: RowDifference?
}

/// The first event after which a fresh fold has another row than the live projection.
package struct RowDifference: Sendable, Hashable {
  package var sequence: UInt64
  /// What the row is of: an item's identifier, an event's sequence, or `digest`.
  package var key: String
  /// The live row in words; nil where there is none.
  package var live: String?
  package var fresh: String?
}

/// Looks for the first row in which two generations of one log differ.
///
/// Rows are told by names and by the events that made them, since a live generation may number
/// items otherwise.
struct FirstDifference {
  private let live: Generation
  private let fresh: Generation
  private let last: UInt64

  init(_ live: Generation, _ fresh: Generation, _ checkpoint: Checkpoint) {
    self.live = live
    self.fresh = fresh
    last = checkpoint.applied
  }

  /// A row that both may have: the event that made it, whose it is, and which of several.
  private struct Key: Hashable, Comparable {
    var sequence: UInt64
    var owner: String
    var number: UInt32 = 0

    static func < (one: Key, other: Key) -> Bool {
      (one.sequence, one.owner, one.number) < (other.sequence, other.owner, other.number)
    }
  }

  /// - Complexity: O(rows), in memory too.
  func find(_ name: ProjectionName, _ result: RebuildResult) throws(CairnError) -> RowDifference {
    let found: RowDifference?
    switch name {
    case Catalog.name: found = difference(try versions(live), try versions(fresh))
    case Timeline.name: found = difference(try records(live), try records(fresh))
    case Ranking.name: found = difference(try uses(live), try uses(fresh))
    case TextProjection.name: found = try text()
    case ColumnProjection.name: found = difference(try values(live), try values(fresh))
    default: found = nil
    }
    // All rows are alike: what differs is the sum that is kept with them, or what search learned.
    return found
      ?? RowDifference(
        sequence: last, key: "digest", live: result.digestBefore, fresh: result.digestAfter)
  }

  private func difference(_ live: [Key: String], _ fresh: [Key: String]) -> RowDifference? {
    var least: Key?
    for (key, row) in fresh where live[key] != row { least = least.map { min($0, key) } ?? key }
    for key in live.keys where fresh[key] == nil { least = least.map { min($0, key) } ?? key }
    return least.map {
      RowDifference(sequence: $0.sequence, key: $0.owner, live: live[$0], fresh: fresh[$0])
    }
  }

  private func name(_ item: UInt32, _ generation: Generation, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> String
  {
    item == ResolvedEvent.none
      ? ""
      : String(decoding: try generation.catalog.name(of: item, in: txn), as: UTF8.self)
  }

  private func domain(_ domain: UInt32, _ generation: Generation, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> String
  { try generation.catalog.domainText(domain, in: txn) ?? "none" }

  private func versions(_ generation: Generation) throws(CairnError) -> [Key: String] {
    try generation.environment.read { (txn) throws(CairnError) in
      var rows: [Key: String] = [:]
      try generation.catalog.forEachVersion(in: txn) {
        (item, sequence, state) throws(CairnError) in
        let key = Key(sequence: sequence, owner: try self.name(item, generation, txn))
        let domain = try self.domain(state.domain, generation, txn)
        rows[key] =
          "version \(state.versionCount), \(state.isPresent ? "present" : "absent"), "
          + "domain \(domain), expires \(state.expires?.rfc3339 ?? "never"), content of "
          + ([state.content.base] + state.content.updates).map(String.init).joined(separator: " ")
          + ", hash \(RowDigest(low: state.contentKey.low, high: state.contentKey.high).hexadecimal)"
      }
      return rows
    }
  }

  private func records(_ generation: Generation) throws(CairnError) -> [Key: String] {
    try generation.environment.read { (txn) throws(CairnError) in
      var rows: [Key: String] = [:]
      try generation.timeline.forEach(from: 1, through: .max, in: txn) {
        (record) throws(CairnError) in
        let key = Key(sequence: record.sequence, owner: String(record.sequence))
        let domain = try self.domain(record.domain, generation, txn)
        rows[key] =
          "kind \(record.kind), item \(try self.name(record.item, generation, txn)), domain "
          + "\(domain), time \(record.timeMicroseconds) µs, weight \(record.weight), view "
          + "\(record.isView), afresh \(record.startsAfresh)"
        return true
      }
      return rows
    }
  }

  /// Values of items by column, at the event that made the item what it is.
  private func values(_ generation: Generation) throws(CairnError) -> [Key: String] {
    try generation.environment.read { (txn) throws(CairnError) in
      var rows: [Key: String] = [:]
      try generation.columnProjection.columns.forEachValue(in: txn) {
        (column, item, words, isElsewhere) throws(CairnError) in
        let made = try generation.catalog.state(of: item, asOf: .max, in: txn)?.sequence
        let key = Key(
          sequence: made ?? last, owner: try self.name(item, generation, txn),
          number: UInt32(truncatingIfNeeded: column))
        let values = words.map { String($0, radix: 16) }.joined(separator: " ")
        rows[key] = "column \(column), " + (isElsewhere ? "elsewhere" : "values \(values)")
      }
      return rows
    }
  }

  /// Uses of items: of each that differs, the first event after which its state does.
  private func uses(_ generation: Generation) throws(CairnError) -> [Key: String] {
    try generation.environment.read { (txn) throws(CairnError) in
      var ends: [UInt32: UInt64] = [:]
      var rows: [Key: String] = [:]
      try generation.timeline.forEach(from: 1, through: .max, in: txn) {
        (record) throws(CairnError) in
        guard record.use != nil || record.startsAfresh else { return true }
        ends[record.item] = record.sequence
        let state = try generation.ranking.history.state(
          of: record.item, asOf: record.sequence, in: txn)
        let name = try self.name(record.item, generation, txn)
        rows[Key(sequence: record.sequence, owner: name)] = Self.words(state)
        return true
      }
      try generation.ranking.forEachState(in: txn) { (item, state) throws(CairnError) in
        let name = try self.name(item, generation, txn)
        rows[Key(sequence: ends[item] ?? last, owner: name, number: 1)] = Self.words(state)
      }
      return rows
    }
  }

  private static func words(_ state: UseState) -> String {
    let values = state.frecency.values
    let sums = values.indices.map { "\(values[$0])" }.joined(separator: " ")
    return "views \(state.viewCount), last \(state.lastViewedMicroseconds) µs, sums \(sums) at "
      + "\(state.frecency.referenceMicroseconds) µs"
  }

  private func text() throws(CairnError) -> RowDifference? {
    let known = try indexed(live)
    let folded = try indexed(fresh)
    var least: (version: IndexedVersion, row: RowDifference)?
    for (key, row) in folded where known[key]?.words != row.words {
      if let least, least.version.document <= row.version.document { continue }
      least = (
        row.version,
        RowDifference(sequence: 0, key: key.owner, live: known[key]?.words, fresh: row.words)
      )
    }
    if let least {
      let sequence = try fresh.environment.read { (txn) throws(CairnError) in
        try fresh.text.sequence(of: least.version.document, through: last, in: txn)
      }
      var row = least.row
      row.sequence = sequence
      return row
    }
    let extra = known.filter { folded[$0.key] == nil }.min { $0.key < $1.key }
    return extra.map {
      RowDifference(sequence: last, key: $0.key.owner, live: $0.value.words, fresh: nil)
    }
  }

  private func indexed(_ generation: Generation) throws(CairnError) -> [Key: (
    version: IndexedVersion, words: String
  )] {
    try generation.environment.read { (txn) throws(CairnError) in
      var versions: [IndexedVersion] = []
      _ = try generation.text.recomputedDigest(
        in: txn,
        itemKey: { (item) throws(CairnError) in try generation.catalog.itemKey(item, in: txn) },
        visit: { versions.append($0) })
      var rows: [Key: (version: IndexedVersion, words: String)] = [:]
      for version in versions {
        let name = try self.name(version.item, generation, txn)
        rows[Key(sequence: 0, owner: name, number: version.version)] = (
          version,
          "version \(version.version), \(version.isLive ? "present" : "ended"), words "
            + String(version.content, radix: 16)
        )
      }
      return rows
    }
  }
}
