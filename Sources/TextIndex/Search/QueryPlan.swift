internal import Text

/// The words of a query bound to the dictionary: groups of postings lists and what joins them.
struct QueryPlan {
  /// Most words of a plan: one bit each in `GroupBits`.
  static let groupCountMax = 64

  /// Weights of the ways a term may stand for a word, in hundredths: whole numbers, so that sums do
  /// not depend on which postings were added up before.
  static let wholeWeight: UInt32 = 100
  static let partWeight: UInt32 = 80
  static let stemWeight: UInt32 = 40
  static let completionWeight: UInt32 = 60
  static let typoWeights: [UInt32] = [100, 70, 49]

  /// One word: where it stands and what is looked up.
  struct Element: Sendable {
    var term: QueryTokens.Term
    var clause: Int
    /// Position in the whole query.
    var position: UInt32
    /// Whether longer terms match too.
    var isOpen: Bool
    /// Whether it stands alone, so that misspellings make sense.
    var isAlone: Bool
    /// Whether it is quoted, so that no other ending is meant.
    var isQuoted: Bool
  }

  var elements: [Element] = []
  var groups: [TermGroup] = []
  var positions = PositionIndex()
  var clauseCount = 0
  /// Merged documents that have a clause's words side by side, by clause, where one of its words
  /// may be any of many terms.
  var phraseDocuments: [Int: [UInt32]] = [:]
  /// Clauses whose documents of this kind were not looked for: titles may tell enough of them.
  var leavesOutPhrases = false
  /// Merged documents that have the unfinished last word as it is; nil where it stands alone or is
  /// frequent.
  var lastWordDocuments: DocumentBits?
  /// Whether misspellings of some word were left out, as enough documents have it as typed.
  var leavesOutTypos = false
  /// Positions the whole query takes, for exact titles.
  var length: UInt32 = 0

  /// Groups of each clause that has more than one.
  var phrases: [(clause: Int, groups: [PhraseElement])] {
    var result: [(clause: Int, groups: [PhraseElement])] = []
    for clause in 0..<clauseCount {
      let members = elements.indices.filter { elements[$0].clause == clause }
      guard members.count > 1 else { continue }
      result.append((clause, members.map { ($0, elements[$0].position) }))
    }
    return result
  }

  /// Postings that a search visits at most: of the rarest word where all are needed.
  func postingCount(needsAll: Bool) -> UInt64 {
    needsAll ? groups.map(\.documentCount).min() ?? 0 : groups.reduce(0) { $0 + $1.documentCount }
  }

  /// Lays the words out; binds nothing yet.
  init(_ request: TextIndex.Request) {
    let clauses = request.query.clauses
    var position: UInt32 = 0
    for (number, clause) in clauses.enumerated() where elements.count < Self.groupCountMax {
      var end: UInt32 = 1
      let joins = request.mode == .phrase
      for (index, term) in clause.terms.enumerated() where elements.count < Self.groupCountMax {
        let isLast = number == clauses.count - 1 && index == clause.terms.count - 1
        let isOpen = isLast && request.prefixLast && request.query.isOpen && term.space == .word
        elements.append(
          Element(
            term: term, clause: joins ? 0 : clauseCount, position: position + term.position,
            isOpen: isOpen, isAlone: !joins && clause.terms.count == 1,
            isQuoted: clause.kind == .phrase))
        let isPair = term.space == .gram && TermKey.scalarCount(term.bytes) > 1
        let isBeforeWord = number < clauses.count - 1 && term.isSymbol
        end = term.position + (isPair ? 2 : isBeforeWord ? 0 : 1)
      }
      position += end
      clauseCount += joins ? 0 : 1
    }
    if request.mode == .phrase, !elements.isEmpty { clauseCount = 1 }
    length = position
  }
}

/// One term that stands for a word of the query.
struct Candidate: Sendable {
  /// Its row in the dictionary, nil for a term of buffered documents only.
  var entry: DictionaryEntry?
  /// Its index in the pending vocabulary.
  var pending: UInt32?
  var match: TermMatch
  var edits: Int = 0
  /// Documents that have it, pending ones included.
  var documentCount: UInt64

  /// Whether one of them is the same term.
  func isAmong(_ others: [Candidate]) -> Bool {
    others.contains { $0.entry?.term == entry?.term && $0.pending == pending }
  }
}
