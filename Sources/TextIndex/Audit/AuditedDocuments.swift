/// What an audit knows of each merged document, and sums up of it.
///
/// Postings come by term, so documents are looked up in no order and each look-up waits for memory:
/// all that is read and written of most then stands in one place of 32 bytes.
struct AuditedDocuments {
  struct Entry {
    var lengths = SIMD4<UInt32>()
    var titleStart: UInt32 = 0
    var titleCount: UInt32 = 0
    /// At first what lengths and titles add to the `ContentHash`, less the record's title tokens:
    /// the tokens of the postings make it whole only when both have the same titles.
    var sum: UInt64 = 0
  }

  /// By number; the first one is none.
  var entries: [Entry] = [Entry()]
  private var titles: [DocumentTokens.Title] = []

  init(capacity: Int) { entries.reserveCapacity(capacity + 1) }

  /// Adds the document after the last one; its tokens are those of its titles.
  mutating func append(_ document: DocumentTokens) {
    var sum = ContentHash.frame(document)
    for token in document.tokens { sum &-= Self.mix(token.term, token.position) }
    entries.append(
      Entry(
        lengths: document.lengths, titleStart: UInt32(titles.count),
        titleCount: UInt32(document.titles.count), sum: sum))
    titles += document.titles
  }

  /// Where a token of the titles stands in them at best.
  func place(_ token: DocumentTokens.Token, _ entry: Entry, _ term: AuditedTerm) -> TitlePlace {
    let start = Int(entry.titleStart)
    let titles = titles[start..<start + Int(entry.titleCount)]
    return DocumentTokens.place(token, in: titles, isPair: term.isPair, isPart: term.isPart)
  }

  /// What a title token adds besides its part of the `ContentHash`.
  static func mix(_ term: UInt32, _ position: UInt32) -> UInt64 {
    var hash = UInt64(term) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(position)
    hash ^= hash &>> 29
    hash = hash &* 0xBF58_476D_1CE4_E5B9
    return hash ^ (hash &>> 32) | 1
  }
}
