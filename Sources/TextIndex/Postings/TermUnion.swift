internal import LMDB
internal import Text

struct UnionName: Hashable, Sendable {
  var bytes: [UInt8]
  /// Whether ended documents are among them.
  var hasPast = false

  /// Where its terms stand in the dictionary, and how the very term stands for the word there.
  static let spaces: [(TermSpace, TermMatch)] = [(.word, .whole), (.part, .part)]
}

/// All stored terms that an unfinished word may stand for, as one list.
///
/// They are the word itself, parts of camel-case words, and longer words and parts. Their postings
/// are added up by weight. True of one state of the dictionary.
final class TermUnion: Sendable {
  /// Documents of the terms, each counted for itself.
  private let documentCount: UInt64
  private let counts: PostingCounts
  /// Their postings, in fifths of units.
  let postings: MemoryPostings
  /// Whether it has only documents that another group leaves.
  let isSelected: Bool
  /// Documents of the most frequent term.
  let greatestCount: UInt64
  /// One bit a longer term's id.
  private let terms: [UInt64]

  /// Documents of the terms up to one, each counted for itself; nil when that is not known.
  func documentCount(through last: UInt32) -> UInt64? {
    if last >= postings.documents.last ?? 0 { return documentCount }
    return counts.sum(first: postings.count(through: last))
  }

  /// Whether a term is one of the longer ones.
  func contains(_ term: UInt32) -> Bool {
    let word = Int(term >> 6)
    return word < terms.count && terms[word] >> UInt64(term & 63) & 1 == 1
  }

  /// What it takes in memory, about.
  var byteCount: Int {
    postings.documents.count * 10 + terms.count * 8 + 512
  }

  /// Reads the terms, of long lists only the documents of a group that has far fewer.
  /// - Complexity: O(postings of the terms).
  init(
    of name: UnionName, within group: TermGroup?, postingCountMin: UInt64, _ state: IndexState,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    var reader = UnionReader(termCount: state.nextTerm, hasPast: name.hasPast)
    for (space, way) in UnionName.spaces {
      try reader.readDictionary(space, name.bytes, way, txn, tables)
    }
    documentCount = reader.documentCount
    greatestCount = reader.greatestCount
    if let group,
      let documents = try reader.documents(
        of: group, postingCountMin: postingCountMin, state, txn, tables)
    {
      isSelected = true
      postings = try reader.union(within: documents, txn, tables)
      counts = PostingCounts()
    } else {
      isSelected = false
      (postings, counts) = try reader.union(state, txn, tables)
    }
    terms = reader.terms
  }
}
