import Events
import LMDB

extension EncodedEvent {
  /// Whether two events of one id say the same, see `hasSameContent`; the sequence of an event that
  /// they lengthen is another in every log.
  /// - Throws: `.corrupt` when the stored one cannot be read.
  func isSame(as stored: StoredEvent, _ upcasters: UpcasterChain) throws(CairnError) -> Bool {
    let other = EncodedEvent(
      kind: stored.kind, recorded: stored.recorded, time: stored.time, schema: stored.schema,
      payload: stored.payload)
    do throws(CairnError) {
      guard kind == .extend, other.kind == .extend else {
        return try hasSameContent(as: other, upcasting: upcasters)
      }
      return try extending(nil).hasSameContent(as: try other.extending(nil), upcasting: upcasters)
    } catch {
      throw CairnError(
        .corrupt, "an event of the same id cannot be read",
        place: EventReader.place(stored.sequence))
    }
  }
}

extension EventReader {
  /// The live event that an id leads to.
  func event(ofID sequence: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
    -> StoredEvent
  {
    guard let stored = try event(at: sequence, in: txn) else {
      throw CairnError(
        .corrupt, "an id points to sequence \(sequence), which is not there",
        place: "log.mdb, table ids", remedy: .verify)
    }
    return stored
  }
}
