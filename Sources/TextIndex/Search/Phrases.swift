internal import LMDB

/// Where in one document a phrase may begin: places, as kind · 2³² + position, in rising order.
///
/// The one check of phrases: words are looked at one after the other, and a start stays as long as
/// each word so far stands at its distance behind it.
struct PhraseStarts: Sendable {
  private(set) var places: [UInt64] = []

  /// So far before each place of a word.
  init(before places: [UInt64], by distance: UInt64) {
    self.places.reserveCapacity(places.count)
    for place in places where place & 0xFFFF_FFFF >= distance {
      self.places.append(place - distance)
    }
  }

  var isEmpty: Bool { places.isEmpty }

  /// Keeps the starts that have a place of a word so far behind them.
  /// - Complexity: O(starts + places).
  mutating func keep(_ word: [UInt64], by distance: UInt64) {
    var kept = 0
    var at = 0
    for start in places {
      let wanted = start + distance
      while at < word.count, word[at] < wanted { at += 1 }
      guard at < word.count else { break }
      guard word[at] == wanted else { continue }
      places[kept] = start
      kept += 1
    }
    places.removeLast(places.count - kept)
  }
}

extension QueryPlan {
  /// Whether the words of a clause, all of which a document has, stand side by side in it, or in
  /// what is loaded of it.
  /// - Complexity: O(positions of the words in the document).
  mutating func hasPhrase(
    _ elements: [PhraseElement], in document: UInt32, isLoaded: Bool,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> Bool {
    var starts: PhraseStarts?
    var places: [UInt64] = []
    let first = elements.first?.position ?? 0
    for element in elements {
      places.removeAll(keepingCapacity: true)
      if !isLoaded {
        try groups[element.group].places(of: document, into: &places, txn, tables)
      } else {
        positions.appendPlaces(of: element.group, to: &places)
      }
      let distance = UInt64(element.position - first)
      if starts == nil {
        starts = PhraseStarts(before: places, by: distance)
      } else {
        starts?.keep(places, by: distance)
      }
      if starts?.isEmpty == true { return false }
    }
    return true
  }
}

/// A word of a phrase: its group, and its position in the query.
typealias PhraseElement = (group: Int, position: UInt32)

extension QueryBinder {
  /// Whether a word of a clause may be any of many terms, so that no single list has its places.
  func isOpen(_ elements: [PhraseElement], _ plan: QueryPlan) -> Bool {
    elements.contains { !plan.groups[$0.group].hasPositions }
  }

  /// Finds the documents of the clauses of which a word may be any of many terms.
  func findPhrases(
    _ plan: inout QueryPlan, _ facts: DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    plan.leavesOutPhrases = false
    for (clause, elements) in plan.phrases where isOpen(elements, plan) {
      plan.phraseDocuments[clause] = try phraseDocuments(elements, plan, facts, txn)
    }
  }

  /// The merged documents in which the words of a clause stand side by side, ascending.
  ///
  /// Each term is looked at only in the documents that the words before it have left.
  /// - Complexity: O(postings of the rarest word + documents left · words + postings of the terms).
  private func phraseDocuments(
    _ elements: [PhraseElement], _ plan: QueryPlan, _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    let order = elements.sorted { left, right in
      let (one, other) = (plan.groups[left.group], plan.groups[right.group])
      if one.hasPositions != other.hasPositions { return one.hasPositions }
      return one.documentCount < other.documentCount
    }
    let first = elements.first?.position ?? 0
    var documents: [UInt32]?
    var starts: [UInt32: PhraseStarts] = [:]
    for element in order {
      let places = try places(
        of: plan.elements[element.group], in: documents, facts, txn)
      let distance = UInt64(element.position - first)
      if let known = documents {
        for document in known { starts[document]?.keep(places[document] ?? [], by: distance) }
      } else {
        starts = places.mapValues { PhraseStarts(before: $0, by: distance) }
      }
      starts = starts.filter { !$0.value.isEmpty }
      if starts.isEmpty { return [] }
      documents = starts.keys.sorted()
    }
    return documents ?? []
  }

  /// Where any of the terms that a word may be stands in merged documents, in order; of some
  /// documents, or of all up to the last one.
  private func places(
    of element: QueryPlan.Element, in documents: [UInt32]?, _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32: [UInt64]] {
    var places: [UInt32: [UInt64]] = [:]
    for candidate in try typed(element, completes: true, txn) {
      guard let entry = candidate.entry else { continue }
      let present = TermCursor(weight: 1, candidate, try MemoryPostings(entry))
      try add(present, PositionReader(entry), to: &places, in: documents, facts, txn)
      guard facts.asOf != nil, entry.hasList else { continue }
      let past = TermCursor(weight: 1, candidate, past: entry)
      try add(
        past, PositionReader(entry, isPast: true), to: &places, in: documents, facts, txn)
    }
    return places.mapValues { $0.sorted() }
  }

  /// Adds where a list's term stands.
  private func add(
    _ list: TermCursor, _ positions: PositionReader, to places: inout [UInt32: [UInt64]],
    in documents: [UInt32]?, _ facts: DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    var (cursor, reader) = (list, positions)
    var next = 0
    var document = try cursor.seek(documents?.first ?? 1, txn, lookup.tables)
    while document <= facts.lastDocument, document != TermCursor.end {
      if let documents {
        next = (next..<documents.count).nearbyPartitioningIndex { documents[$0] >= document }
        guard next < documents.count else { break }
        if documents[next] > document {
          document = try cursor.seek(documents[next], txn, lookup.tables)
          continue
        }
      }
      try reader.places(of: document, into: &places[document, default: []], txn, lookup.tables)
      document = try cursor.seek(document + 1, txn, lookup.tables)
    }
  }
}
