/// What an audit knows of each merged document before it reads postings.
///
/// Postings come by term, so documents are looked up in no order and each look-up waits for memory:
/// all that is read and written then stands in one place of 16 bytes.
struct AuditedDocuments: Sendable {
  /// Lengths and the sole title of a document, or the place in `wide` of one with more than that,
  /// with weights, or with lengths that do not fit.
  ///
  /// Bits: 0–15 length of the text, 16–31 of the description, 32–39 of the titles, 40–47 of the
  /// keywords, 48–55 positions of the sole title, which begins at 0, or 0 when there is none; with
  /// bit 63 the place.
  struct Facts: Sendable {
    fileprivate var packed: UInt64 = 0

    init() {}

    /// Of a document in `wide`.
    fileprivate init(wide: Int) { packed = UInt64(wide) | 1 << 63 }

    fileprivate init(_ lengths: SIMD4<UInt32>, soleTitle: UInt64) {
      packed =
        UInt64(lengths[3]) | UInt64(lengths[2]) << 16 | UInt64(lengths[0]) << 32 | UInt64(
          lengths[1]) << 40 | soleTitle << 48
    }

    @inline(__always) fileprivate var isWide: Bool { packed >> 63 == 1 }
    /// The place in `wide`.
    fileprivate var wide: Int { Int(packed & 0xFFFF_FFFF) }
    @inline(__always) fileprivate var text: UInt32 { UInt32(packed & 0xFFFF) }
    @inline(__always) fileprivate var description: UInt32 { UInt32(packed >> 16 & 0xFFFF) }
    @inline(__always) fileprivate var title: UInt32 { UInt32(packed >> 32 & 0xFF) }
    @inline(__always) fileprivate var keywords: UInt32 { UInt32(packed >> 40 & 0xFF) }
    @inline(__always) fileprivate var soleTitle: UInt32 { UInt32(packed >> 48 & 0xFF) }
  }

  struct Entry: Sendable {
    var facts = Facts()
    /// Over the tokens found so far.
    var sum: UInt64 = 0
  }

  private struct Wide: Sendable {
    var lengths: SIMD4<UInt32>
    var titles: [DocumentTokens.Title]
    var weights: [FieldWeight]
  }

  /// By number; the first one is none.
  private(set) var entries: [Entry] = [Entry()]
  /// What lengths and titles add to each `ContentHash`, less the title tokens of the record, so
  /// that the tokens of the postings make it whole only when both have the same titles.
  private(set) var sums: [UInt64] = [0]
  /// By the place in an entry.
  private var wide: [Wide] = []

  init(capacity: Int) {
    entries.reserveCapacity(capacity + 1)
    sums.reserveCapacity(capacity + 1)
  }

  /// Adds the document after the last one; its tokens are those of its titles.
  mutating func append(_ document: DocumentTokens) {
    var sum = ContentHash.frame(document)
    for token in document.tokens { sum &-= Self.mix(token.term, token.position) }
    sums.append(sum)
    entries.append(Entry(facts: facts(document)))
  }

  private mutating func facts(_ document: DocumentTokens) -> Facts {
    let lengths = document.lengths
    let title = document.titles.first ?? DocumentTokens.Title(start: 0, length: 1)
    guard document.titles.count <= 1, document.weights.isEmpty, title.start == 0,
      (1...0xFF).contains(title.length),
      lengths[3] <= 0xFFFF, lengths[2] <= 0xFFFF, lengths[1] <= 0xFF, lengths[0] <= 0xFF
    else {
      wide.append(Wide(lengths: lengths, titles: document.titles, weights: document.weights))
      return Facts(wide: wide.count - 1)
    }
    return Facts(lengths, soleTitle: document.titles.isEmpty ? 0 : UInt64(title.length))
  }

  @inline(__always) func lengths(_ facts: Facts) -> SIMD4<UInt32> {
    if facts.isWide { return wide[facts.wide].lengths }
    return SIMD4(facts.title, facts.keywords, facts.description, facts.text)
  }

  /// Nil where all is 1.
  @inline(__always) func weights(_ facts: Facts) -> [FieldWeight]? {
    guard facts.isWide else { return nil }
    let weights = wide[facts.wide].weights
    return weights.isEmpty ? nil : weights
  }

  @inline(__always) func length(_ facts: Facts, _ kind: Int) -> UInt32 {
    if facts.isWide { return wide[facts.wide].lengths[kind] }
    switch kind {
    case 0: return facts.title
    case 1: return facts.keywords
    case 2: return facts.description
    default: return facts.text
    }
  }

  /// Where a token of the titles stands in them at best.
  @inline(__always) func place(
    _ facts: Facts, _ token: DocumentTokens.Token, isPair: Bool, isPart: Bool
  ) -> TitlePlace {
    if facts.isWide {
      let titles = wide[facts.wide].titles[...]
      return DocumentTokens.place(token, in: titles, isPair: isPair, isPart: isPart)
    }
    guard token.position == 0, facts.soleTitle > 0 else { return .inside }
    return facts.soleTitle == (isPair ? 2 : 1) && !isPart ? .whole : .start
  }

  /// What a title token adds besides its part of the `ContentHash`.
  @inline(__always) static func mix(_ term: UInt32, _ position: UInt32) -> UInt64 {
    var hash = UInt64(term) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(position)
    hash ^= hash &>> 29
    hash = hash &* 0xBF58_476D_1CE4_E5B9
    return hash ^ (hash &>> 32) | 1
  }
}
