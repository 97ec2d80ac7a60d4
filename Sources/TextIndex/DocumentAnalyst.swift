internal import Text

/// A document as the index takes it in: its tokens, and its distinct terms with their worth.
struct AnalysedDocument: Sendable {
  var tokens = DocumentTokens()
  /// The distinct terms in the order of their first tokens.
  var terms: [TermImpact] = []
  /// `PositionCode` runs of the terms, in their order.
  var positions: [UInt8] = []
  /// `ContentHash` of the tokens.
  var content: UInt64 = 0
}

/// What a term is worth in the document at hand.
struct TermImpact: Hashable, Sendable {
  var term: UInt32
  var impact: Impact
  /// Where its run of positions ends.
  var positionEnd: UInt32 = 0
}

/// Cuts documents into terms, numbers the terms and weighs them: all the work of indexing that
/// needs no transaction.
///
/// Belongs to one thread at a time: the writer's, or while an `AnalysisAhead` or a `BuildSlice` runs the
/// helper's.
final class DocumentAnalyst: @unchecked Sendable {
  // Sendable by hand: who starts one of these waits for its end before the next use.
  private(set) var vocabulary = Vocabulary()
  private var buffer = TokenBuffer()
  private var counter = TermCounter()

  /// Forgets all terms.
  func forget() {
    vocabulary = Vocabulary()
    counter = TermCounter()
  }

  /// Forgets all terms and keeps the room for about as many.
  func forgetKeepingRoom() {
    vocabulary.removeAllKeepingRoom()
    counter.forget()
  }

  /// Replaces `document` by what the fields say, terms numbered by the vocabulary.
  func analyse(
    _ fields: [TextIndex.Field],
    _ bytes: [UInt8],
    _ analyzer: Analyzer,
    into document: inout AnalysedDocument
  ) {
    document.tokens.read(fields, bytes, analyzer, &buffer, &vocabulary)
    document.content = ContentHash.hash(document.tokens, vocabulary)
    weigh(&document)
  }

  /// The number of a term given by the bytes of its dictionary key.
  func intern(_ bytes: [UInt8], _ key: Range<Int>) -> UInt32 {
    vocabulary.intern(space: bytes[key.lowerBound], bytes, key.dropFirst())
  }

  /// Fills in the terms of a document whose tokens are there.
  func weigh(_ document: inout AnalysedDocument) {
    counter.weigh(&document, vocabulary.keys)
  }
}

/// Counts how often each term stands in a document.
struct TermCounter: Sendable {
  /// What counting needs of a term, side by side in memory.
  private struct Term: Sendable {
    var mark: UInt32 = 0
    var slot: UInt32 = 0
    var isPair = false
    var isPart = false
  }

  private var states: [Term] = []
  /// Counts documents; terms that carry it were seen in the present one.
  private var mark: UInt32 = 0
  private var occurrences: [Occurrence] = []
  /// By slot: first and last token of the term.
  private var ends: [(first: Int32, last: Int32)] = []
  /// By token: the next one of the same term.
  private var following: [Int32] = []

  /// Fills in the terms of a document whose tokens are there and numbered as the keys are.
  mutating func weigh(_ document: inout AnalysedDocument, _ keys: TermKeys) {
    count(document.tokens, keys, into: &document.terms)
    writePositions(document.tokens, &document.terms, into: &document.positions)
  }

  /// Forgets what it knows of terms, whose numbers will mean others.
  mutating func forget() { states.removeAll(keepingCapacity: true) }

  /// - Complexity: O(tokens).
  private mutating func count(
    _ tokens: DocumentTokens,
    _ keys: TermKeys,
    into terms: inout [TermImpact]
  ) {
    while states.count < keys.count {
      let index = UInt32(truncatingIfNeeded: states.count)
      states.append(Term(isPair: keys.isPair(index), isPart: keys.isPart(index)))
    }
    terms.removeAll(keepingCapacity: true)
    occurrences.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    following.removeAll(keepingCapacity: true)
    mark += 1
    for (index, token) in tokens.tokens.enumerated() {
      following.append(-1)
      var state = states[Int(token.term)]
      if state.mark != mark {
        state.mark = mark
        state.slot = UInt32(truncatingIfNeeded: terms.count)
        states[Int(token.term)] = state
        terms.append(TermImpact(term: token.term, impact: Impact(packed: 0)))
        occurrences.append(Occurrence())
        ends.append((Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: index)))
      } else {
        let slot = Int(state.slot)
        following[Int(ends[slot].last)] = Int32(truncatingIfNeeded: index)
        ends[slot].last = Int32(truncatingIfNeeded: index)
      }
      var occurrence = occurrences[Int(state.slot)]
      occurrence.count(Int(token.kind))
      if token.kind == 0 {
        occurrence.raise(tokens.place(token, isPair: state.isPair, isPart: state.isPart))
      }
      occurrences[Int(state.slot)] = occurrence
    }
    for index in terms.indices {
      terms[index].impact = Impact(occurrences[index], lengths: tokens.lengths)
    }
  }

  /// Writes the positions of the terms just counted.
  ///
  /// - Complexity: O(tokens).
  private mutating func writePositions(
    _ tokens: DocumentTokens,
    _ terms: inout [TermImpact],
    into bytes: inout [UInt8]
  ) {
    bytes.removeAll(keepingCapacity: true)
    for slot in terms.indices {
      var next = Int(ends[slot].first)
      var kind: UInt8 = 0
      var position: UInt32 = 0
      while next >= 0 {
        let token = tokens.tokens[next]
        next = Int(following[next])
        let step = token.kind == kind ? token.position - position : token.position
        PositionCode.append(kind: token.kind, step: step, hasMore: next >= 0, to: &bytes)
        kind = token.kind
        position = token.position
      }
      terms[slot].positionEnd = UInt32(truncatingIfNeeded: bytes.count)
    }
  }
}

extension DocumentTokens {
  /// Replaces the tokens by those of the fields, terms numbered by the vocabulary.
  mutating func read(
    _ fields: [TextIndex.Field],
    _ bytes: [UInt8],
    _ analyzer: Analyzer,
    _ buffer: inout TokenBuffer,
    _ vocabulary: inout Vocabulary
  ) {
    removeAll()
    for kind in TextIndex.FieldKind.allCases {
      var start: UInt32 = 0
      for field in fields where field.kind == kind {
        analyzer.analyze(bytes.span.extracting(field.bytes), into: &buffer)
        guard let last = buffer.tokens.last else { continue }
        // An emoji at the end stands behind the last counted position.
        let length = max(buffer.positionCount, last.position + 1)
        take(buffer, kind, start, &vocabulary)
        if kind == .title { titles.append(Title(start: start, length: length)) }
        lengths[Int(kind.rawValue)] += length
        start += length + IndexLimits.valueGap
      }
    }
  }

  private mutating func take(
    _ buffer: borrowing TokenBuffer,
    _ kind: TextIndex.FieldKind,
    _ start: UInt32,
    _ vocabulary: inout Vocabulary
  ) {
    var last: UInt32 = 0
    vocabulary.intern(buffer) { token, term in
      // Positions never go back, whatever the analyzer does: the record relies on it.
      last = max(last, token.position)
      tokens.append(Token(term: term, position: start + last, kind: kind.rawValue))
    }
  }
}
