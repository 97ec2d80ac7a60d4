internal import LMDB

/// What an audit knows of each merged document before it reads postings.
///
/// Postings come by term, so documents are looked up in no order and each look-up waits for memory:
/// all that is read and written then stands in one place of 24 bytes.
struct AuditedDocuments: Sendable {
  /// A document with at most one title and lengths that fit; of any other the place in `wide`.
  struct Entry: Sendable {
    fileprivate var text: UInt32 = 0
    fileprivate var title: UInt16 = 0
    fileprivate var keywords: UInt16 = 0
    fileprivate var description: UInt16 = 0
    /// Positions of the sole title, which begins at 0; 0 when there is none.
    fileprivate var soleTitle: UInt16 = 0
    fileprivate var wide: UInt32 = 0
    /// Over the tokens that a thread found.
    var sum: UInt64 = 0
  }

  private struct Wide: Sendable {
    var lengths: SIMD4<UInt32>
    var titles: [DocumentTokens.Title]
  }

  /// By number; the first one is none.
  private(set) var entries: [Entry] = [Entry()]
  /// What lengths and titles add to each `ContentHash`, less the title tokens of the record, so
  /// that the tokens of the postings make it whole only when both have the same titles.
  private(set) var sums: [UInt64] = [0]
  /// By the number in an entry; the first one is none.
  private var wide: [Wide] = [Wide(lengths: SIMD4(), titles: [])]

  init(capacity: Int) {
    entries.reserveCapacity(capacity + 1)
    sums.reserveCapacity(capacity + 1)
  }

  /// Adds the document after the last one; its tokens are those of its titles.
  mutating func append(_ document: DocumentTokens) {
    var sum = ContentHash.frame(document)
    for token in document.tokens { sum &-= Self.mix(token.term, token.position) }
    sums.append(sum)
    entries.append(entry(document))
  }

  private mutating func entry(_ document: DocumentTokens) -> Entry {
    let lengths = document.lengths
    let title = document.titles.first ?? DocumentTokens.Title(start: 0, length: 1)
    let isNarrow =
      document.titles.count <= 1 && title.start == 0 && title.length > 0
      && max(title.length, lengths[0], lengths[1], lengths[2]) <= UInt32(UInt16.max)
    guard isNarrow else {
      wide.append(Wide(lengths: lengths, titles: document.titles))
      return Entry(wide: UInt32(truncatingIfNeeded: wide.count - 1))
    }
    return Entry(
      text: lengths[3],
      title: UInt16(truncatingIfNeeded: lengths[0]),
      keywords: UInt16(truncatingIfNeeded: lengths[1]),
      description: UInt16(truncatingIfNeeded: lengths[2]),
      soleTitle: document.titles.isEmpty ? 0 : UInt16(truncatingIfNeeded: title.length)
    )
  }

  /// The lengths of a document.
  @inline(__always)
  func lengths(_ entry: Entry) -> SIMD4<UInt32> {
    guard entry.wide == 0 else { return wide[Int(entry.wide)].lengths }
    return SIMD4(
      UInt32(entry.title),
      UInt32(entry.keywords),
      UInt32(entry.description),
      entry.text
    )
  }

  /// The length of one field of a document.
  @inline(__always)
  func length(_ entry: Entry, _ kind: Int) -> UInt32 {
    guard entry.wide == 0 else { return wide[Int(entry.wide)].lengths[kind] }
    switch kind {
    case 0: return UInt32(entry.title)
    case 1: return UInt32(entry.keywords)
    case 2: return UInt32(entry.description)
    default: return entry.text
    }
  }

  /// Where a token of the titles stands in them at best.
  @inline(__always)
  func place(
    _ entry: Entry,
    _ token: DocumentTokens.Token,
    isPair: Bool,
    isPart: Bool
  ) -> TitlePlace {
    guard entry.wide == 0 else {
      let titles = wide[Int(entry.wide)].titles[...]
      return DocumentTokens.place(token, in: titles, isPair: isPair, isPart: isPart)
    }
    guard token.position == 0, entry.soleTitle > 0 else { return .inside }
    return entry.soleTitle == (isPair ? 2 : 1) && !isPart ? .whole : .start
  }

  /// What a title token adds besides its part of the `ContentHash`.
  @inline(__always)
  static func mix(_ term: UInt32, _ position: UInt32) -> UInt64 {
    var hash = UInt64(term) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(position)
    hash ^= hash &>> 29
    hash = hash &* 0xBF58_476D_1CE4_E5B9
    return hash ^ (hash &>> 32) | 1
  }
}
