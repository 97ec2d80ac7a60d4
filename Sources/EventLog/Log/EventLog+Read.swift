package import Events
import LMDB

extension EventLog {
  /// Visits the live events of a range in order, payloads in the current schema.
  ///
  /// Events are copied out of short read transactions, so the body may take its time, append, or
  /// read. Appends made meanwhile are visited when they lie within the range. An event
  /// erased meanwhile may still be visited. The body returns whether to go on.
  /// - Throws: `.corrupt` naming the event; what `body` throws.
  package func read(
    from first: UInt64 = 1, through last: UInt64 = .max,
    _ body: (borrowing StoredEvent) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var page = EventPage(laysOut: false)
    var next: UInt64? = max(1, first)
    while let start = next, start <= last {
      next = try fill(&page, from: start, through: last)
      for index in page.events.indices {
        guard try body(event(index, of: page)) else { return }
      }
    }
  }

  /// Visits the live events of a range in order, as ``read(from:through:_:)`` does, without memory
  /// of its own for each payload.
  ///
  /// The body gets each event without its payload, a buffer, and where its fields stand in that.
  /// - Throws: `.corrupt` naming the event; what `body` throws.
  package func scan(
    from first: UInt64 = 1, through last: UInt64 = .max,
    _ body: (_ event: borrowing StoredEvent, _ buffer: [UInt8], _ layout: borrowing EventLayout)
      throws(CairnError) -> Bool
  ) throws(CairnError) {
    var page = EventPage()
    var next: UInt64? = max(1, first)
    while let start = next, start <= last {
      next = try fill(&page, from: start, through: last)
      guard try visit(page, body) else { return }
    }
  }

  /// Fills a page that was used before with live events.
  /// - Returns: The sequence to go on with, or nil when there is nothing more up to `last`.
  private func fill(_ page: inout EventPage, from first: UInt64, through last: UInt64)
    throws(CairnError) -> UInt64?
  {
    page.removeAll()
    return try environment.read { (txn) throws(CairnError) in
      try page.fill(from: first, through: last, reader, in: txn)
    }
  }

  private func visit(
    _ page: borrowing EventPage,
    _ body: (_ event: borrowing StoredEvent, _ buffer: [UInt8], _ layout: borrowing EventLayout)
      throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    let events = page.events.span
    let layouts = page.layouts.span
    for index in events.indices {
      if page.isLaidOut[index] {
        guard try body(events[index], page.bytes, layouts[index]) else { return false }
      } else {
        let event = try self.event(index, of: page)
        guard try body(event, event.payload, try event.layout()) else { return false }
      }
    }
    return true
  }

  /// An event of a page with its payload in the current schema.
  private func event(_ index: Int, of page: borrowing EventPage) throws(CairnError) -> StoredEvent {
    var event = page.events[index]
    event.payload = Array(page.bytes[page.payloads[index]])
    return event.schema < EventSchema.current ? try current(event) : event
  }

  /// One live event, its payload in the current schema.
  ///
  /// `nil` for an erased one, for 0 and beyond the head.
  /// - Throws: `.corrupt` naming the event.
  /// - Complexity: O(log n), some microseconds.
  package func event(at sequence: UInt64) throws(CairnError) -> StoredEvent? {
    let stored = try environment.read { (txn) throws(CairnError) in
      try self.reader.event(at: sequence, in: txn)
    }
    guard let stored else { return nil }
    return stored.schema < EventSchema.current ? try current(stored) : stored
  }

  /// Visits the live events of some sequences, which ascend; the body is to be short, as the log is
  /// being read meanwhile.
  /// - Throws: `.corrupt` naming the event; what `body` throws.
  /// - Complexity: O(log n) each, less where they stand side by side.
  package func forEachEvent(
    of sequences: some Sequence<UInt64>, _ body: (StoredEvent) throws(CairnError) -> Void
  ) throws(CairnError) {
    try environment.read { (txn) throws(CairnError) in
      var cursor = try txn.cursor(self.reader.tables.events)
      for sequence in sequences {
        guard let stored = try self.reader.event(at: sequence, &cursor) else { continue }
        try body(stored.schema < EventSchema.current ? try current(stored) : stored)
      }
    }
  }

  /// Visits how many bytes the payloads of the live events of a range take, in order.
  /// - Throws: `.corrupt` naming the event.
  /// - Complexity: O(events), some 100 ns each.
  package func forEachByteCount(
    from first: UInt64, through last: UInt64, _ body: (_ sequence: UInt64, _ count: Int) -> Void
  ) throws(CairnError) {
    try environment.read { (txn) throws(CairnError) in
      let end = min(last, try self.reader.head(in: txn).size)
      try self.reader.forEachFront(from: first, through: end, in: txn) { front in
        if let live = front.live { body(front.header.sequence, live.payloadByteCount) }
        return true
      }
    }
  }

  package func sequence(of id: EventID) throws(CairnError) -> UInt64? {
    try environment.read { (txn) throws(CairnError) in try self.reader.sequence(of: id, in: txn) }
  }

  /// The exact bytes of a leaf, of an erased event too; `nil` for 0 and beyond the head.
  package func leaf(at sequence: UInt64) throws(CairnError) -> [UInt8]? {
    try environment.read { (txn) throws(CairnError) in
      try self.reader.header(at: sequence, in: txn)?.bytes
    }
  }

  /// The event with its payload in the current schema.
  package func current(_ event: StoredEvent) throws(CairnError) -> StoredEvent {
    do throws(CairnError) {
      let payload = try upcasters.upcast(event.payload, kind: event.kind, schema: event.schema)
      var result = event
      result.payload = payload ?? []
      result.schema = EventSchema.current
      return result
    } catch {
      throw CairnError(
        .corrupt, "the event's payload cannot be brought to schema \(EventSchema.current)",
        place: EventReader.place(event.sequence))
    }
  }
}
