package import LMDB

extension EventLog {
  /// What is left of an erased event; `nil` for a live one, for 0 and beyond the head.
  package func stub(at sequence: UInt64) throws(CairnError) -> ErasedStub? {
    try environment.read { (txn) throws(CairnError) in
      try self.reader.front(of: sequence, in: txn)?.stub
    }
  }

  /// Visits what is left of the erased events up to a sequence, in order.
  /// - Throws: `.corrupt` naming the event; what `body` throws.
  /// - Complexity: O(events), some 100 ns each.
  package func forEachStub(
    through last: UInt64 = .max, _ body: (ErasedStub) throws(CairnError) -> Void
  ) throws(CairnError) {
    var next: UInt64? = 1
    while let start = next {
      var page: [ErasedStub] = []
      next = try environment.read { (txn) throws(CairnError) -> UInt64? in
        let end = min(last, try self.reader.head(in: txn).size)
        guard start <= end else { return nil }
        let pageEnd = min(end, start + LogLimits.pageVisitCount - 1)
        try self.reader.forEachFront(from: start, through: pageEnd, in: txn) { front in
          if let stub = front.stub { page.append(stub) }
          return true
        }
        return pageEnd + 1
      }
      for stub in page { try body(stub) }
    }
  }

  /// How many erased events still have their id: those whose header is of version 1.
  /// - Complexity: O(events of format 1), which all come before those of format 2.
  package func erasedIDCount() throws(CairnError) -> UInt64 {
    var count: UInt64 = 0
    var next: UInt64? = 1
    while let start = next {
      next = try environment.read { (txn) throws(CairnError) -> UInt64? in
        let end = min(try self.reader.head(in: txn).size, start + LogLimits.pageVisitCount - 1)
        guard start <= end else { return nil }
        var isFirst = true
        try self.reader.forEachFront(from: start, through: end, in: txn) { front in
          isFirst = front.header.first != nil
          if isFirst, front.purge != nil { count += 1 }
          return isFirst
        }
        return isFirst ? end + 1 : nil
      }
    }
    return count
  }
}

extension EventReader {
  /// Visits the first parts of a range of events, until the body returns false.
  /// - Throws: `.corrupt` where an event of the range is missing.
  func forEachFront(
    from first: UInt64, through last: UInt64, in txn: borrowing ReadTransaction,
    _ body: (EventRow.Front) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var sequence = first
    try txn.scan(tables.events, from: EventRow.key(first)) {
      (key, value) throws(CairnError) in
      guard key.byteCount == EventRow.keyByteCount, sequence <= last else { return false }
      // A further part of the event before.
      if key.loadBigEndian16(at: 8) > 0, key.loadBigEndian64(at: 0) &+ 1 == sequence { return true }
      guard key.loadBigEndian64(at: 0) == sequence else { throw EventReader.gap(at: sequence) }
      sequence += 1
      return try body(try EventRow.Front(value, sequence: sequence - 1))
    }
  }

  /// When the last live event up to a sequence was recorded; `nil` when there is none.
  /// - Complexity: one row, and one for each erased event in between.
  func recorded(through sequence: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
    -> Timestamp?
  {
    var sequence = sequence
    while sequence > 0 {
      guard let front = try front(of: sequence, in: txn) else {
        throw EventReader.gap(at: sequence)
      }
      if let live = front.live { return live.facts.recorded }
      sequence -= 1
    }
    return nil
  }
}

extension EventRow.Front {
  /// What is left of the event when it is erased.
  var stub: ErasedStub? { purge.map { ErasedStub(header: header, purge: $0) } }
}
