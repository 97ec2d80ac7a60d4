internal import LMDB

/// What an audit knows of each merged document before it reads postings.
///
/// Postings come by term, so documents are looked up in no order and each look-up waits for memory:
/// all that is read and written then stands in one place of 16 bytes.
struct AuditedDocuments: Sendable {
  /// A document with at most one title and lengths that fit; of any other the place in `wide`.
  struct Entry: Sendable {
    fileprivate var text: UInt16 = 0
    fileprivate var description: UInt16 = 0
    fileprivate var title: UInt8 = 0
    fileprivate var keywords: UInt8 = 0
    /// Positions of the sole title, which begins at 0; 0 when there is none.
    fileprivate var soleTitle: UInt8 = 0
    fileprivate var isWide = false
    /// Over the tokens that a thread found.
    var sum: UInt64 = 0

    /// The place in `wide`.
    fileprivate var wide: Int { Int(text) << 16 | Int(description) }

    init() {}

    /// Of a document in `wide`.
    fileprivate init(wide: Int) {
      text = UInt16(truncatingIfNeeded: wide >> 16)
      description = UInt16(truncatingIfNeeded: wide)
      isWide = true
    }
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
  /// By the place in an entry.
  private var wide: [Wide] = []

  init(capacity: Int) {
    entries.reserveCapacity(capacity + 1)
    LargePages.request(for: &entries)
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
    guard document.titles.count <= 1, title.start == 0,
      let text = UInt16(exactly: lengths[3]), let description = UInt16(exactly: lengths[2]),
      let titleLength = UInt8(exactly: lengths[0]), let keywords = UInt8(exactly: lengths[1]),
      let soleTitle = UInt8(exactly: title.length), soleTitle > 0
    else {
      wide.append(Wide(lengths: lengths, titles: document.titles))
      return Entry(wide: wide.count - 1)
    }
    var entry = Entry()
    entry.text = text
    entry.description = description
    entry.title = titleLength
    entry.keywords = keywords
    entry.soleTitle = document.titles.isEmpty ? 0 : soleTitle
    return entry
  }

  /// The lengths of a document.
  @inline(__always)
  func lengths(_ entry: Entry) -> SIMD4<UInt32> {
    if entry.isWide { return wide[entry.wide].lengths }
    return SIMD4(
      UInt32(entry.title),
      UInt32(entry.keywords),
      UInt32(entry.description),
      UInt32(entry.text)
    )
  }

  /// The length of one field of a document.
  @inline(__always)
  func length(_ entry: Entry, _ kind: Int) -> UInt32 {
    if entry.isWide { return wide[entry.wide].lengths[kind] }
    switch kind {
    case 0: return UInt32(entry.title)
    case 1: return UInt32(entry.keywords)
    case 2: return UInt32(entry.description)
    default: return UInt32(entry.text)
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
    if entry.isWide {
      let titles = wide[entry.wide].titles[...]
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
