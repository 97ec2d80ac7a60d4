import Events
import HashTree
import LMDB

/// Events that make a subtree, whose hashes are made together.
struct EventGroup: ~Copyable {
  /// The level of the subtree, one that is stored.
  static let level = 2 * TreeNode.levelStride
  static let eventCount: UInt64 = 1 << UInt64(level)

  private var leaves = MessageBatch()
  private var contents = MessageBatch()
  private var commitment = Commitment()
  private var committed: [(salt: Hash32, commitment: Hash32)] = []
  private var hashes: [Hash32] = []

  mutating func removeAll() {
    leaves.removeAll()
    contents.removeAll()
    committed.removeAll(keepingCapacity: true)
  }

  /// Adds the leaf of the next event.
  mutating func addLeaf(_ header: RawSpan) { HashTree.addLeaf(header, to: &leaves) }

  /// Adds the content of the next live event.
  mutating func addContent(
    _ payload: RawSpan, _ salt: Hash32, _ recorded: Timestamp, _ front: EventRow.Front
  ) {
    committed.append((salt, front.header.commitment))
    commitment.addInner(
      to: &contents, salt: salt, payload: payload, recorded: recorded, ownTime: front.ownTime)
  }

  /// Whether each content is what its header commits to.
  mutating func areContentsSound() -> Bool {
    contents.hash(into: &hashes)
    contents.removeAll()
    for (inner, event) in zip(hashes, committed) {
      Commitment.addOuter(to: &contents, salt: event.salt, inner: inner)
    }
    contents.hash(into: &hashes)
    return hashes.count == committed.count
      && zip(hashes, committed).allSatisfy { $0 == $1.commitment }
  }

  /// The stored nodes of the subtree that begins at a leaf, lowest first; the last one is its root.
  mutating func nodes(from leaf: UInt64) -> [TreeNode] {
    var nodes: [TreeNode] = []
    leaves.hash(into: &hashes)
    for level in 1...Self.level {
      HashTree.makeParents(of: &hashes, &leaves)
      guard TreeNode.isStored(level) else { continue }
      for (offset, hash) in hashes.enumerated() {
        let index = leaf >> UInt64(level) + UInt64(offset)
        nodes.append(TreeNode(level: UInt8(level), index: index, hash: hash))
      }
    }
    return nodes
  }
}

extension Verifier {
  /// Whether a group begins here that ends at `end` or before.
  func isBeforeGroup(through end: UInt64) -> Bool {
    next > singleEnd && (next - 1) % EventGroup.eventCount == 0
      && end - next >= EventGroup.eventCount - 1 && frontier != nil
  }

  /// Looks at a group of events.
  ///
  /// - Returns: False when something is wrong with one of them: then nothing was reported, and each
  ///   has to be looked at by itself, in a new transaction, as this one may have met a damaged page.
  mutating func lookAtGroup(
    _ cursor: inout Cursor, isSought: Bool, in txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool {
    do throws(StorageError) {
      if try isGroupSound(&cursor, isSought: isSought, in: txn) { return true }
    } catch { guard error.isDamage else { throw error } }
    singleEnd = next + EventGroup.eventCount - 1
    return false
  }

  private mutating func isGroupSound(
    _ cursor: inout Cursor, isSought: Bool, in txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool {
    guard var frontier else { return false }
    var result = result
    let first = next
    group.removeAll()
    for sequence in first..<first + EventGroup.eventCount {
      let found =
        try isSought && sequence == first
        ? add(cursor.seek(EventRow.key(sequence)), sequence, &result)
        : add(cursor.next(), sequence, &result)
      switch found {
      case .whole: continue
      case .wrong: return false
      case .begun(let front, var payload):
        try EventReader.appendParts(to: &payload, front, &cursor)
        guard addContent(payload.rawSpan, front, &result) else { return false }
      }
    }
    guard group.areContentsSound() else { return false }
    var nodes = group.nodes(from: first - 1)
    guard let root = nodes.last else { return false }
    frontier.append(subtree: root.hash, level: EventGroup.level) {
      (level, index, hash) throws(Never) in
      guard TreeNode.isStored(level) else { return }
      nodes.append(TreeNode(level: UInt8(level), index: index, hash: hash))
    }
    guard try areStored(nodes, in: txn) else { return false }
    self.frontier = frontier
    self.result = result
    next = first + EventGroup.eventCount
    return true
  }

  /// What there is of an event in its first row.
  private enum FirstRow {
    case whole
    /// The payload's first bytes: more are in further rows.
    case begun(EventRow.Front, [UInt8])
    case wrong
  }

  private mutating func add(_ entry: Entry?, _ sequence: UInt64, _ result: inout RangeResult)
    throws(StorageError) -> FirstRow
  {
    guard let entry, entry.key.byteCount == EventRow.keyByteCount,
      entry.key.loadBigEndian64(at: 0) == sequence
    else { return .wrong }
    entry.prefetchPageAfter()
    let front = try EventRow.Front(entry.value, sequence: sequence)
    group.addLeaf(entry.value.extracting(1..<1 + EventHeader.byteCount))
    guard front.purge == nil else {
      result.report.erased += 1
      return .whole
    }
    let payload = entry.value.extracting(front.payloadOffset..<entry.value.byteCount)
    guard payload.byteCount == front.payloadByteCount else { return .begun(front, payload.array()) }
    return addContent(payload, front, &result) ? .whole : .wrong
  }

  /// Adds the content of a live event; false when it is wrong in itself.
  private mutating func addContent(
    _ payload: RawSpan, _ front: EventRow.Front, _ result: inout RangeResult
  ) -> Bool {
    guard let recorded = front.recorded, let salt = front.salt else { return false }
    group.addContent(payload, salt, recorded, front)
    return result.count(front.header, recorded)
  }

  /// Whether the nodes are those that are stored; fast where they lie side by side.
  private func areStored(_ nodes: [TreeNode], in txn: borrowing ReadTransaction)
    throws(StorageError) -> Bool
  {
    var cursor = try txn.cursor(reader.tables.tree)
    var last: TreeNode?
    for node in nodes {
      let isNext = last?.level == node.level && last?.index == node.index &- 1
      let isStored =
        try isNext ? node.isStored(cursor.next()) : node.isStored(cursor.seek(node.key))
      guard isStored else { return false }
      last = node
    }
    return true
  }
}

extension TreeNode {
  fileprivate var key: [UInt8] {
    var writer = ByteWriter()
    TreeNode.appendKey(level: level, index: index, to: &writer)
    return writer.array()
  }

  /// Whether a row is that of the node.
  fileprivate func isStored(_ row: Entry?) -> Bool {
    guard let row, row.key.byteCount == 9 else { return false }
    return row.key.byte(at: 0) == level && row.key.loadBigEndian64(at: 1) == index
      && Hash32(row.value) == hash
  }
}
