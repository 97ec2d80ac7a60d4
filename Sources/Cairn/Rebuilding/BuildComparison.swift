import Catalog
import EventLog
import LMDB
import Projections
import Timeline

/// A generation that was built, held against a second reading of the log before it serves.
struct BuildComparison {
  private let green: Generation
  private let log: EventLog

  init(_ green: Generation, _ log: EventLog) {
    self.green = green
    self.log = log
  }

  /// Compares counts, the root and all digests.
  /// - Complexity: O(rows + events), on two threads.
  /// - Throws: `.internal` naming what differs; `.corrupt` for an event that cannot be read.
  func run() throws(CairnError) {
    let audit = ProjectionAudit(green)
    let helper = WriterThread(name: "cairn-compare")
    helper.submit { audit.lookAtText() }
    // Queued behind it, so that nobody closes what it reads; what it found is asked for above.
    defer { try? helper.run { () throws(CairnError) in } }
    let checkpoint = try green.checkpoint()
    guard try green.isMade(of: log, at: checkpoint) else { throw differs("root") }
    try audit.checkPages()
    audit.lookAtOthers()
    for finding in audit.findings() {
      switch finding {
      case .digests(let name, let (stored, found)):
        if stored != found { throw differs(name.text) }
      case .failed(let name, let error):
        guard error.code == .corrupt else { throw error }
        throw differs(name)
      }
    }
    let (folded, presentCount) = try green.environment.read { (txn) throws(CairnError) in
      (try self.folded(txn), try self.presentCount(checkpoint.applied, txn))
    }
    guard presentCount == checkpoint.presentCount else { throw differs("count of items") }
    guard try read(through: checkpoint.applied) == folded else { throw differs("events") }
  }

  private func differs(_ what: String) -> CairnError {
    CairnError(
      .internal,
      "\(what): the new projections differ from a second reading of the log and do not serve",
      place: "view-\(green.number).mdb", remedy: .verify)
  }

  /// Events as they are counted on both sides.
  private struct Reading: Equatable {
    var count = 0
    var digest = RowDigest()

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

  private func read(through last: UInt64) throws(CairnError) -> Reading {
    var reading = Reading()
    try log.scan(from: 1, through: last) { (event, buffer, layout) throws(CairnError) in
      let item = layout.item.map { NameKey(buffer, $0) } ?? .none
      reading.add(
        event.sequence, event.kind.rawValue, event.time.microseconds, event.recorded.microseconds,
        item)
      return true
    }
    return reading
  }

  private func folded(_ txn: borrowing ReadTransaction) throws(CairnError) -> Reading {
    let names = try CatalogNames(green.catalog, in: txn)
    var reading = Reading()
    try green.timeline.forEach(from: 1, through: .max, in: txn) { (record) throws(CairnError) in
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
    try green.catalog.forEachState(asOf: last, in: txn) { (_, _, state) in
      if state.isPresent { count += 1 }
    }
    return count
  }
}
