import HashTree

/// RFC 6962 §2.1 read aloud: recursion over arrays of leaf hashes, nothing shared with the engine.
enum TreeModel {
  static func root(_ leaves: ArraySlice<Hash32>) -> Hash32 {
    guard let first = leaves.first else { return HashTree.emptyRoot }
    guard leaves.count > 1 else { return first }
    let (left, right) = halves(leaves)
    return HashTree.node(root(left), root(right))
  }

  static func path(_ index: Int, _ leaves: ArraySlice<Hash32>) -> [Hash32] {
    guard leaves.count > 1 else { return [] }
    let (left, right) = halves(leaves)
    return index < left.count
      ? path(index, left) + [root(right)] : path(index - left.count, right) + [root(left)]
  }

  /// The consistency proof from the first `count` leaves (`SUBPROOF` with b = true).
  static func proof(_ count: Int, _ leaves: ArraySlice<Hash32>, isWhole: Bool = true) -> [Hash32] {
    if count == leaves.count { return isWhole ? [] : [root(leaves)] }
    let (left, right) = halves(leaves)
    return count <= left.count
      ? proof(count, left, isWhole: isWhole) + [root(right)]
      : proof(count - left.count, right, isWhole: false) + [root(left)]
  }

  private static func halves(_ leaves: ArraySlice<Hash32>) -> (
    ArraySlice<Hash32>, ArraySlice<Hash32>
  ) {
    var width = 1
    while width * 2 < leaves.count { width *= 2 }
    return (leaves.prefix(width), leaves.dropFirst(width))
  }
}

/// A tree that keeps what the compact range reports, as a store would.
struct StoredTree {
  struct Missing: Error {}
  struct Place: Hashable {
    var level: Int
    var index: UInt64
  }

  private(set) var compactRange = CompactRange()
  private(set) var nodes: [Place: Hash32] = [:]
  var leaves: [Hash32] = []

  init(_ leaves: some Sequence<Hash32> = []) { for leaf in leaves { append(leaf) } }

  mutating func append(_ leaf: Hash32) {
    nodes[Place(level: 0, index: compactRange.size)] = leaf
    leaves.append(leaf)
    var added: [(Place, Hash32)] = []
    compactRange.append(leaf) { (level, index, hash) throws(Never) in
      added.append((Place(level: level, index: index), hash))
    }
    for (place, hash) in added { nodes[place] = hash }
  }

  func node(_ level: Int, _ index: UInt64) throws(Missing) -> Hash32 {
    guard let hash = nodes[Place(level: level, index: index)] else { throw Missing() }
    return hash
  }
}

extension CompactRange {
  init?(encoded bytes: [UInt8]) { self.init(encoded: bytes.rawSpan) }
}
