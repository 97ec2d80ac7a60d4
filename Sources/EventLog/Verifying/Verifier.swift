import Events
import HashTree
import LMDB

struct RangeResult: Sendable {
  var report: VerifyReport
  var firstRecorded: Timestamp?
  var lastRecorded: Timestamp?
  /// Sum of a mix of (id, sequence) over live events with given ids, to compare with the ids table.
  var idDigest: UInt64 = 0

  /// Counts the next live event; false when it was recorded before an earlier one.
  mutating func count(_ sequence: UInt64, _ facts: EventFacts) -> Bool {
    report.events += 1
    let recorded = facts.recorded
    let isInOrder = lastRecorded.map { $0 <= recorded } ?? true
    if firstRecorded == nil { firstRecorded = recorded }
    lastRecorded = recorded
    if !facts.hasGeneratedID { idDigest &+= Verifier.mix(facts.id, sequence) }
    return isInOrder
  }

  /// Adds what the range after this one gave; `first` is its first sequence.
  mutating func append(_ next: RangeResult, from first: UInt64) {
    report.append(next.report)
    if let last = lastRecorded, let following = next.firstRecorded, following < last {
      report.add("recorded before an earlier event", sequence: first)
    }
    firstRecorded = firstRecorded ?? next.firstRecorded
    lastRecorded = next.lastRecorded ?? lastRecorded
    idDigest &+= next.idDigest
  }
}

/// The state of the verification of a range between its read transactions.
struct Verifier: ~Copyable {
  let reader: EventReader
  private let head: HeadRow
  var result: RangeResult
  /// The sequence to look at next.
  var next: UInt64 = 1

  /// `nil` once a leaf is unknown: nothing can be said of the tree to its right.
  private var compactRange: CompactRange?
  /// Whether a damaged node was met in this transaction.
  private var isSpoilt = false

  init(reader: EventReader, head: HeadRow) {
    self.reader = reader
    self.head = head
    result = RangeResult(report: VerifyReport(head: EventLog.Head(head)))
  }

  /// Takes the tree left of the range from its stored nodes.
  mutating func begin(at first: UInt64, in txn: borrowing ReadTransaction) throws(CairnError) {
    next = first
    do throws(CairnError) {
      compactRange = try reader.compactRange(size: min(first - 1, head.size), in: txn)
    } catch { try note(error) }
  }

  /// Looks at some thousand events, fewer when it meets damage.
  ///
  /// A transaction that met a damaged page is good for nothing more: the next call needs another.
  mutating func advance(through last: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
  {
    let end = min(last, next + LogLimits.pageVisitCount - 1)
    isSpoilt = false
    do throws(CairnError) { try scan(through: end, in: txn) } catch {
      guard error.isDamage else { throw error }
      result.report.add(error.message, sequence: next)
      compactRange = nil
      next += 1
    }
  }

  /// Looks at events until one cannot be read, which is then `next`.
  private mutating func scan(through end: UInt64, in txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    var cursor = try txn.cursor(reader.tables.events)
    let first = next
    while next <= end, !isSpoilt {
      let found = try next == first ? look(cursor.seek(EventRow.key(next))) : look(cursor.next())
      guard let found else { throw CairnError(.corrupt, "the event is missing") }
      if var first = found.firstPart {
        try EventReader.appendParts(
          to: &first.payload, of: next, byteCount: first.live.payloadByteCount, &cursor)
        check(first.live, first.header, first.facts.rawSpan, first.payload.rawSpan)
      }
      try extend(found.leaf, in: txn)
      next += 1
    }
  }

  /// What a first part gave.
  private struct Look {
    var leaf: Hash32
    /// Its bytes when there are more in further parts; else the event is checked already.
    var firstPart: FirstPart?
  }

  private struct FirstPart {
    var header: EventHeader
    var live: EventRow.Live
    var facts: [UInt8]
    var payload: [UInt8]
  }

  /// Checks a first part where it lies; `nil` when it is not that of `next`.
  private mutating func look(_ entry: Entry?) throws(CairnError) -> Look? {
    guard let entry, entry.key.byteCount == EventRow.keyByteCount,
      entry.key.loadBigEndian64(at: 0) == next
    else { return nil }
    let front = try EventRow.Front(entry.value, sequence: next)
    let header = entry.value.extracting(1..<1 + front.header.byteCount)
    var found = Look(leaf: HashTree.leaf(header))
    guard let live = front.live else {
      result.report.erased += 1
      return found
    }
    let facts = entry.value.extracting(live.factsRange)
    let payload = entry.value.extracting(live.payloadOffset..<entry.value.byteCount)
    if payload.byteCount < live.payloadByteCount {
      found.firstPart = FirstPart(
        header: front.header, live: live, facts: facts.array(), payload: payload.array())
    } else {
      check(live, front.header, facts, payload)
    }
    return found
  }

  private mutating func check(
    _ live: EventRow.Live, _ header: EventHeader, _ facts: RawSpan, _ payload: RawSpan
  ) {
    if !live.isCommitted(by: header, facts, payload) {
      result.report.add("the content is not what the header commits to", sequence: next)
    }
    if !result.count(next, live.facts) {
      result.report.add("recorded before an earlier event", sequence: next)
    }
  }

  /// Adds a leaf to the tree and compares the stored nodes that it completes.
  private mutating func extend(_ leaf: Hash32, in txn: borrowing ReadTransaction) throws(CairnError)
  {
    guard var compactRange else { return }
    self.compactRange = nil
    let completed = TreeNode.completed(by: leaf, in: &compactRange)
    self.compactRange = compactRange
    for node in completed {
      do throws(CairnError) {
        let stored = try reader.node(Int(node.level), node.index, in: txn)
        if stored != node.hash {
          let width = UInt64(1) << UInt64(node.level)
          let first = node.index * width + 1
          result.report.add(
            "events \(first) to \(first + width - 1) do not hash to their node", table: "tree")
        }
      } catch { try note(error) }
    }
  }

  /// Compares the tree at the end of the range with what is stored: the head, or the nodes from
  /// which a verification of what follows begins.
  mutating func checkEnd(in txn: borrowing ReadTransaction) throws(CairnError) {
    if head.compactRange.root != head.root {
      result.report.add("the head's root does not follow from its tree", table: "head")
    }
    guard let compactRange else { return }
    if compactRange.size == head.size {
      if compactRange != head.compactRange {
        result.report.add("the events do not hash to the head's root", table: "head")
      }
      return
    }
    do throws(CairnError) {
      if try reader.compactRange(size: compactRange.size, in: txn) != compactRange {
        result.report.add("the events do not hash to the stored nodes", table: "tree")
      }
    } catch { try note(error) }
  }

  private mutating func note(_ error: CairnError) throws(CairnError) {
    guard error.isDamage else { throw error }
    isSpoilt = true
    result.report.add(error.message, table: "tree")
  }

  /// A 64-bit mix whose sum over a set tells sets apart (the finaliser of SplitMix64).
  static func mix(_ id: EventID, _ sequence: UInt64) -> UInt64 {
    var value = id.high &+ 0x9e37_79b9_7f4a_7c15
    for word in [id.low, sequence] {
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      value = (value ^ (value >> 31)) ^ word
    }
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    return value ^ (value >> 27)
  }
}

extension EventReader {
  static func nodeCount(size: UInt64) -> Int {
    var count: UInt64 = 0
    var level = TreeNode.levelStride
    while level < UInt64.bitWidth, size >> UInt64(level) > 0 {
      count += size >> UInt64(level)
      level += TreeNode.levelStride
    }
    return Int(count)
  }
}
