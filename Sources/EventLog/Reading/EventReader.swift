import Events
import LMDB

/// Reads events, ids, tree nodes and the head within a transaction.
struct EventReader: Sendable {
  let tables: Tables

  /// The head; that of an empty log where nothing was ever written.
  func head(in txn: borrowing ReadTransaction) throws(CairnError) -> HeadRow {
    guard let value = try txn.get(tables.main, HeadRow.key) else {
      // A damaged key is not found: that does not make a log with events an empty one.
      guard try txn.count(tables.events) == 0 else {
        throw CairnError(
          .corrupt, "the row that says where the log ends is not there",
          place: "log.mdb, table head", remedy: .verify)
      }
      return HeadRow()
    }
    return try HeadRow(value)
  }

  /// The sequence of the live event with this id.
  /// - Complexity: one row, or two when the id looks like one that the log made.
  func sequence(of id: EventID, in txn: borrowing ReadTransaction) throws(CairnError) -> UInt64? {
    var key = ByteWriter()
    id.append(to: &key)
    if let value = try txn.get(tables.ids, key.bytes) {
      var reader = ByteReader(value)
      return try reader.readBigEndian64()
    }
    guard let sequence = GeneratedID.sequence(of: id), let front = try front(of: sequence, in: txn),
      let facts = front.live?.facts, facts.id == id, facts.hasGeneratedID
    else { return nil }
    return sequence
  }

  /// Part 0 of one event up to its payload, or `nil` beyond the head.
  func front(of sequence: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
    -> EventRow.Front?
  {
    guard let value = try txn.get(tables.events, EventRow.key(sequence)) else { return nil }
    return try EventRow.Front(value, sequence: sequence)
  }

  /// The header of one event, or `nil` beyond the head.
  func header(at sequence: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
    -> EventHeader?
  { try front(of: sequence, in: txn)?.header }

  /// One live event, or `nil` when it is erased or beyond the head.
  func event(at sequence: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
    -> StoredEvent?
  {
    var cursor = try txn.cursor(tables.events)
    return try event(at: sequence, &cursor)
  }

  /// The same, by a cursor of the table of events.
  func event(at sequence: UInt64, _ cursor: inout Cursor) throws(CairnError) -> StoredEvent? {
    guard let first = try firstPart(&cursor, sequence), let live = first.front.live else {
      return nil
    }
    var event = StoredEvent(first.front.header, live.facts, payload: first.payload)
    try EventReader.appendParts(
      to: &event.payload, of: sequence, byteCount: live.payloadByteCount, &cursor)
    return event
  }

  /// Part 0 of an event, to which it moves the cursor, and the payload bytes in it; `nil` when the
  /// event is not there.
  func firstPart(_ cursor: inout Cursor, _ sequence: UInt64) throws(CairnError)
    -> (front: EventRow.Front, payload: [UInt8])?
  {
    guard let entry = try cursor.seek(EventRow.key(sequence)),
      entry.key.byteCount == EventRow.keyByteCount, entry.key.loadBigEndian64(at: 0) == sequence
    else { return nil }
    let front = try EventRow.Front(entry.value, sequence: sequence)
    let start = front.live?.payloadOffset ?? entry.value.byteCount
    return (front, entry.value.extracting(start..<entry.value.byteCount).array())
  }

  /// Completes a payload of which the first part is there.
  static func appendParts(
    to payload: inout [UInt8], of sequence: UInt64, byteCount: Int, _ cursor: inout Cursor
  ) throws(CairnError) {
    guard payload.count < byteCount else { return }
    var content = ByteWriter(capacity: byteCount)
    content.append(payload)
    var part: UInt16 = 1
    while content.count < byteCount {
      let key = EventRow.key(sequence, part: part)
      guard let entry = try cursor.next(), entry.key.equals(key.rawSpan),
        content.count + entry.value.byteCount <= byteCount
      else {
        throw CairnError(
          .corrupt, "a part of the event's payload is missing",
          place: EventReader.place(sequence))
      }
      content.append(entry.value)
      part += 1
    }
    payload = content.array()
  }

  static func gap(at sequence: UInt64) -> CairnError {
    CairnError(.corrupt, "the event is missing", place: place(sequence), remedy: .verify)
  }

  /// How errors name an event.
  static func place(_ sequence: UInt64) -> String { "log.mdb, event \(sequence)" }
}
