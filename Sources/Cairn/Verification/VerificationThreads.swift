import EventLog
import Glibc
import LMDB

/// The threads of a verification: as many as there are processors.
///
/// The text index is the longest part, and one thread looks at it from the start. The others look
/// at the log, which comes in pieces, and at the other projections in between.
struct VerificationThreads {
  private static let helperCountMax = 3

  /// Looks at all of the log, and at most of the projections.
  /// - Throws: `.io` and the like; damage is reported.
  static func look(at log: EventLog, _ audit: ProjectionAudit?, progress: (UInt64) -> Bool)
    throws(CairnError) -> VerifyReport
  {
    let verification = LazyTask { () throws(CairnError) in try log.verification() }
    let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let helpers = (0..<min(max(1, processors - 1), helperCountMax)).map { _ in
      WriterThread(name: "cairn-verify")
    }
    for (index, helper) in helpers.enumerated() {
      helper.submit {
        if index == 0 { audit?.lookAtText() }
        // A short log is left to the caller, whom progress is told.
        guard let log = try? verification.value(), log.isLong else { return }
        work(log, audit) { _ in true }
      }
    }
    // Whoever waits for the value throws what it is.
    if let log = try? verification.value() { work(log, audit, progress) }
    // Queued behind the work, so that it ends after it.
    for helper in helpers { try helper.run { () throws(CairnError) in } }
    return try verification.value().finish()
  }

  private static func work(
    _ log: LogVerification, _ audit: ProjectionAudit?, _ progress: (UInt64) -> Bool
  ) {
    repeat { audit?.lookAtOthers() } while log.lookAtPiece(progress)
    audit?.lookAtOthers()
  }
}
