package import LMDB
package import Text

extension TextIndex {
  /// How the clauses of a query belong together.
  package enum Mode: Sendable {
    /// Every clause must match.
    case all
    /// One clause must match; documents with all of them come first.
    case any
    /// All words side by side, in order.
    case phrase
  }

  /// Tells something of an item.
  package typealias ItemTest = (_ item: UInt32, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Bool

  package struct Request {
    /// The analysed query; terms after the 64th are looked for, and score nothing.
    package var query: QueryTokens
    /// How the clauses belong together.
    package var mode: Mode
    /// Whole words only: no parts, no completions, no misspellings.
    package var exact: Bool
    /// Whether near misspellings are let in where few documents have the word as typed.
    package var typoTolerant: Bool
    /// Whether the last word may be unfinished; only when the query text ends with it.
    package var prefixLast: Bool
    /// Cuts words of the language whose endings are looked through, nil for none; not for exact
    /// searches and words in phrases.
    package var stemmer: Stemmer?
    /// How many hits, nil for all.
    package var limit: Int?
    /// The sequence whose state is searched, nil for the present.
    package var asOf: UInt64?
    /// What a tier is worth, by tier 0…4.
    package var tierScores: [Double]
    /// Whether hits say which words gave them their score.
    package var explains: Bool
    /// Whether titles are looked for, where there is a limit.
    ///
    /// Only items come that have the words in one, in order, and of those whose titles have the
    /// same words only the best; with very many of these not all are looked at.
    package var findsTitles = false
    /// Which texts are shown; nil where all are, of the items under which they stand.
    package var standing: Standing?

    /// Creates a request with the defaults of the command.
    package init(
      query: QueryTokens, mode: Mode = .all, exact: Bool = false, stemmer: Stemmer? = nil,
      limit: Int? = 10, asOf: UInt64? = nil, tierScores: [Double] = [0, 2, 4, 6, 8],
      explains: Bool = false
    ) {
      self.query = query
      self.mode = mode
      self.exact = exact
      typoTolerant = !exact
      prefixLast = !exact
      self.stemmer = exact ? nil : stemmer
      self.limit = limit
      self.asOf = asOf
      self.tierScores = tierScores
      self.explains = explains
    }
  }

  /// A document that matches.
  package struct Hit: Sendable, Hashable {
    package var item: UInt32
    /// The version of its text; numbers rise with the log.
    package var document: UInt32
    /// BM25F over the clauses that match.
    package var text: Double
    /// 4 exactly a title, 3 the beginning of one, 2 all words in order in one, 1 all words
    /// anywhere, 0 not all words or only misspelt.
    package var tier: UInt8
    /// `ScoreFormula.combine` of tier and text, plus the bonus.
    package var score: Double
    /// The words that gave the score, when asked for.
    package var matches: [Match] = []
  }

  /// What one word of the query gave a hit.
  package struct Match: Sendable, Hashable {
    /// The word as analysed.
    package var term: [UInt8]
    /// Whether only misspellings of it were found.
    package var isTypo: Bool
    package var inverseFrequency: Double
    /// Its share of `Hit.text`.
    package var score: Double
  }
}
