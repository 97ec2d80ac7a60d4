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

  /// How many hits are needed so that the best remain when boosts are taken out.
  static func limit(_ request: Request, _ boosts: Boosts) -> Int? {
    guard let limit = request.limit, !boosts.items.isEmpty else { return request.limit }
    // Only the present knows an item's document; a past point looks at all matches.
    return request.asOf == nil ? limit + boosts.items.count : nil
  }

  /// Gives boosts their extra and puts them where they belong.
  func applyBoosts(
    _ hits: [Hit], _ boosts: Boosts, _ request: Request, _ facts: DocumentVisibility,
    _ run: consuming SearchRun, _ txn: borrowing ReadTransaction,
    bonus: (UInt32) throws(CairnError) -> Double, accept: (UInt32) throws(CairnError) -> Bool
  ) throws(CairnError) -> [Hit] {
    guard !boosts.items.isEmpty else { return hits }
    var boosted: [Hit]
    if request.asOf == nil {
      let documents = try facts.documents(of: boosts.items, txn)
      try run.runOnly(documents.sorted(), txn, bonus, accept)
      boosted = run.hits.sorted()
    } else {
      boosted = hits.filter { boosts.items.contains($0.item) }
    }
    for index in boosted.indices { boosted[index].score += boosts.extra(boosted[index]) }
    boosted += hits.filter { !boosts.items.contains($0.item) }
    boosted.sort(by: TopHits.isBetter)
    return request.limit.map { Array(boosted.prefix($0)) } ?? boosted
  }
}

extension DocumentVisibility {
  /// The present documents of the items that have one.
  func documents(of items: Set<UInt32>, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt32]
  {
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
  /// Visits some documents, ascending, and keeps those that match.
  mutating func runOnly(
    _ documents: [UInt32], _ txn: borrowing ReadTransaction, _ bonus: Bonus, _ accept: Accept
  ) throws(CairnError) {
    for document in documents where document <= lastDocument {
      candidates.removeAll()
      for index in plan.groups.indices {
        guard try plan.groups[index].seek(document, txn, tables) == document else { continue }
        candidates.beginMerge()
        candidates.merge(document, plan.groups[index].evidence(document), index, tier: 4)
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
