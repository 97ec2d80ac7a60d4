internal import LMDB

/// Terms that must stand side by side, looked for while a record is read token by token.
struct TermChain: Sendable {
  private let terms: [UInt32]
  /// The last two places where the terms up to each one stood side by side.
  private var ends: [(last: Int64, before: Int64)]

  private static let nowhere: Int64 = -9

  private init(_ terms: [UInt32]) {
    self.terms = terms
    ends = Array(repeating: (Self.nowhere, Self.nowhere), count: terms.count)
  }

  /// The chains of some phrases; none when a word of one may be several terms, or leaves a gap.
  static func all(
    _ phrases: [(clause: Int, groups: [(group: Int, position: UInt32)])],
    _ positions: PositionIndex
  ) -> [TermChain] {
    var result: [TermChain] = []
    for (_, groups) in phrases {
      var terms: [UInt32] = []
      for (place, element) in groups.enumerated() {
        guard Int(element.position) == Int(groups[0].position) + place,
          positions.completions?.group != element.group,
          let term = positions.merged.soleTerm(element.group)
        else { return [] }
        terms.append(term)
      }
      result.append(TermChain(terms))
    }
    return result
  }

  /// Forgets what was read.
  mutating func reset() {
    for index in ends.indices { ends[index] = (Self.nowhere, Self.nowhere) }
  }

  /// Reads a token; tells whether it is the last of the chain.
  @inline(__always)
  mutating func step(_ term: UInt32, _ position: Int64) -> Bool {
    var index = terms.count - 1
    while index >= 0 {
      if terms[index] == term, isNext(index, position) {
        if index == terms.count - 1 { return true }
        if ends[index].last != position { ends[index] = (position, ends[index].last) }
      }
      index -= 1
    }
    return false
  }

  private func isNext(_ index: Int, _ position: Int64) -> Bool {
    guard index > 0 else { return true }
    let end = ends[index - 1]
    return end.last == position - 1 || end.before == position - 1
  }
}

extension DocumentFacts {
  /// Whether a merged document has the terms side by side; nil when its record does not tell: it is
  /// pending, or longer than one row.
  func has(
    _ chain: inout TermChain,
    _ document: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool? {
    guard document <= state.mergedDocument else { return nil }
    let key: [UInt8] = IndexTables.key(document) + [0, 0]
    guard let row = try txn.get(tables.documents, key) else { throw DocumentRecord.damaged }
    guard row.byteCount > 4 else { throw DocumentRecord.damaged }
    guard Int(row.loadBigEndian32(at: 0)) == row.byteCount - 4 else { return nil }
    return try DocumentRecord.has(&chain, row)
  }
}

extension DocumentRecord {
  /// Looks for a chain in the only row of a merged document.
  fileprivate static func has(
    _ chain: inout TermChain,
    _ row: borrowing RawSpan
  ) throws(StorageError) -> Bool {
    var offset = 5
    _ = try PostingCode.varint(row, &offset)
    _ = try PostingCode.varint(row, &offset)
    guard offset < row.byteCount, row.byte(at: 4) == version else { throw damaged }
    let fields = row.byte(at: offset)
    offset += 1
    let titleCount = try PostingCode.varint(row, &offset)
    guard titleCount <= UInt64(row.byteCount) else { throw damaged }
    for _ in 0..<titleCount { _ = try PostingCode.varint(row, &offset) }
    for kind in 0..<UInt8(4) where fields >> kind & 1 == 1 {
      chain.reset()
      _ = try PostingCode.varint(row, &offset)
      let count = try PostingCode.varint(row, &offset)
      guard count <= UInt64(row.byteCount) else { throw damaged }
      var next: Int64 = 0
      for _ in 0..<count {
        let head = try PostingCode.varint(row, &offset)
        var position = next
        switch head & 3 {
        case 0: position = next - 1
        case 1: break
        case 2:
          position = Int64(truncatingIfNeeded: try PostingCode.varint(row, &offset) & 0xFFFF_FFFF)
        default: throw damaged
        }
        if chain.step(UInt32(truncatingIfNeeded: head >> 2), position) { return true }
        next = position + 1
      }
    }
    return false
  }
}
