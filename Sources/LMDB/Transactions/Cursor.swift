import CLMDB
import CPageGuard

/// One row as a cursor lends it: valid until the cursor moves.
package struct Entry: ~Escapable {
  package let key: RawSpan
  /// The value's bytes, checksum verified and taken off.
  package let value: RawSpan

  @_lifetime(copy key, copy value) init(key: RawSpan, value: RawSpan) {
    self.key = key
    self.value = value
  }
}

/// A place between or on the rows of a table, in key order.
///
/// Each move checks the checksum of the row it lands on, throws `.corrupt` when it does not match,
/// and returns nil when there is no row on that side.
@safe package struct Cursor: ~Copyable, ~Escapable {
  private let raw: OpaquePointer
  private let table: Table
  private let environment: Environment
  private let notesLookups: Bool
  private let cancellation: Cancellation?
  /// Whether what it passes is likely to be asked for again, and does not add up.
  private let keepsPages: Bool
  /// Where in memory the row lies whose lookup was noted last.
  private var lookupPlace: UInt = 0
  /// Bytes of rows passed and not noted.
  private var passedByteCount = 0
  /// Short walks, which are most, note nothing: what all threads share costs all of them.
  private static let notedByteCount = 1 << 18

  @_lifetime(borrow transaction) init(
    _ transaction: borrowing ReadTransaction, _ table: Table, keepsPages: Bool
  ) throws(CairnError) {
    environment = transaction.environment
    notesLookups = transaction.notesLookups
    cancellation = transaction.cancellation
    self.keepsPages = keepsPages
    self.table = table
    let opened = try unsafe transaction.openCursor(table)
    unsafe raw = opened
  }

  deinit {
    unsafe mdb_cursor_close(raw)
    if passedByteCount >= Self.notedByteCount / 4 { environment.notePassed(passedByteCount) }
  }

  @_lifetime(&self) package mutating func last() throws(CairnError) -> Entry? {
    try move(MDB_LAST)
  }

  /// The row after this one; the first for a fresh cursor.
  /// - Complexity: O(1) amortised. (`MDB_NEXT`)
  @_lifetime(&self) package mutating func next() throws(CairnError) -> Entry? {
    try move(MDB_NEXT)
  }

  /// The row before this one; the last for a fresh cursor.
  @_lifetime(&self) package mutating func previous() throws(CairnError) -> Entry? {
    try move(MDB_PREV)
  }

  /// The first row whose key is `key` or greater.
  /// - Complexity: O(log n). (`MDB_SET_RANGE`)
  @_lifetime(&self) package mutating func seek(_ atLeastKey: RawSpan) throws(CairnError) -> Entry? {
    try unsafe entry(search(atLeastKey))
  }

  /// The first row whose key is `key` or greater; see the other overload.
  @_lifetime(&self) package mutating func seek(_ atLeastKey: [UInt8]) throws(CairnError) -> Entry? {
    try unsafe entry(search(atLeastKey.rawSpan))
  }

  /// The first row whose key is `key` or greater, where the answer hangs on which one that is.
  ///
  /// A row whose key is damaged, but still in order, stays where it was: a search for the right key
  /// ends at it or right behind it. So the row before is checked as well.
  /// - Complexity: O(log n).
  @_lifetime(&self) package mutating func find(_ key: [UInt8]) throws(CairnError) -> Entry? {
    let isPastEnd = try seek(key) == nil
    if isPastEnd {
      _ = try move(MDB_LAST)
      return nil
    }
    let isFirst = try move(MDB_PREV) == nil
    return try move(isFirst ? MDB_FIRST : MDB_NEXT)
  }

  /// The last row whose key is `key` or smaller.
  /// - Complexity: O(log n).
  @_lifetime(&self) package mutating func seek(atMost key: RawSpan) throws(CairnError) -> Entry? {
    let side: Side
    if let found = try seek(key) {
      side = found.key.equals(key) ? .here : .before
    } else {
      side = .last
    }
    switch side {
    case .here: return try move(MDB_GET_CURRENT)
    case .before: return try move(MDB_PREV)
    case .last: return try move(MDB_LAST)
    }
  }

  private enum Side { case here, before, last }

  /// Where a move of the LMDB cursor ended.
  @unsafe private struct Step {
    var status: CInt = 0
    var key = unsafe MDB_val()
    var data = unsafe MDB_val()
  }

  private mutating func search(_ atLeastKey: RawSpan) -> Step {
    // LMDB has no empty keys and refuses to look for one.
    guard atLeastKey.byteCount > 0 else { return unsafe step(MDB_FIRST) }
    var step = unsafe Step()
    unsafe step.status = unsafe atLeastKey.withUnsafeBytes { bytes in
      unsafe step.key = MDB_val(lending: bytes)
      return unsafe move(&step, MDB_SET_RANGE)
    }
    return unsafe step
  }

  private func move(_ step: inout Step, _ operation: MDB_cursor_op) -> CInt {
    unsafe cairn_guarded_move(
      UnsafeMutableRawPointer(raw), &step.key, &step.data, CInt(operation.rawValue))
  }

  private func step(_ operation: MDB_cursor_op) -> Step {
    var step = unsafe Step()
    unsafe step.status = unsafe move(&step, operation)
    return unsafe step
  }

  @_lifetime(&self) private mutating func move(_ operation: MDB_cursor_op) throws(CairnError)
    -> Entry?
  { try unsafe entry(step(operation)) }

  @_lifetime(&self) private mutating func entry(_ step: Step) throws(CairnError) -> Entry? {
    try cancellation?.check()
    if unsafe step.status == MDB_NOTFOUND { return nil }
    guard unsafe step.status == 0 else {
      throw unsafe environment.error(step.status, doing: "move a cursor", in: table)
    }
    let key = unsafe RawSpan(_unsafeBytes: step.key.bytes)
    let value = try unsafe environment.unsealed(step.data, key: key, table)
    if notesLookups {
      let place = unsafe UInt(bitPattern: step.data.mv_data)
      // From the one noted last: many small steps go as far as a large one.
      let distance = max(place, lookupPlace) - min(place, lookupPlace)
      if distance > Environment.mappedAroundByteCount {
        environment.noteLookup()
        lookupPlace = place
      }
    } else if !keepsPages {
      passedByteCount += unsafe step.key.mv_size + step.data.mv_size
    }
    if passedByteCount >= Self.notedByteCount {
      environment.notePassed(passedByteCount)
      passedByteCount = 0
    }
    // SAFETY: the row stays in place until the cursor moves or the transaction changes, and
    // both need exclusive access while the entry is alive.
    return unsafe _overrideLifetime(
      Entry(key: key, value: RawSpan(_unsafeBytes: value)), mutating: &self)
  }
}
