import EventLog
import HashTree

/// The event that records a purge: counts, a digest and sequences, no name.
enum PurgeRecord {
  static func event(_ plan: PurgePlan, _ sequences: [UInt64]) throws(CairnError) -> EncodedEvent {
    let facts: [(String, JSONValue)] = [
      ("events", .number(String(plan.eventCount))), ("items", .number(String(plan.itemCount))),
      ("digest", .string(plan.digest.base64)), ("sequences", SequenceRanges.json(of: sequences)),
    ]
    let event = Event(kind: .purge, extras: JSONObject([("purge", .object(JSONObject(facts)))]))
    do { return try event.encoded(byEngine: true) } catch {
      throw CairnError(.internal, "a purge cannot be recorded: \(error.message)")
    }
  }

  static func event(of sequences: [UInt64], in log: EventLog) throws(CairnError) -> EncodedEvent {
    try event(try PurgePlan(sequences, in: log), sequences)
  }
}

extension PurgePlan {
  /// What erasing these events, ascending, takes; items and domains are not counted.
  init(_ sequences: [UInt64], in log: EventLog) throws(CairnError) {
    var leaves = CompactRange()
    var kinds: [EventKind: Int] = [:]
    var byteCount = 0
    for sequence in sequences {
      guard let event = try log.event(at: sequence) else { continue }
      kinds[event.kind, default: 0] += 1
      byteCount += event.payload.count
      leaves.append(event.leafHash) { (_, _, _) throws(Never) in }
    }
    self.init(
      eventCount: sequences.count, itemCount: 0, domainCount: 0, byteCount: byteCount, kinds: kinds,
      digest: leaves.root)
  }
}
