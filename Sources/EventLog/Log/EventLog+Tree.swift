package import HashTree
import LMDB

extension EventLog {
  /// The root of the tree over the first `size` headers.
  /// - Throws: `.badArgument` beyond the head.
  /// - Complexity: O(log n) rows and hashes.
  package func root(at size: UInt64) throws(CairnError) -> Hash32 {
    try environment.read { (txn) throws(CairnError) in
      try self.reader.root(at: size, of: try self.reader.head(in: txn), in: txn)
    }
  }

  /// Proof that event `sequence` is in the tree of the first `size` events.
  /// - Throws: `.badArgument` unless 1 ≤ `sequence` ≤ `size` ≤ head.
  /// - Complexity: O(log n) rows and hashes; far below a millisecond at a million events.
  package func inclusionProof(of sequence: UInt64, size: UInt64) throws(CairnError)
    -> InclusionProof
  {
    try withNodes { (head, node) throws(CairnError) in
      guard sequence >= 1, size <= head.sequence,
        let proof = try InclusionProof(leafIndex: sequence &- 1, treeSize: size, node: node)
      else { throw CairnError(.badArgument, "there is no event \(sequence) in a tree of \(size)") }
      return proof
    }
  }

  /// Proof that the tree of the first `old` events is a prefix of that of the first `new`.
  /// - Throws: `.badArgument` unless 1 ≤ `old` ≤ `new` ≤ head.
  package func consistencyProof(from old: UInt64, to new: UInt64) throws(CairnError)
    -> ConsistencyProof
  {
    try withNodes { (head, node) throws(CairnError) in
      guard old >= 1, new <= head.sequence,
        let proof = try ConsistencyProof(oldSize: old, newSize: new, node: node)
      else { throw CairnError(.badArgument, "there are no trees of \(old) and \(new) events") }
      return proof
    }
  }

  /// Lends a node lookup over one consistent state of the log.
  ///
  /// The lookup takes (level, index) of a complete subtree; level 0 are leaves.
  package func withNodes<R>(
    _ body: (_ head: Head, _ node: (_ level: Int, _ index: UInt64) throws(CairnError) -> Hash32)
      throws(CairnError) -> R
  ) throws(CairnError) -> R {
    try environment.read { (txn) throws(CairnError) in
      try body(Head(try self.reader.head(in: txn))) { (level, index) throws(CairnError) in
        try self.reader.node(level, index, in: txn)
      }
    }
  }
}

extension EventReader {
  /// The compact range of the tree over the first `size` headers.
  func compactRange(size: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
    -> CompactRange
  {
    try CompactRange(size: size) { (level, index) throws(CairnError) in
      try self.node(level, index, in: txn)
    }
  }

  /// The hash of a complete subtree.
  /// - Complexity: one row at a stored level, else at most 8 rows and 7 hashes.
  func node(_ level: Int, _ index: UInt64, in txn: borrowing ReadTransaction) throws(CairnError)
    -> Hash32
  {
    try HashTree.node(level: level, index: index, stride: TreeNode.levelStride) {
      (level, index) throws(CairnError) in
      guard level == 0 else { return try self.storedNode(level, index, in: txn) }
      guard let header = try self.header(at: index + 1, in: txn) else {
        throw EventReader.gap(at: index + 1)
      }
      return header.leafHash
    }
  }

  private func storedNode(_ level: Int, _ index: UInt64, in txn: borrowing ReadTransaction)
    throws(CairnError) -> Hash32
  {
    var key = ByteWriter()
    TreeNode.appendKey(level: UInt8(level), index: index, to: &key)
    guard let value = try txn.get(tables.tree, key.bytes) else {
      throw CairnError(
        .corrupt, "node \(index) of level \(level) is missing",
        place: "log.mdb, table tree", remedy: .verify)
    }
    var reader = ByteReader(value)
    return try Hash32(&reader)
  }
}
