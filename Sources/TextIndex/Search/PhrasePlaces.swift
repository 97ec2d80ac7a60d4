internal import LMDB

/// Buffers for checking by positions whether words stand side by side in a merged document.
struct PhrasePlaces: Sendable {
  private var starts: [UInt64] = []
  private var next: [UInt64] = []

  /// Whether the groups stand in a merged document at the distances given, in one field.
  ///
  /// - Complexity: O(positions of the groups in the document).
  mutating func hasPhrase(
    _ document: UInt32, _ elements: [(group: Int, position: UInt32)], _ groups: inout [TermGroup],
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(StorageError) -> Bool {
    guard let first = elements.first else { return true }
    starts.removeAll(keepingCapacity: true)
    try groups[first.group].places(of: document, into: &starts, txn, tables)
    for element in elements.dropFirst() {
      next.removeAll(keepingCapacity: true)
      try groups[element.group].places(of: document, into: &next, txn, tables)
      keep(at: UInt64(element.position - first.position))
      if starts.isEmpty { return false }
    }
    return true
  }

  /// Keeps the starts that have a place at a distance.
  private mutating func keep(at distance: UInt64) {
    var kept = 0
    var at = 0
    for index in starts.indices {
      let wanted = starts[index] + distance
      while at < next.count, next[at] < wanted { at += 1 }
      guard at < next.count else { break }
      if next[at] == wanted {
        starts[kept] = starts[index]
        kept += 1
      }
    }
    starts.removeLast(starts.count - kept)
  }
}

extension QueryBinder {
  /// The merged documents in which the words of a clause stand side by side, ascending.
  ///
  /// For clauses of which a word may be any of many terms, so that no single list has its places: each
  /// term is looked at only where the words before it have left a chance.
  ///
  /// - Complexity: O(postings of the rarest word + documents left · words + postings of the terms).
  func phraseDocuments(
    _ elements: [(group: Int, position: UInt32)], _ plan: QueryPlan, _ facts: DocumentFacts,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> [UInt32] {
    let order = elements.sorted { left, right in
      let (one, other) = (plan.groups[left.group], plan.groups[right.group])
      if one.hasPositions != other.hasPositions { return one.hasPositions }
      return one.documentCount < other.documentCount
    }
    var starts: PhraseStarts?
    for element in order {
      var lists: [PhraseList] = []
      for candidate in try typed(plan.elements[element.group], completes: true, txn) {
        guard let entry = candidate.entry else { continue }
        lists.append(
          PhraseList(
            cursor: TermCursor(
              weight: 1, match: candidate.match, documentCount: candidate.documentCount,
              entry: entry, pending: MemoryPostings()), positions: PositionReader(entry)))
      }
      let distance = UInt64(element.position - (elements.first?.position ?? 0))
      if var known = starts {
        try known.keep(lists, at: distance, txn, lookup.tables)
        starts = known
      } else {
        starts = try PhraseStarts(
          lists, at: distance, through: facts.lastDocument, txn, lookup.tables)
      }
      if starts?.isEmpty == true { return [] }
    }
    return starts?.documents ?? []
  }
}

/// One term that a word of a phrase may be.
private struct PhraseList {
  var cursor: TermCursor
  var positions: PositionReader
}

/// Where in merged documents a phrase may begin.
private struct PhraseStarts {
  private var starts: [(document: UInt32, place: UInt64)] = []

  var isEmpty: Bool { starts.isEmpty }

  /// The documents, each once.
  var documents: [UInt32] {
    var result: [UInt32] = []
    for start in starts where result.last != start.document { result.append(start.document) }
    return result
  }

  /// So far before every place of some terms, in documents up to the last one.
  init(
    _ lists: [PhraseList], at distance: UInt64, through last: UInt32,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(StorageError) {
    var places: [UInt64] = []
    for var list in lists {
      var document = try list.cursor.seek(1, txn, tables)
      while document <= last {
        places.removeAll(keepingCapacity: true)
        try list.positions.places(of: document, into: &places, txn, tables)
        for place in places where place & 0xFFFF_FFFF >= distance {
          starts.append((document, place - distance))
        }
        document = try list.cursor.seek(document + 1, txn, tables)
      }
    }
    if lists.count > 1 { starts.sort { ($0.document, $0.place) < ($1.document, $1.place) } }
  }

  /// Keeps the starts that have one of the terms so far behind them.
  mutating func keep(
    _ lists: [PhraseList], at distance: UInt64, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    var isKept = [Bool](repeating: false, count: starts.count)
    var places: [UInt64] = []
    for var list in lists {
      var at = 0
      while at < starts.count {
        let document = starts[at].document
        let found = try list.cursor.seek(document, txn, tables)
        guard found == document else {
          guard found != TermCursor.end else { break }
          at = index(of: found, from: at)
          continue
        }
        places.removeAll(keepingCapacity: true)
        try list.positions.places(of: document, into: &places, txn, tables)
        var next = 0
        while at < starts.count, starts[at].document == document {
          let wanted = starts[at].place + distance
          while next < places.count, places[next] < wanted { next += 1 }
          if next < places.count, places[next] == wanted { isKept[at] = true }
          at += 1
        }
      }
    }
    var kept = 0
    for at in starts.indices where isKept[at] {
      starts[kept] = starts[at]
      kept += 1
    }
    starts.removeLast(starts.count - kept)
  }

  /// The first start from one on whose document is not below the one given.
  private func index(of document: UInt32, from start: Int) -> Int {
    var low = start
    var step = 1
    while low + step < starts.count, starts[low + step].document < document {
      low += step
      step *= 2
    }
    var high = min(low + step, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle].document < document { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension [UInt32] {
  /// Where an ascending array has a number.
  func index(sorted number: UInt32) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == number ? low : nil
  }
}
