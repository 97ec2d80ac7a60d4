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
/// Belongs to one thread at a time: the writer's, or while an `AnalysisAhead` or a `BuildSlice`
/// runs the helper's.
final class DocumentAnalyst: @unchecked Sendable {
  // Sendable by hand: who starts one of these waits for its end before the next use.
  private(set) var vocabulary = Vocabulary()
  private var buffer = TokenBuffer()
  private var counter = TermCounter()

  func forget() { vocabulary = Vocabulary() }

  /// Forgets all terms and keeps the room for about as many.
  func forgetKeepingRoom() { vocabulary.removeAllKeepingRoom() }

  /// Replaces `document` by what the fields say, terms numbered by the vocabulary.
  func analyse(
    _ fields: [TextIndex.Field], _ bytes: [UInt8], _ analyzer: Analyzer,
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
  func weigh(_ document: inout AnalysedDocument) { counter.weigh(&document, vocabulary.keys) }
}

/// Counts how often each term stands in a document.
struct TermCounter: Sendable {
  /// Terms of the present document by a hash of their numbers.
  ///
  /// Its mark in the high half, the slot in the low one. So small that it stays in the nearest
  /// cache, unlike something kept by term.
  private var table: [UInt64] = []
  /// Counts documents; what carries another mark is free.
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

  /// - Complexity: O(tokens).
  private mutating func count(
    _ tokens: DocumentTokens, _ keys: TermKeys, into terms: inout [TermImpact]
  ) {
    terms.removeAll(keepingCapacity: true)
    occurrences.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    following.removeAll(keepingCapacity: true)
    beginDocument(tokens.tokens.count)
    for (index, token) in tokens.tokens.enumerated() {
      following.append(-1)
      let slot = slot(of: token.term, terms)
      if slot == terms.count {
        terms.append(TermImpact(term: token.term, impact: Impact(packed: 0)))
        occurrences.append(Occurrence())
        ends.append((Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: index)))
      } else {
        following[Int(ends[slot].last)] = Int32(truncatingIfNeeded: index)
        ends[slot].last = Int32(truncatingIfNeeded: index)
      }
      occurrences[slot].count(Int(token.kind))
      if token.kind == 0 {
        let (isPair, isPart) = (keys.isPair(token.term), keys.isPart(token.term))
        occurrences[slot].raise(tokens.place(token, isPair: isPair, isPart: isPart))
      }
    }
    for index in terms.indices {
      terms[index].impact = Impact(occurrences[index], lengths: tokens.lengths)
    }
    if !tokens.weights.isEmpty { weigh(tokens, &terms) }
  }

  /// Corrects the impacts of the terms just counted for the weights of the fields.
  /// - Complexity: O(tokens).
  private func weigh(_ tokens: DocumentTokens, _ terms: inout [TermImpact]) {
    for slot in terms.indices {
      var weighted = WeightedOccurrence()
      var walk = WeightWalk(tokens.weights)
      var next = Int(ends[slot].first)
      while next >= 0 {
        let token = tokens.tokens[next]
        next = Int(following[next])
        weighted.count(token.kind, weight: walk.weight(token.kind, token.position))
      }
      let place = occurrences[slot].place
      terms[slot].impact = Impact(weighted, place: place, lengths: tokens.lengths)
    }
  }

  /// Frees the table, and makes it large enough for so many terms.
  private mutating func beginDocument(_ count: Int) {
    mark &+= 1
    guard table.count < 2 * count || mark == 0 else { return }
    var size = 64
    while size < 2 * count { size *= 2 }
    table = Array(repeating: 0, count: max(size, table.count))
    mark = 1
  }

  /// The slot of a term, the next one for one that was not met yet.
  @inline(__always) private mutating func slot(of term: UInt32, _ terms: [TermImpact]) -> Int {
    let mask = table.count - 1
    var at = Int(truncatingIfNeeded: UInt64(term) &* 0x9E37_79B9_7F4A_7C15 >> 32) & mask
    while table[at] >> 32 == UInt64(mark) {
      let slot = Int(truncatingIfNeeded: table[at] & 0xFFFF_FFFF)
      if terms[slot].term == term { return slot }
      at = (at + 1) & mask
    }
    table[at] = UInt64(mark) << 32 | UInt64(terms.count)
    return terms.count
  }

  /// Writes the positions of the terms just counted.
  /// - Complexity: O(tokens).
  private mutating func writePositions(
    _ tokens: DocumentTokens, _ terms: inout [TermImpact], into bytes: inout [UInt8]
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
    _ fields: [TextIndex.Field], _ bytes: [UInt8], _ analyzer: Analyzer,
    _ buffer: inout TokenBuffer, _ vocabulary: inout Vocabulary
  ) {
    removeAll()
    for kind in TextIndex.FieldKind.allCases {
      var start: UInt32 = 0
      var weight: Float = 1
      for field in fields where field.kind == kind {
        analyzer.analyze(bytes.span.extracting(field.bytes), into: &buffer)
        guard let last = buffer.tokens.last else { continue }
        // An emoji at the end stands behind the last counted position.
        let length = max(buffer.positionCount, last.position + 1)
        take(buffer, kind, start, &vocabulary)
        if kind == .title { titles.append(Title(start: start, length: length)) }
        if field.weight != weight {
          weight = field.weight
          weights.append(FieldWeight(kind: kind.rawValue, start: start, weight: weight))
        }
        lengths[Int(kind.rawValue)] += length
        start += length + IndexLimits.valueGap
      }
    }
  }

  private mutating func take(
    _ buffer: borrowing TokenBuffer, _ kind: TextIndex.FieldKind, _ start: UInt32,
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
