internal import LMDB
internal import Text

/// Where in one document a phrase may begin: places, as kind · 2³² + position, in rising order.
///
/// The one check of phrases: words are looked at one after the other, and a start stays as long as
/// each word so far stands at its distance behind it.
struct PhraseStarts: Sendable {
  private(set) var places: [UInt64] = []

  /// So far before each place of a word.
  init(before places: [UInt64], by distance: UInt64) {
    self.places.reserveCapacity(places.count)
    Self.append(places, before: distance, to: &self.places)
  }

  /// Adds starts so far before places.
  static func append(_ places: [UInt64], before distance: UInt64, to starts: inout [UInt64]) {
    for place in places where place & 0xFFFF_FFFF >= distance { starts.append(place - distance) }
  }

  /// Whether a word stands at a place; `at` moves on in the word's places, for places that rise.
  @inline(__always)
  static func stands(_ word: [UInt64], at wanted: UInt64, from at: inout Int) -> Bool {
    while at < word.count, word[at] < wanted { at += 1 }
    return at < word.count && word[at] == wanted
  }

  /// Keeps the starts that have a place of a word so far behind them.
  /// - Complexity: O(starts + places).
  mutating func keep(_ word: [UInt64], by distance: UInt64) {
    var kept = 0
    var at = 0
    for start in places where Self.stands(word, at: start + distance, from: &at) {
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
      if starts?.places.isEmpty == true { return false }
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
  /// - Complexity: O(postings of the rarest word + documents left · words + terms' postings).
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
    var starts = DocumentStarts()
    for (number, element) in order.enumerated() {
      let word = plan.elements[element.group]
      let distance = UInt64(element.position - first)
      if number == 0 {
        try forEachDocument(of: word, facts, txn) { (document, places) in
          starts.add(document, places, before: distance)
        }
        starts.sort()
      } else {
        var isKept = [Bool](repeating: false, count: starts.placeCount)
        let visit = plan.groups[element.group].hasPositions ? forEachDocument : forEachPlace
        try visit(word, starts.documents, facts, txn) { (index, places) in
          starts.mark(index, places, by: distance, &isKept)
        }
        starts.keep(isKept)
      }
      if starts.documents.isEmpty { break }
    }
    return starts.documents
  }

  /// Visits the merged documents of each list of a word, with the places there.
  private func forEachDocument(
    of element: QueryPlan.Element, _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction, _ body: (UInt32, [UInt64]) -> Void
  ) throws(CairnError) {
    let merged = facts.state.mergedDocument
    var places: [UInt64] = []
    for var cursor in try lists(of: element, facts, txn) {
      var document = try cursor.seek(1, txn, lookup.tables)
      while document <= min(facts.lastDocument, merged) {
        places.removeAll(keepingCapacity: true)
        try cursor.places(of: document, into: &places, txn, lookup.tables)
        body(document, places)
        document = try cursor.seek(document + 1, txn, lookup.tables)
      }
    }
  }

  /// Visits those of some documents that each list of a word has, by their number, with the places
  /// there.
  private func forEachDocument(
    of element: QueryPlan.Element, in documents: [UInt32], _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction, _ body: (Int, [UInt64]) -> Void
  ) throws(CairnError) {
    var places: [UInt64] = []
    for var cursor in try lists(of: element, facts, txn) {
      var next = 0
      while next < documents.count {
        let document = try cursor.seek(documents[next], txn, lookup.tables)
        next = (next..<documents.count).nearbyPartitioningIndex { documents[$0] >= document }
        guard next < documents.count else { break }
        guard documents[next] == document else { continue }
        places.removeAll(keepingCapacity: true)
        try cursor.places(of: document, into: &places, txn, lookup.tables)
        body(next, places)
        next += 1
      }
    }
  }

  /// The same for a word that may be any of many terms: all their lists are read one after the
  /// other, as far as they have some of the documents.
  private func forEachPlace(
    of element: QueryPlan.Element, in documents: [UInt32], _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction, _ body: (Int, [UInt64]) -> Void
  ) throws(CairnError) {
    guard let last = documents.last else { return }
    var words = [UInt64](repeating: 0, count: Int(last) / 64 + 1)
    for document in documents { words[Int(document >> 6)] |= 1 << UInt64(document & 63) }
    let bits = DocumentBits(words, last: last)
    let spaces = element.term.isPrefix ? [element.term.space] : UnionName.spaces.map(\.0)
    var reader = UnionReader(termCount: facts.state.nextTerm, hasPast: facts.asOf != nil)
    for space in spaces {
      try reader.forEachPlace(
        space, element.term.bytes, within: bits, txn, lookup.tables
      ) { (document, places) in body(bits.index(of: document), places) }
    }
  }

  /// The lists of all terms that a word may be.
  private func lists(
    of element: QueryPlan.Element, _ facts: DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TermCursor] {
    try mergedLists(try typed(element, txn), facts)
  }
}

/// Where in each of some documents a phrase may begin; places as ``PhraseStarts`` has them.
private struct DocumentStarts {
  /// Ascending.
  private(set) var documents: [UInt32] = []
  /// By document, where its places end.
  private var ends: [Int] = []
  private var places: [UInt64] = []

  var placeCount: Int { places.count }

  /// Adds starts so far before places of a document.
  mutating func add(_ document: UInt32, _ found: [UInt64], before distance: UInt64) {
    let count = places.count
    PhraseStarts.append(found, before: distance, to: &places)
    guard places.count > count else { return }
    documents.append(document)
    ends.append(places.count)
  }

  /// Brings what came from several lists into the order of documents and places.
  mutating func sort() {
    guard zip(documents, documents.dropFirst()).contains(where: { $0 >= $1 }) else { return }
    var pairs: [(document: UInt32, place: UInt64)] = []
    pairs.reserveCapacity(places.count)
    var start = 0
    for (document, end) in zip(documents, ends) {
      for place in places[start..<end] { pairs.append((document, place)) }
      start = end
    }
    pairs.sort { $0 < $1 }
    self = DocumentStarts()
    for pair in pairs {
      if documents.last == pair.document {
        places.append(pair.place)
        ends[ends.count - 1] = places.count
      } else {
        add(pair.document, [pair.place], before: 0)
      }
    }
  }

  /// Marks a document's starts that have a place of a word so far behind them.
  func mark(_ index: Int, _ word: [UInt64], by distance: UInt64, _ isKept: inout [Bool]) {
    var at = 0
    for start in (index > 0 ? ends[index - 1] : 0)..<ends[index]
    where PhraseStarts.stands(word, at: places[start] + distance, from: &at) {
      isKept[start] = true
    }
  }

  /// Keeps the starts that are marked, and the documents that have one.
  mutating func keep(_ isKept: [Bool]) {
    let all = self
    self = DocumentStarts()
    var start = 0
    for (document, end) in zip(all.documents, all.ends) {
      let count = places.count
      for place in start..<end where isKept[place] { places.append(all.places[place]) }
      start = end
      guard places.count > count else { continue }
      documents.append(document)
      ends.append(places.count)
    }
  }
}
