internal import Text

/// A document as the index takes it in: its tokens, and its distinct terms with their worth.
struct AnalysedDocument: Sendable {
  var tokens = DocumentTokens()
  /// The distinct terms in the order of their first tokens.
  var terms: [TermImpact] = []
  /// `ContentHash` of the tokens.
  var content: UInt64 = 0
}

/// What a term is worth in the document at hand.
struct TermImpact: Hashable, Sendable {
  var term: UInt32
  var impact: Impact
}

/// Cuts documents into terms, numbers the terms and weighs them: all the work of indexing that
/// needs no transaction.
///
/// Belongs to one thread at a time: the writer's, or while an `AnalysisAhead` runs the helper's.
final class DocumentAnalyst: @unchecked Sendable {
  // Sendable by hand: who starts an `AnalysisAhead` waits for its end before the next use.
  private(set) var vocabulary = Vocabulary()
  private var buffer = TokenBuffer()
  private var counter = TermCounter()

  /// Forgets all terms.
  func forget() {
    vocabulary = Vocabulary()
    counter = TermCounter()
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
    counter.count(document.tokens, vocabulary.keys, into: &document.terms)
  }
}

/// Counts how often each term stands in a document.
private struct TermCounter {
  /// What counting needs of a term, side by side in memory.
  private struct Term {
    var mark: UInt32 = 0
    var slot: UInt32 = 0
    var isPair = false
    var isPart = false
  }

  private var states: [Term] = []
  /// Counts documents; terms that carry it were seen in the present one.
  private var mark: UInt32 = 0
  private var occurrences: [Occurrence] = []

  /// - Complexity: O(tokens).
  mutating func count(
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
    mark += 1
    for token in tokens.tokens {
      var state = states[Int(token.term)]
      if state.mark != mark {
        state.mark = mark
        state.slot = UInt32(truncatingIfNeeded: terms.count)
        states[Int(token.term)] = state
        terms.append(TermImpact(term: token.term, impact: Impact(packed: 0)))
        occurrences.append(Occurrence())
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
    let bytes = buffer.bytes
    for token in buffer.tokens {
      // Positions never go back, whatever the analyzer does: the record relies on it.
      last = max(last, token.position)
      let term = vocabulary.intern(space: token.space.rawValue, bytes, token.byteRange)
      tokens.append(Token(term: term, position: start + last, kind: kind.rawValue))
    }
  }
}
