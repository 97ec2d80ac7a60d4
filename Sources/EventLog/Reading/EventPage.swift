import Events
import LMDB

/// Consecutive events whose payloads stand in one buffer: one allocation for all of them.
struct EventPage: Sendable {
  /// The events, without their payloads.
  private(set) var events: [StoredEvent] = []
  /// Where the payload of each stands in ``bytes``.
  private(set) var payloads: [Range<Int>] = []
  /// Where the fields of each stand in ``bytes``, if it is laid out.
  private(set) var layouts: [EventLayout] = []
  /// Whether each is laid out: payloads of older schemas are not, nor those that cannot be read.
  private(set) var isLaidOut: [Bool] = []
  private(set) var bytes: [UInt8] = []
  private let laysOut: Bool

  /// An empty page; whether the payloads it takes are to be laid out.
  init(laysOut: Bool = true) { self.laysOut = laysOut }

  /// Forgets the events and keeps the memory.
  mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    payloads.removeAll(keepingCapacity: true)
    layouts.removeAll(keepingCapacity: true)
    isLaidOut.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Copies live events from the log until the page is full.
  /// - Returns: The sequence to go on with, or `nil` when there is nothing more up to `last`.
  mutating func fill(
    from first: UInt64, through last: UInt64, _ reader: EventReader,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt64? {
    let end = min(last, try reader.head(in: txn).size)
    var cursor = try txn.cursor(reader.tables.events)
    var sequence = first
    while sequence <= end {
      guard let front = try front(&cursor, isSought: sequence == first, sequence) else {
        throw EventReader.gap(at: sequence)
      }
      if let live = front.live { try complete(front.header, live, &cursor) }
      sequence += 1
      if events.count >= LogLimits.pageEventCount || bytes.count >= LogLimits.pageByteCount
        || sequence - first >= LogLimits.pageVisitCount
      {
        return sequence
      }
    }
    return nil
  }

  /// Reads part 0 of an event and keeps the payload bytes in it.
  private mutating func front(_ cursor: inout Cursor, isSought: Bool, _ sequence: UInt64)
    throws(CairnError) -> EventRow.Front?
  {
    if isSought {
      guard let entry = try cursor.seek(EventRow.key(sequence)) else { return nil }
      return try front(entry, sequence)
    }
    guard let entry = try cursor.next() else { return nil }
    return try front(entry, sequence)
  }

  private mutating func front(_ entry: borrowing Entry, _ sequence: UInt64) throws(CairnError)
    -> EventRow.Front?
  {
    guard entry.key.byteCount == EventRow.keyByteCount, entry.key.loadBigEndian64(at: 0) == sequence
    else { return nil }
    let front = try EventRow.Front(entry.value, sequence: sequence)
    guard let live = front.live else { return front }
    let start = bytes.count
    bytes.append(entry.value.extracting(live.payloadOffset..<entry.value.byteCount))
    payloads.append(start..<bytes.count)
    return front
  }

  /// Adds the event whose first payload bytes were kept.
  private mutating func complete(
    _ header: EventHeader, _ live: EventRow.Live, _ cursor: inout Cursor
  ) throws(CairnError) {
    let place = payloads[payloads.count - 1]
    if place.count < live.payloadByteCount {
      var payload = Array(bytes[place])
      try EventReader.appendParts(
        to: &payload, of: header.sequence, byteCount: live.payloadByteCount, &cursor)
      bytes.removeSubrange(place)
      bytes.append(contentsOf: payload)
      payloads[payloads.count - 1] = place.lowerBound..<bytes.count
    }
    isLaidOut.append(laysOut && live.facts.schema == EventSchema.current && layOut())
    if layouts.count < isLaidOut.count { layouts.append(EventLayout()) }
    events.append(StoredEvent(header, live.facts, payload: []))
  }

  /// Lays out the last payload; whether it could.
  private mutating func layOut() -> Bool {
    guard let layout = try? EventLayout(bytes, payloads[payloads.count - 1]) else { return false }
    layouts.append(layout)
    return true
  }
}
