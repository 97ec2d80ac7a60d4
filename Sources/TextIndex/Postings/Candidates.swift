/// Documents that may become hits, ascending, with what each group of a query gives them.
///
/// Made window by window: groups are merged in or joined one after the other, so that each is read
/// in one go instead of from document to document.
struct Candidates: Sendable {
  struct Entry: Sendable {
    var document: UInt32
    /// Where what the groups give it stands.
    var slot: UInt32
    /// Its index in the postings of the group that was merged in first.
    var at: UInt32 = 0
    /// Where the group that was joined last stands in it, inside `places`.
    var placesStart: UInt32 = 0
    var placesCount: UInt32 = 0
    /// The best tier it can still have.
    var tier: UInt8
    /// Sum of what the groups taken in so far give.
    var text: Double
    /// What its bonus is worth at most, where that is known of single documents.
    var worth: Double
  }

  private(set) var entries: [Entry] = []
  /// Those from before the group that is being merged in, and how many of them are in again.
  private var before: [Entry] = []
  private var taken = 0
  private var evidence: [TermGroup.Evidence] = []
  private var slotCount = 0
  private let groupCount: Int
  /// Where the group that was joined last stands in the documents that keep that.
  var places: [UInt64] = []

  init(groupCount: Int) { self.groupCount = groupCount }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    slotCount = 0
  }

  /// What a group gives a candidate, nothing when it does not have the group.
  func evidence(_ slot: UInt32, _ group: Int) -> TermGroup.Evidence? {
    let found = evidence[Int(slot) * groupCount + group]
    return found.isPresent ? found : nil
  }

  /// Enters what a group gives a candidate.
  @inline(__always) mutating func enter(
    _ found: TermGroup.Evidence, in entry: inout Entry, _ group: Int, tier: UInt8
  ) {
    entry.text += found.score
    entry.tier = min(entry.tier, tier)
    evidence[Int(entry.slot) * groupCount + group] = found
  }

  mutating func beginMerge() {
    swap(&entries, &before)
    entries.removeAll(keepingCapacity: true)
    taken = 0
  }

  /// Merges a document of the group in; documents must rise.
  @inline(__always) mutating func merge(
    _ document: UInt32, _ found: TermGroup.Evidence, _ group: Int, tier: UInt8, worth: Double,
    at: Int = 0
  ) {
    while taken < before.count, before[taken].document < document {
      entries.append(before[taken])
      taken += 1
    }
    if taken < before.count, before[taken].document == document {
      var entry = before[taken]
      enter(found, in: &entry, group, tier: tier)
      entries.append(entry)
      taken += 1
    } else {
      entries.append(entry(document, found, group, tier: tier, worth: worth, at: at))
    }
  }

  /// A new candidate that one group gives something; not among the others yet.
  @inline(__always) mutating func entry(
    _ document: UInt32, _ found: TermGroup.Evidence, _ group: Int, tier: UInt8, worth: Double,
    at: Int
  ) -> Entry {
    let slot = UInt32(truncatingIfNeeded: slotCount)
    let start = slotCount * groupCount
    slotCount += 1
    if evidence.count < start + groupCount {
      let more = max(evidence.count, groupCount * 16)
      evidence.append(contentsOf: repeatElement(TermGroup.Evidence(), count: more))
    }
    for index in start..<start + groupCount { evidence[index].isPresent = false }
    evidence[start + group] = found
    let posting = UInt32(truncatingIfNeeded: at)
    return Entry(
      document: document, slot: slot, at: posting, tier: tier, text: found.score, worth: worth)
  }

  mutating func endMerge() { entries.append(contentsOf: before[taken...]) }

  subscript(_ index: Int) -> Entry {
    @inline(__always) get { entries[index] }
    @inline(__always) set { entries[index] = newValue }
  }

  var count: Int { entries.count }

  /// Drops all but the first so many.
  mutating func keep(_ count: Int) { entries.removeLast(entries.count - count) }
}

/// What a join needs to know about one group and the state of the run.
struct JoinTerms: Sendable {
  var group: Int
  /// What the groups joined later give at most.
  var rest: Double
  /// Whether candidates without the group are dropped.
  var isRequired: Bool
  /// By tier, one more than the text below which nothing of no worth can enter; nil while anything
  /// can.
  var needed: SIMD8<Double>?
  /// What single documents are worth; nil where what is needed takes all of them into account.
  var worths: DocumentWorths?
  /// By place in a title, the best tier of a document that has the group there; of misspellings
  /// none.
  var tiers: SIMD4<UInt8>
  /// How the group stands to the rarest one, where their places in documents are compared.
  var pair: GroupPair?

  /// The best tier of a document with so much of the group.
  @inline(__always) func tier(of found: TermGroup.Evidence) -> UInt8 {
    found.isTypo ? 0 : tiers[Int(found.place)]
  }

  /// Whether the places of the group in a document are kept, to be compared.
  @inline(__always) func wantsPlaces(_ entry: Candidates.Entry) -> Bool {
    guard let pair, entry.document <= pair.lastMerged else { return false }
    return pair.isPhrase || entry.tier > 1
  }

  /// What a document's bonus is worth at most.
  @inline(__always) func worth(of document: UInt32) -> Double { worths?[document] ?? 1 }

  /// Whether a candidate that gets so much more is surely shut out of a tier; sums in another order
  /// differ a little.
  @inline(__always) func shutsOut(_ entry: Candidates.Entry, with more: Double, tier: UInt8) -> Bool
  {
    guard let needed else { return false }
    let text = (entry.text + more + rest) * (1 + 1e-9) + 1e-9
    return (1 + text) * entry.worth < needed[Int(tier)]
  }
}
