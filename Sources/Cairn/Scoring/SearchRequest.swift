/// What to search for and how.
public struct SearchRequest: Sendable, Hashable {
  /// How the words of a query belong together.
  public enum Mode: String, Sendable, CaseIterable {
    /// Every word must match.
    case all
    /// One word must match; items with all of them come first.
    case any
    /// All words side by side, in order.
    case phrase
  }

  /// What hits are sorted by.
  public enum Sort: Sendable, Hashable {
    /// Match, text and use together.
    ///
    /// Equal scores: the item's own dates, newest first, then its `rankingHint` among those of one
    /// domain, then the older text; of more than 8,192 of one score, so in each 8,192.
    case relevance
    /// Last use, be it a view, a choice or an edit, newest first; then last change.
    case recent
    /// Frecency, highest first.
    case frequent
    /// An attribute that the schema declares sortable.
    case attribute(AttributeOrder)

    var order: AttributeOrder? { if case .attribute(let order) = self { order } else { nil } }
  }

  /// The words; text in double quotes is a phrase.
  public var text: String
  /// How the words belong together.
  public var mode = Mode.all
  /// Whole words only: no prefixes, no tolerance for typing errors.
  public var isExact = false
  /// The language whose endings are looked through, nil for that of the texts where
  /// ``findsLanguage`` is set, else for none.
  ///
  /// A word then also finds, at less weight, the words of its stem; phrases and exact searches
  /// never do.
  public var language: SearchLanguage?
  /// Whether endings are looked through where fewer than five items have the words as typed.
  ///
  /// The language is that of the latest texts, told by the words that are common in it. Where the
  /// schema declares languages for searched attributes, their endings are looked through always.
  public var findsLanguage = true
  /// What the schema declares where neither is said otherwise.
  var declaredLanguages: [SearchLanguage] = []
  /// Only items in this domain or below it.
  public var domain: String?
  /// Only items that pass this expression of the query language.
  public var filter: String?
  /// Only items that were told of, changed or used in this span of time, both ends included.
  ///
  /// Of an item with parts, as of the messages of a conversation, any part will do.
  public var within: ClosedRange<Timestamp>?
  /// What hits are sorted by.
  public var sort = Sort.relevance
  /// What is counted over all hits; see ``Moment/results(of:)-(SearchRequest)``.
  public var facets: [AttributeLimit] = []
  /// What hits are grouped by, and how many of each group are shown; see
  /// ``Moment/results(of:)-(SearchRequest)``.
  public var groupBy: AttributeLimit?
  /// How many hits, or groups of hits; nil for all.
  public var limit: Int? = 10
  /// Hits, or groups of hits, to leave out at the beginning.
  public var offset = 0
  /// Whether hits come with the terms of their score.
  public var explains = false
  /// The circumstances, as soft evidence; nil for none.
  public var context: SearchContext?

  /// Searches for a text with the defaults.
  public init(_ text: String) { self.text = text }
}

extension SearchRequest.Sort: RawRepresentable, CaseIterable {
  /// The orders that need no schema.
  public static let allCases: [Self] = [.relevance, .recent, .frequent]

  /// Reads `relevance`, `recent`, `frequent`, `KEY`, `KEY:asc` or `KEY:desc`; else nil.
  public init?(rawValue text: String) {
    switch text {
    case "relevance": self = .relevance
    case "recent": self = .recent
    case "frequent": self = .frequent
    default:
      guard let order = AttributeOrder(rawValue: text) else { return nil }
      self = .attribute(order)
    }
  }

  /// The order in one word.
  public var rawValue: String {
    switch self {
    case .relevance: "relevance"
    case .recent: "recent"
    case .frequent: "frequent"
    case .attribute(let order): order.rawValue
    }
  }
}

/// Why a hit stands where it does: the terms whose sum is its score.
///
/// The constants named here, and what they are, stand in <doc:Ranking>.
public struct ScoreExplanation: Sendable, Hashable {
  /// How the words matched: 4 exactly a title, 3 the beginning of one, 2 in order in one, 1 all
  /// anywhere, 0 not all or only misspelt.
  public var tier: Int
  /// `tierWeight · tier`.
  public var tierScore: Double
  /// BM25F of the text.
  public var text: Double
  /// `ln(1 + text)`.
  public var textScore: Double
  /// Frecency at the ranking's clock.
  public var frecency: Double
  /// What speaks against the item: bounces and the user's word, decayed.
  public var dislike: Double
  /// `useWeight · ln(1 + frecency / (1 + dislike))`.
  public var useScore: Double
  /// `−dislikeWeight · ln(1 + dislike)`.
  public var dislikeScore: Double
  /// Choices for this query, for longer and shorter ones, decayed.
  public var choices: Double
  /// `learnedWeight · ln(1 + choiceFactor · choices)`.
  public var learnedScore: Double
  /// `latestWeight · 2^(−age / latestHalfLifeDays)` for the item chosen last for this very query,
  /// unless what speaks against it grew since.
  public var latestChoiceScore: Double
  /// Times chosen, and times looked at, in results; decayed.
  public var clicks: Double
  /// See `clicks`.
  public var impressions: Double
  /// `engagementWeight ·` how much more or less often it was chosen than the prior, in log odds.
  public var engagementScore: Double
  /// `−latencyWeight · ln(seconds + 1 − freeLatencySeconds)`: what slow opening costs.
  public var latencyScore: Double
  /// `domainWeight ·` the log odds that its domain is chosen below `floodRate`; 0 above it.
  public var domainScore: Double
  /// `contextWeight ·` how well the latest uses fit the circumstances given, and what following the
  /// item used just before adds to `useScore`.
  public var contextScore: Double
  /// `exactGuard` for an exact title or an item chosen `taughtChoices` times for this query and not
  /// unwanted since, `−fuzzyGuard` for misspelt matches chosen fewer than `knownChoices` times.
  public var guardScore: Double
  /// Sequences of the latest choices of the item for this query, for longer and shorter ones.
  public var choiceEvents: [UInt64] = []
  /// Sequences of the latest events that say how the item fared in results, newest first.
  public var resultEvents: [UInt64] = []
  /// The same of its domain, where that costs it something.
  public var domainEvents: [UInt64] = []
  /// Sequences of the item's latest uses, newest first.
  public var uses: [UInt64]
  /// What each word of the query gave the text.
  public var words: [Word]

  /// One word of the query.
  public struct Word: Sendable, Hashable {
    /// The word as analysed.
    public var term: String
    /// Whether only misspellings of it were found.
    public var isTypo: Bool
    /// How rare it is.
    public var inverseDocumentFrequency: Double
    /// Its share of `text`.
    public var score: Double
  }
}
