import LMDB

extension TextIndex {
  /// Items that get more than the bonus, too few to raise the bound of all.
  package struct Boosts {
    /// The items.
    package var items: Set<UInt32>
    /// What a hit of one of them gets more.
    package var extra: (Hit) -> Double

    /// Items and what their hits get more.
    package init(items: Set<UInt32>, extra: @escaping (Hit) -> Double) {
      self.items = items
      self.extra = extra
    }

    /// No items.
    package static var none: Boosts { Boosts(items: [], extra: { _ in 0 }) }
  }

  /// Gives boosts their extra and puts them where they belong, of all hits of a past point.
  static func applyBoosts(_ hits: [Hit], _ boosts: Boosts, _ request: Request) -> [Hit] {
    var hits = hits
    for index in hits.indices where boosts.items.contains(hits[index].item) {
      hits[index].score += boosts.extra(hits[index])
    }
    hits.sort(by: TopHits.isBetter)
    return request.limit.map { Array(hits.prefix($0)) } ?? hits
  }
}

extension DocumentVisibility {
  /// The present documents of the items that have one.
  func documents(of items: Set<UInt32>, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt32]
  {
    guard !items.isEmpty else { return [] }
    var latest: [UInt32: UInt32] = [:]
    for (place, document) in pending.documents.enumerated() {
      let number = pending.first + UInt32(place)
      guard number < state.nextDocument else { break }
      if items.contains(document.header.item) { latest[document.header.item] = number }
    }
    var table = ItemTable()
    var documents: [UInt32] = []
    for item in items {
      let document: UInt32
      if let number = latest[item] {
        document = number
      } else {
        document = try table.entry(item, txn, tables).document
      }
      guard document > 0, pending.end(of: document, in: state) == nil else { continue }
      documents.append(document)
    }
    return documents
  }
}

extension SearchRun {
  /// Visits some documents, ascending, and keeps those that match and are good enough with an
  /// extra, before all others are looked at.
  mutating func runFirst(
    _ documents: [UInt32], extra: ((TextIndex.Hit) -> Double)? = nil,
    _ txn: borrowing ReadTransaction, _ bonus: Bonus, _ accept: Accept
  ) throws(CairnError) {
    guard !documents.isEmpty else { return }
    let start = plan.groups
    self.extra = extra
    try runOnly(documents, txn, bonus, accept)
    self.extra = nil
    plan.groups = start
    seen = seen.isEmpty ? documents : (seen + documents).sorted()
  }

  /// Visits some documents, ascending, and keeps those that match.
  mutating func runOnly(
    _ documents: [UInt32], _ txn: borrowing ReadTransaction, _ bonus: Bonus, _ accept: Accept
  ) throws(CairnError) {
    for document in documents where document <= lastDocument {
      candidates.removeAll()
      for index in plan.groups.indices {
        guard try plan.groups[index].seek(document, txn, tables) == document else {
          guard mode == .any else { break }
          continue
        }
        candidates.beginMerge()
        candidates.merge(
          document, plan.groups[index].evidence(document), index, tier: 4,
          worth: documentWorths?[document] ?? 1)
        candidates.endMerge()
      }
      guard candidates.count == 1 else { continue }
      let candidate = candidates[0]
      let count = plan.groups.indices.count { candidates.evidence(candidate.slot, $0) != nil }
      guard mode == .any ? count > 0 : count == plan.groups.count else { continue }
      try consider(candidate, txn, bonus, accept)
    }
  }
}
