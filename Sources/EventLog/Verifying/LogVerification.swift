package import LMDB
import Synchronization

/// The verification of the log in pieces, for threads to share.
package final class LogVerification: Sendable {
  private let log: EventLog
  private let row: HeadRow
  /// What is known already of a log that cannot be looked at.
  private let damage: VerifyReport?
  private let pieceCount: Int

  private let claimed = Atomic<Int>(0)
  private let eventCount = Atomic<UInt64>(0)
  private let isCancelled = Atomic<Bool>(false)
  private let results = Mutex<[Int: Result<RangeResult, CairnError>]>([:])

  init(_ log: EventLog, _ row: HeadRow) {
    self.log = log
    self.row = row
    damage = nil
    pieceCount = Int(
      clamping: min(max(1, row.size / LogLimits.parallelEventCount), LogLimits.verifyPieceCount))
  }

  init(_ log: EventLog, _ damage: VerifyReport) {
    self.log = log
    self.damage = damage
    row = HeadRow()
    pieceCount = 0
  }

  /// Whether there is something to share.
  package var isLong: Bool { pieceCount > 1 }

  /// Looks at the next piece that nobody looks at.
  /// - Parameter progress: Gets how many events all threads have looked at, from time to time, on
  ///   the calling thread; returns whether to go on.
  /// - Returns: False when there is nothing left to look at.
  package func lookAtPiece(_ progress: (UInt64) -> Bool) -> Bool {
    guard !isCancelled.load(ordering: .relaxed) else { return false }
    let piece = claimed.wrappingAdd(1, ordering: .relaxed).oldValue
    guard piece < pieceCount else { return false }
    let result: Result<RangeResult, CairnError>
    do throws(CairnError) {
      result = .success(try look(start(of: piece), start(of: piece + 1) - 1, progress))
    } catch {
      isCancelled.store(true, ordering: .relaxed)
      result = .failure(error)
    }
    results.withLock { $0[piece] = result }
    return true
  }

  /// Tells how many events were looked at, and whether to go on, with this and anything beside it.
  package func goesOn(_ progress: (UInt64) -> Bool) -> Bool {
    if !progress(eventCount.load(ordering: .relaxed)) {
      isCancelled.store(true, ordering: .relaxed)
    }
    return !isCancelled.load(ordering: .relaxed)
  }

  private func start(of piece: Int) -> UInt64 {
    let (wide, count) = (UInt64(piece), UInt64(pieceCount))
    // In this order it cannot overflow.
    return 1 + row.size / count * wide + min(wide, row.size % count)
  }

  private func look(_ first: UInt64, _ last: UInt64, _ progress: (UInt64) -> Bool)
    throws(CairnError) -> RangeResult
  {
    var verifier = Verifier(reader: log.reader, head: row)
    try log.environment.read { (txn) throws(CairnError) in try verifier.begin(at: first, in: txn) }
    while verifier.next <= last {
      let start = verifier.next
      try log.environment.read { (txn) throws(CairnError) in
        try verifier.advance(through: last, in: txn)
      }
      eventCount.wrappingAdd(verifier.next - start, ordering: .relaxed)
      guard goesOn(progress) else { return verifier.result }
    }
    try log.environment.read { (txn) throws(CairnError) in try verifier.checkEnd(in: txn) }
    return verifier.result
  }

  /// What was found, once no thread looks at pieces any more, also at the log's other tables.
  /// - Throws: What looking at a piece threw.
  package func finish() throws(CairnError) -> VerifyReport {
    if let damage { return damage }
    let looked = results.withLock { $0 }
    var joined: RangeResult?
    for piece in 0..<pieceCount {
      // After one that was stopped come those that nobody began.
      guard let result = try looked[piece]?.get() else { continue }
      if joined == nil { joined = result } else { joined?.append(result, from: start(of: piece)) }
    }
    let (log, row, isWhole) = (log, row, !isCancelled.load(ordering: .relaxed))
    let events = joined ?? Verifier(reader: log.reader, head: row).result
    return try log.environment.read { (txn) throws(CairnError) in
      let now = try log.reader.head(in: txn)
      var others = OtherTablesVerifier(tables: log.tables, result: events)
      try others.check(isUnchanged: now.size == row.size && isWhole, in: txn)
      var roots = RememberedRootsVerifier(reader: log.reader, head: now, result: others.result)
      try roots.check(in: txn)
      return roots.result.report
    }
  }
}
