internal import LMDB

/// Which groups of a query each term belongs to, as bits; at most 64 groups.
struct GroupBits: Sendable, Hashable {
  /// Groups the term stands for in any way.
  var any: UInt64 = 0
  /// Groups it stands for without a misspelling.
  var typed: UInt64 = 0
  /// Groups whose very word it is.
  var whole: UInt64 = 0

  mutating func insert(_ group: Int, _ match: TermMatch) {
    let bit: UInt64 = 1 << UInt64(group)
    any |= bit
    if match != .typo { typed |= bit }
    if match == .whole { whole |= bit }
  }
}

/// The bits of each term of a query: a handful in an array, thousands of completions in a table.
struct TermBits: Sendable {
  private var few: [(term: UInt32, bits: GroupBits)] = []
  private var many: [UInt32: GroupBits] = [:]

  mutating func insert(_ term: UInt32, _ group: Int, _ match: TermMatch) {
    if many.isEmpty {
      for index in few.indices where few[index].term == term {
        few[index].bits.insert(group, match)
        return
      }
      few.append((term, GroupBits()))
      few[few.count - 1].bits.insert(group, match)
      if few.count > 12 { many = Dictionary(uniqueKeysWithValues: few.map { ($0.term, $0.bits) }) }
    } else {
      many[term, default: GroupBits()].insert(group, match)
    }
  }

  subscript(_ term: UInt32) -> GroupBits? {
    guard many.isEmpty else { return many[term] }
    for entry in few where entry.term == term { return entry.bits }
    return nil
  }
}

/// The words of the query inside one document, with their places.
///
/// For title tiers, and for phrases in buffered documents. Of a merged document it has the titles.
struct PositionIndex: Sendable {
  /// By term id for merged documents.
  var merged = TermBits()
  /// By index of the pending vocabulary for buffered documents.
  var pending = TermBits()
  /// Longer words of the last word, besides those in `merged`, and its group.
  var completions: (terms: TermUnion, group: Int)?

  private var tokens = DocumentTokens()
  private var found: [(place: UInt64, bits: GroupBits)] = []
  private var titles: [DocumentTokens.Title] = []

  init() {}

  /// Finds the words of the query in a document.
  mutating func load(
    _ document: UInt32, _ facts: inout DocumentVisibility, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    try facts.tokens(document, into: &tokens, txn)
    let isPending = facts.pending.document(document) != nil
    found.removeAll(keepingCapacity: true)
    for token in tokens.tokens {
      guard let bits = isPending ? pending[token.term] : mergedBits(token.term) else { continue }
      let place = UInt64(token.kind) << 32 | UInt64(token.position)
      if let last = found.last, last.place == place {
        found[found.count - 1].bits.any |= bits.any
        found[found.count - 1].bits.typed |= bits.typed
        found[found.count - 1].bits.whole |= bits.whole
      } else {
        found.append((place, bits))
      }
    }
    titles = tokens.titles
  }

  private func mergedBits(_ term: UInt32) -> GroupBits? {
    var bits = merged[term]
    if let completions, completions.terms.contains(term) {
      var both = bits ?? GroupBits()
      both.insert(completions.group, .completion)
      bits = both
    }
    return bits
  }

  /// Adds where a group stands, in order.
  func appendPlaces(of group: Int, to places: inout [UInt64]) {
    for word in found where word.bits.any >> UInt64(group) & 1 == 1 { places.append(word.place) }
  }

  /// The tier of a document that has every group in its titles: 2…4, or 1.
  ///
  /// `offsets` are the groups with their positions in the query, `length` the positions it takes.
  func titleTier(_ offsets: [PhraseElement], length: UInt32) -> UInt8 {
    var best: UInt8 = 1
    for title in titles {
      let base = UInt64(title.start)
      var isStart = true
      var isWhole = title.length == length
      for (group, position) in offsets {
        let bits = bits(at: base + UInt64(position))
        if position >= title.length || bits.typed >> UInt64(group) & 1 == 0 { isStart = false }
        if bits.whole >> UInt64(group) & 1 == 0 { isWhole = false }
      }
      if isStart { return isWhole ? 4 : max(best, 3) }
      if best < 2, isInOrder(offsets, title) { best = 2 }
    }
    return best
  }

  private func isInOrder(_ offsets: [PhraseElement], _ title: DocumentTokens.Title) -> Bool {
    let end = UInt64(title.start) + UInt64(title.length)
    var place = UInt64(title.start)
    for (index, (group, position)) in offsets.enumerated() {
      var next: UInt64?
      for candidate in found where candidate.place >= place && candidate.place < end {
        if candidate.bits.typed >> UInt64(group) & 1 == 1 {
          next = candidate.place
          break
        }
      }
      guard let next else { return false }
      // An emoji has the position of the word after it.
      let isShared = index + 1 < offsets.count && offsets[index + 1].position == position
      place = isShared ? next : next + 1
    }
    return true
  }

  private func bits(at place: UInt64) -> GroupBits {
    let at = found.indices.partitioningIndex { found[$0].place >= place }
    return at < found.count && found[at].place == place ? found[at].bits : GroupBits()
  }
}
