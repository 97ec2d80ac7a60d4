import Events
import HashTree
import LMDB

/// The state of a verification between its read transactions.
struct Verifier: ~Copyable {
  private let reader: EventReader
  private let head: HeadRow
  private(set) var report: VerifyReport
  /// The sequence to look at next.
  private(set) var next: UInt64 = 1

  /// `nil` once a leaf is unknown: nothing can be said of the tree to its right.
  private var frontier: Frontier?
  private var commitment = Commitment()
  private var lastRecorded: Timestamp?
  /// Sum of a mix of (id, sequence) over live events, to compare with the ids table.
  private var idDigest: UInt64 = 0

  init(reader: EventReader, head: HeadRow) {
    self.reader = reader
    self.head = head
    report = VerifyReport(
      head: EventLog.Head(sequence: head.size, recorded: head.recorded, root: head.root)
    )
  }

  /// Takes the tree left of the range from its stored nodes.
  mutating func begin(at first: UInt64, in txn: borrowing ReadTransaction) throws(StorageError) {
    next = first
    let size = min(first - 1, head.size)
    do throws(StorageError) {
      frontier = try Frontier(size: size) { (level, index) throws(StorageError) in
        try self.reader.node(level, index, in: txn)
      }
    } catch {
      try note(error, table: "tree")
    }
  }

  /// Looks at some thousand events.
  mutating func advance(
    through last: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) {
    let end = min(last, next + LogLimits.pageVisitCount - 1)
    while next <= end {
      do throws(StorageError) {
        try scan(through: end, in: txn)
      } catch {
        guard error.code == .corrupt || error.code == .unsupportedFormat else { throw error }
        report.add(error.message, sequence: next)
        frontier = nil
        next += 1
      }
    }
  }

  /// Looks at events until one cannot be read, which is then `next`.
  private mutating func scan(
    through end: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) {
    var cursor = try txn.cursor(reader.tables.events)
    let first = next
    while next <= end {
      guard let part = try reader.firstPart(&cursor, isSought: next == first, next) else {
        throw StorageError(.corrupt, "the event is missing")
      }
      if part.front.purge == nil {
        var payload = part.payload
        try reader.appendParts(to: &payload, part.front, &cursor)
        check(part.front, payload)
      } else {
        report.erased += 1
      }
      try extend(part.front.header, in: txn)
      next += 1
    }
  }

  private mutating func check(_ front: EventRow.Front, _ payload: [UInt8]) {
    report.events += 1
    guard let recorded = front.recorded, let salt = front.salt else { return }
    let expected = commitment(
      salt: salt,
      payload: payload.rawSpan,
      recorded: recorded,
      ownTime: front.ownTime
    )
    if expected != front.header.commitment {
      report.add("the content is not what the header commits to", sequence: next)
    }
    if let lastRecorded, recorded < lastRecorded {
      report.add("recorded before an earlier event", sequence: next)
    }
    lastRecorded = recorded
    idDigest &+= Verifier.mix(front.header.id, next)
  }

  /// Adds the leaf to the tree and compares the stored nodes that it completes.
  private mutating func extend(
    _ header: EventHeader,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) {
    guard var frontier else { return }
    self.frontier = nil
    var completed: [TreeNode] = []
    frontier.append(header.leafHash) { (level, index, hash) throws(Never) in
      guard TreeNode.isStored(level) else { return }
      completed.append(TreeNode(level: UInt8(level), index: index, hash: hash))
    }
    self.frontier = frontier
    for node in completed {
      do throws(StorageError) {
        let stored = try reader.node(Int(node.level), node.index, in: txn)
        if stored != node.hash {
          let width = UInt64(1) << UInt64(node.level)
          let first = node.index * width + 1
          report.add(
            "events \(first) to \(first + width - 1) do not hash to their node",
            table: "tree"
          )
        }
      } catch {
        try note(error, table: "tree")
      }
    }
  }

  /// Compares the tree with the head.
  mutating func checkRoot() {
    if head.frontier.root != head.root {
      report.add("the head's root does not follow from its tree", table: "meta")
    }
    guard let frontier else { return }
    if frontier != head.frontier {
      report.add("the events do not hash to the head's root", table: "meta")
    }
  }

  /// Checks the rows that do not belong to one event.
  mutating func checkOtherTables(
    comparingIDs: Bool,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) {
    var digest: UInt64 = 0
    let tables = reader.tables
    let idsAreRead = try walk(tables.ids, named: "ids", in: txn) {
      (key, value) throws(StorageError) in
      var id = ByteReader(key)
      var sequence = ByteReader(value)
      digest &+= Verifier.mix(try EventID(&id), try sequence.readBigEndian64())
    }
    if comparingIDs, idsAreRead, report.isSound, digest != idDigest {
      report.add("the ids are not those of the live events", table: "ids")
    }
    if try txn.count(tables.tree) != EventReader.nodeCount(size: head.size), comparingIDs {
      report.add("there are too many or too few nodes", table: "tree")
    }
    _ = try walk(tables.tree, named: "tree", in: txn) { (_, _) throws(StorageError) in }
    _ = try walk(tables.meta, named: "meta", in: txn) { (_, _) throws(StorageError) in }
    _ = try walk(tables.snapshots, named: "snapshots", in: txn) { (_, value) throws(StorageError) in
      _ = try NamedPoint(name: "", value)
    }
  }

  /// Visits all rows of a table; false when one could not be read.
  private mutating func walk(
    _ table: Table,
    named name: String,
    in txn: borrowing ReadTransaction,
    _ body: (RawSpan, RawSpan) throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    do throws(StorageError) {
      try EventReader.walk(table, in: txn) { (key, value) throws(StorageError) in
        try body(key, value)
        return true
      }
      return true
    } catch {
      try note(error, table: name)
      return false
    }
  }

  private mutating func note(_ error: StorageError, table: String) throws(StorageError) {
    guard error.code == .corrupt || error.code == .unsupportedFormat else { throw error }
    report.add(error.message, table: table)
  }

  /// A 64-bit mix whose sum over a set tells sets apart (the finaliser of SplitMix64).
  private static func mix(_ id: EventID, _ sequence: UInt64) -> UInt64 {
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
  /// How many node rows a tree of this size has.
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
