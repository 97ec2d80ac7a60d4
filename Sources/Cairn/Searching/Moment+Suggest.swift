import Catalog
import EventLog
import LMDB
import Ranking
import Text
import TextIndex

/// A completion of what a person types.
public struct Suggestion: Sendable, Hashable {
  /// Where a suggestion comes from; open, a later release may know more sources.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's word in JSON.
    public let rawValue: String

    /// A kind by its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The title of an item.
    public static let title = Kind(rawValue: "title")
    /// A query asked before: one that led to a choice, or whose results were looked at.
    public static let query = Kind(rawValue: "query")
    /// A word of the index.
    public static let term = Kind(rawValue: "term")
  }

  /// The completion.
  public var text: String
  /// Where it comes from.
  public var kind: Kind
  /// What it was ranked by; comparable within a list only.
  public var score: Double
}

extension Moment {
  /// Completions of a prefix: titles, past queries and words, best first.
  ///
  /// Without a limit all that are found are given.
  /// - Complexity: a search, and a look at the latest 4,096 selections and as many impressions:
  ///   at first and of past points some microseconds each, then some 20 ns. Blocks the calling
  ///   thread.
  /// - Throws: `badArgument` for a negative limit, `corrupt` for a damaged projection, `io`.
  public func suggestions(for prefix: String, limit: Int? = 10) throws(CairnError) -> [Suggestion] {
    try suggestions(for: prefix, limit: limit, from: nil)
  }

  /// Completions that tell nothing of an item for which `isOpen` is false.
  ///
  /// Of a title or a word one item that may be seen is enough; of a past query, that nothing was
  /// chosen or shown, or something that may be seen was.
  /// - Complexity: besides, O(items looked at until one may be seen), some microseconds each.
  /// - Throws: as the form without, and what `isOpen` throws.
  package func suggestions(
    for prefix: String, limit: Int?, from isOpen: ((Item) throws(CairnError) -> Bool)?
  ) throws(CairnError) -> [Suggestion] {
    try Self.check(limit, 0, [], nil)
    let typed = QueryText.normalised(Array(prefix.utf8))
    // Of blanks alone only queries of blanks alone are completions.
    guard !typed.isEmpty else { return [] }
    let folded = Analyzer().fold(prefix)
    var found = try titles(prefix, limit, isOpen)
    found += try pastQueries(typed, isOpen)
    found +=
      try read { (view, txn) throws(CairnError) in
        let asOf = view.asOf
        let isClosed = closedTest(view, isOpen)
        let all = TextIndex.Standing(item: { (item, _) throws(CairnError) in item })
        let shown = standing(view)
        let terms = try view.generation.text.completions(
          prefix: folded, limit: limit.map { max($0, 10) } ?? .max, asOf: asOf,
          standing: isClosed.map { (shown ?? all).hiding($0) } ?? shown, in: txn)
        return terms.map {
          Suggestion(
            text: String(decoding: $0.term, as: UTF8.self), kind: .term,
            score: Double.log1p(Double($0.documentCount)) / 4)
        }
      } ?? []
    found.sort { one, other in
      if one.score != other.score { return one.score > other.score }
      if one.kind != other.kind { return one.kind.rawValue < other.kind.rawValue }
      return one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
    var seen: Set<[UInt8]> = []
    let unique = found.filter { seen.insert(Analyzer().fold($0.text)).inserted }
    return Array(unique.prefix(limit ?? .max))
  }

  /// The best titles that differ, so many or all: those that have what is typed, and where these
  /// are too few, those of what it finds.
  private func titles(
    _ prefix: String, _ limit: Int?, _ isOpen: ((Item) throws(CairnError) -> Bool)?
  ) throws(CairnError) -> [Suggestion] {
    var request = SearchRequest(prefix)
    request.findsLanguage = false
    request.limit = limit
    var found: [Suggestion] = []
    var seen: Set<[UInt8]> = []
    // All that is found has those titles, too.
    for findsTitles in limit == nil ? [false] : [true, false] where found.count < limit ?? .max {
      let hits: [SearchHit] =
        try run(request) { (query, view, txn) throws(CairnError) in
          query.findsTitles = findsTitles
          query.isClosed = closedTest(view, isOpen)
          return try query.hits(view, txn)
        } ?? []
      for hit in hits {
        guard let title = hit.title, seen.insert(Analyzer().fold(title)).inserted else { continue }
        found.append(Suggestion(text: title, kind: .title, score: hit.score))
      }
    }
    return found
  }

  /// Whether an item is there and may be seen.
  private func isShown(_ id: String, _ isOpen: ((Item) throws(CairnError) -> Bool)?)
    throws(CairnError) -> Bool
  {
    guard let isOpen else { return true }
    guard let item = try item(id) else { return false }
    return try isOpen(item)
  }

  /// Whether a past query may be offered: one whose results are all closed would tell of them.
  private func isOffered(
    _ stored: StoredEvent, _ isOpen: ((Item) throws(CairnError) -> Bool)?
  ) throws(CairnError) -> Bool {
    guard isOpen != nil else { return true }
    let event = try LogRecord(stored).event
    let ids = (event.item.map { [$0] } ?? []) + event.shown
    for id in ids where try isShown(id, isOpen) { return true }
    return ids.isEmpty
  }

  /// Tells items that may not be seen, and those that have expired; nil where all may be.
  private func closedTest(
    _ view: borrowing View, _ isOpen: ((Item) throws(CairnError) -> Bool)?
  ) -> TextIndex.ItemTest? {
    guard let isOpen else { return nil }
    let catalog = view.generation.catalog
    return { (ordinal, txn) throws(CairnError) in
      let name = String(decoding: try catalog.name(of: ordinal, in: txn), as: UTF8.self)
      guard let item = try self.item(name) else { return true }
      return try !isOpen(item)
    }
  }

  /// How often a query was asked, and how it was last typed.
  private struct PastQuery {
    var text: String
    var choiceCount = 0
    var pageCount = 0

    /// Looking at results says less than choosing one of them.
    var score: Double {
      (choiceCount > 0 ? 2 : 1) + .log1p(Double(choiceCount) + Double(pageCount) / 4)
    }
  }

  /// Queries that begin with the prefix, best first by how often they led to something.
  ///
  /// They are read from the log, so that a purge takes them along.
  private func pastQueries(
    _ prefix: [UInt8], _ isOpen: ((Item) throws(CairnError) -> Bool)?
  ) throws(CairnError) -> [Suggestion] {
    var asked: [[UInt8]: PastQuery] = [:]
    for sequence in try pastQueries(beginningWith: prefix) {
      // Erased since the look at the projections.
      guard let stored = try store.log.event(at: sequence),
        let range = PastQueries.query(of: stored), try isOffered(stored, isOpen)
      else { continue }
      let key = QueryText.normalised(Array(stored.payload[range]))
      let text = String(decoding: stored.payload[range], as: UTF8.self)
      asked[key, default: PastQuery(text: text)].choiceCount += stored.kind == .select ? 1 : 0
      asked[key]?.pageCount += stored.kind == .select ? 0 : 1
    }
    return asked.values.map { Suggestion(text: $0.text, kind: .query, score: $0.score) }
  }

  private func pastQueries(beginningWith prefix: [UInt8]) throws(CairnError) -> [UInt64] {
    try read { (view, txn) throws(CairnError) in
      let known = view.generation.pastQueries
      return try known.sequences(
        beginningWith: prefix, through: view.sequence, isPresent: view.isPresent,
        view.generation.timeline, store.log, txn)
    } ?? []
  }
}

extension Double {
  /// ln(1 + value), the same on every machine.
  fileprivate static func log1p(_ value: Double) -> Double {
    DeterministicMath.naturalLogarithm(1 + value)
  }
}
