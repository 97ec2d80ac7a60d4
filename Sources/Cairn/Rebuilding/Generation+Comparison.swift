import Catalog
import EventLog
import LMDB
import Projections
import Timeline

extension Generation {
  /// Holds what was built against a second reading of the log: counts, the root and all digests.
  /// - Complexity: O(rows + events), on two threads.
  /// - Throws: `.internal` naming what differs; `.corrupt` for an event that cannot be read.
  func compare(with log: EventLog) throws(CairnError) {
    let audit = ProjectionAudit(self)
    let helper = WriterThread(name: "cairn-compare")
    helper.submit { audit.lookAtText() }
    // Queued behind it, so that nobody closes what it reads; what it found is asked for above.
    defer { try? helper.run { () throws(CairnError) in } }
    let checkpoint = try checkpoint()
    guard try isMade(of: log, at: checkpoint) else { throw differs("root") }
    try audit.checkPages()
    audit.lookAtOthers()
    // Meanwhile the text index is still being looked at; what was found there comes first.
    let readings = Result { () throws(CairnError) in
      let read = try Reading(log, through: checkpoint.applied)
      return try environment.read { (txn) throws(CairnError) in
        (
          read: read, folded: try self.folded(txn),
          presentCount: try self.presentCount(checkpoint.applied, txn)
        )
      }
    }
    for finding in audit.findings() {
      switch finding {
      case .digests(let name, let (stored, found)):
        if stored != found { throw differs(name.text) }
      case .failed(let name, let error):
        guard error.code == .corrupt else { throw error }
        throw differs(name)
      }
    }
    let (read, folded, presentCount) = try readings.get()
    guard presentCount == checkpoint.presentCount else { throw differs("count of items") }
    guard read == folded else { throw differs("events") }
  }

  private func differs(_ what: String) -> CairnError {
    CairnError(
      .internal,
      "\(what): the new projections differ from a second reading of the log and do not serve",
      place: "view-\(number).mdb", remedy: .verify)
  }

  /// Events as they are counted on both sides.
  private struct Reading: Equatable {
    var count = 0
    var digest = RowDigest()

    init() {}

    init(_ log: EventLog, through last: UInt64) throws(CairnError) {
      try log.scan(from: 1, through: last) { (event, buffer, layout) throws(CairnError) in
        let item = layout.item.map { NameKey(buffer, $0) } ?? .none
        add(
          event.sequence, event.kind.rawValue, event.time.microseconds,
          event.recorded.microseconds, item)
        return true
      }
    }

    mutating func add(
      _ sequence: UInt64, _ kind: UInt8, _ time: Int64, _ recorded: Int64, _ item: NameKey
    ) {
      var hasher = RowHasher(kind: 0x7265_6164)
      hasher.add(sequence)
      hasher.add(UInt64(kind))
      hasher.add(UInt64(bitPattern: time))
      hasher.add(UInt64(bitPattern: recorded))
      hasher.add(item)
      digest.add(hasher)
      count += 1
    }
  }

  private func folded(_ txn: borrowing ReadTransaction) throws(CairnError) -> Reading {
    let names = try CatalogNames(catalog, in: txn)
    var reading = Reading()
    try timeline.forEach(from: 1, through: .max, in: txn) { (record) throws(CairnError) in
      reading.add(
        record.sequence, record.kind, record.timeMicroseconds, record.recordedMicroseconds,
        try names.itemKey(record.item))
      return true
    }
    return reading
  }

  private func presentCount(_ last: UInt64, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> UInt32
  {
    var count: UInt32 = 0
    try catalog.forEachState(asOf: last, in: txn) { (_, _, state) in
      if state.isPresent { count += 1 }
    }
    return count
  }
}
