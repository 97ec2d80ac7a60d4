package import LMDB

/// An event's header with everything that it commits to, so that what the event says can be checked
/// without the log: header (48) ‖ salt (32) ‖ facts ‖ payload.
package struct OpenedEvent {
  package let header: EventHeader
  package let facts: EventFacts
  /// In the schema that the facts name.
  package let payload: [UInt8]

  /// Reads and checks what ``EventLog/opened(at:)`` gave.
  /// - Throws: `.notVerified` when the header commits to something else; `.corrupt`.
  package init(_ bytes: [UInt8]) throws(CairnError) {
    let span = bytes.rawSpan
    var reader = ByteReader(span)
    header = try EventHeader(&reader)
    let salt = try Hash32(&reader)
    let start = bytes.count - reader.remaining
    facts = try EventFacts(&reader)
    let end = bytes.count - reader.remaining
    let found = Commitment.make(
      salt: salt, span.extracting(start..<end), span.extracting(end..<bytes.count))
    guard header.first == nil, found == header.commitment else {
      throw CairnError(.notVerified, "the event shown is not the one in the log")
    }
    payload = Array(bytes[end...])
  }
}

extension EventLog {
  /// An event as ``OpenedEvent`` reads it; nil for an erased one and under a header of version 1.
  /// - Throws: `.corrupt` naming the event.
  package func opened(at sequence: UInt64) throws(CairnError) -> [UInt8]? {
    try environment.read { (txn) throws(CairnError) in
      var cursor = try txn.cursor(self.tables.events)
      guard let front = try self.reader.firstPart(&cursor, sequence)?.front,
        let live = front.live, front.header.first == nil,
        let event = try self.reader.event(at: sequence, in: txn)
      else { return nil }
      var writer = ByteWriter()
      front.header.append(to: &writer)
      live.salt.withSpan { writer.append($0) }
      event.facts.append(to: &writer)
      writer.append(event.payload)
      return writer.array()
    }
  }
}
