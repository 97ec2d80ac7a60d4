internal import LMDB
internal import Text

/// Where a walk over the dictionary goes on.
enum TermStep {
  case next
  /// At the first term that is not below this key.
  case seek([UInt8])
  case stop
}

extension IndexTables {
  /// The two rows of a term: that of the dictionary, and that of postings not in its list yet.
  typealias TermVisit = (_ key: RawSpan, _ stored: RawSpan?, _ delta: RawSpan?)
    throws(CairnError) -> TermStep

  /// Visits all merged terms from a key on in byte order, whichever of the two rows they have.
  /// - Complexity: O(terms visited), O(log n) for each that is sought.
  func walkTerms(from start: [UInt8], _ txn: borrowing ReadTransaction, _ body: TermVisit)
    throws(CairnError)
  {
    var rows = try txn.cursor(terms, keepsPages: true)
    var deltaRows = try txn.cursor(delta, keepsPages: true)
    var ahead = DeltaAhead()
    var step = TermStep.seek(start)
    while true {
      let following: TermStep
      switch step {
      case .stop: return
      case .seek(let target):
        try ahead.seek(&deltaRows, target)
        if let row = try rows.seek(target) {
          following = try ahead.visit(row, &deltaRows, body)
        } else {
          following = try ahead.visitRest(&deltaRows, body)
        }
      case .next:
        if let row = try rows.next() {
          following = try ahead.visit(row, &deltaRows, body)
        } else {
          following = try ahead.visitRest(&deltaRows, body)
        }
      }
      step = following
    }
  }

  /// Visits the merged terms of a space that begin so, in byte order, at most
  /// `IndexLimits.prefixTermCount`.
  func walkTerms(
    _ space: TermSpace, _ prefix: [UInt8], _ txn: borrowing ReadTransaction,
    _ body: (_ isLonger: Bool, _ stored: RawSpan?, _ delta: RawSpan?) throws(CairnError) -> Void
  ) throws(CairnError) {
    let key = [space.rawValue] + prefix
    var count = 0
    try walkTerms(from: key, txn) { (name, stored, delta) throws(CairnError) in
      guard name.hasPrefix(key.rawSpan) else { return .stop }
      try body(name.byteCount > key.count, stored, delta)
      count += 1
      return count < IndexLimits.prefixTermCount ? .next : .stop
    }
  }

  /// What is known of one merged term.
  func entry(_ key: [UInt8], _ txn: borrowing ReadTransaction) throws(CairnError)
    -> DictionaryEntry?
  { try DictionaryEntry(stored: txn.get(terms, key), delta: txn.get(delta, key)) }
}

/// The next delta row of a walk: read ahead, as its turn comes between two of the dictionary.
private struct DeltaAhead {
  private var key: [UInt8] = []
  private var value: [UInt8] = []
  private var isAtEnd = false

  mutating func seek(_ rows: inout Cursor, _ target: [UInt8]) throws(CairnError) {
    if isAtEnd { return }
    // An empty key is before the first move.
    if !key.isEmpty, !key.rawSpan.lexicographicallyPrecedes(target.rawSpan) { return }
    if let row = try rows.seek(target) { take(row) } else { isAtEnd = true }
  }

  private mutating func advance(_ rows: inout Cursor) throws(CairnError) {
    if let row = try rows.next() { take(row) } else { isAtEnd = true }
  }

  private mutating func take(_ row: borrowing Entry) {
    key.removeAll(keepingCapacity: true)
    key.append(row.key)
    value.removeAll(keepingCapacity: true)
    value.append(row.value)
  }

  /// Visits a term of the dictionary, after those that only delta row have before it.
  mutating func visit(_ row: borrowing Entry, _ rows: inout Cursor, _ body: IndexTables.TermVisit)
    throws(CairnError) -> TermStep
  {
    while !isAtEnd, key.rawSpan.lexicographicallyPrecedes(row.key) {
      let step = try body(key.rawSpan, nil, value.rawSpan)
      guard case .next = step else { return step }
      try advance(&rows)
    }
    guard !isAtEnd, row.key.equals(key.rawSpan) else { return try body(row.key, row.value, nil) }
    let step = try body(row.key, row.value, value.rawSpan)
    try advance(&rows)
    return step
  }

  /// Visits the terms behind all of the dictionary.
  mutating func visitRest(_ rows: inout Cursor, _ body: IndexTables.TermVisit) throws(CairnError)
    -> TermStep
  {
    while !isAtEnd {
      let step = try body(key.rawSpan, nil, value.rawSpan)
      guard case .next = step else { return step }
      try advance(&rows)
    }
    return .stop
  }
}
