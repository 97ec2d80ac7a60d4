package import LMDB
internal import Synchronization
package import Text

extension TextIndex {
  /// The language that most of the latest texts are in, told by the words that are common in it;
  /// nil when none of these is there.
  ///
  /// Of a past point the answer of then: documents that have ended since count too.
  /// - Complexity: a look at the dictionary for some hundred words, and at the latest
  ///   `IndexLimits.languageDocumentCount` documents.
  package func language(asOf: UInt64? = nil, in txn: borrowing ReadTransaction)
    throws(CairnError) -> StemLanguage?
  {
    guard let facts = try DocumentVisibility(self, asOf: asOf, txn) else { return nil }
    let last = facts.lastDocument
    let epoch = facts.state.epoch
    if let known = languageCache.entry(epoch, last) { return known.language }
    let latest = last - min(last - 1, IndexLimits.languageDocumentCount - 1)...last
    let lookup = TermLookup(tables: tables, pending: facts.pending)
    var found: (language: StemLanguage, share: Double)?
    for language in StemLanguage.allCases {
      let words = language.commonWords
      var count = 0
      for word in words { count += try lookup.count(analyzer.fold(word), in: latest, facts, txn) }
      let share = Double(count) / Double(max(1, words.count))
      if share > found?.share ?? 0 { found = (language, share) }
    }
    languageCache.keep(.init(epoch: epoch, document: last, language: found?.language))
    return found?.language
  }
}

/// The language found last, for searches of the same point.
final class LanguageCache: Sendable {
  struct Entry: Sendable {
    var epoch: UInt64
    /// The last document of the point.
    var document: UInt32
    var language: StemLanguage?
  }

  private let last = Mutex<Entry?>(nil)

  func entry(_ epoch: UInt64, _ document: UInt32) -> Entry? {
    last.withLock { $0?.epoch == epoch && $0?.document == document ? $0 : nil }
  }

  func keep(_ entry: Entry) { last.withLock { $0 = entry } }
}

extension TermLookup {
  /// How many documents of a range have a word, ended ones included.
  fileprivate func count(
    _ word: [UInt8], in range: ClosedRange<UInt32>, _ facts: DocumentVisibility,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Int {
    guard let candidate = try term(.word, word, .whole, txn) else { return 0 }
    var count = 0
    for var list in try TermCursor.lists(of: candidate, weight: 1, facts, withEnded: true) {
      var document = try list.seek(range.lowerBound, txn, tables)
      while document <= range.upperBound {
        count += 1
        document = try list.seek(document + 1, txn, tables)
      }
    }
    return count
  }
}
