package import LMDB

extension TextIndex {
  /// Items that get more than the bonus, too few to raise the bound of all.
  package struct Boosts {
    /// What a hit gets more.
    package typealias Extra = (Hit, borrowing ReadTransaction) throws(CairnError) -> Double

    /// The items, ascending.
    package var items: [UInt32]
    /// What a hit of one of them gets more.
    package var extra: Extra

    /// Items, ascending, and what their hits get more.
    package init(items: [UInt32], extra: @escaping Extra) {
      self.items = items
      self.extra = extra
    }

    package static var none: Boosts { Boosts(items: [], extra: { (_, _) in 0 }) }

    /// Gives those of the hits that are of these items their extra.
    func add(to hits: inout [Hit], _ txn: borrowing ReadTransaction) throws(CairnError) {
      for index in hits.indices where items.index(sorted: hits[index].item) != nil {
        hits[index].score += try extra(hits[index], txn)
      }
    }
  }

  /// Gives boosts their extra and puts them where they belong, of all hits.
  static func applyBoosts(
    _ hits: [Hit], _ boosts: Boosts, _ request: Request, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [Hit] {
    var hits = hits
    try boosts.add(to: &hits, txn)
    hits.sort(by: TopHits.isBetter)
    return request.limit.map { Array(hits.prefix($0)) } ?? hits
  }
}

extension DocumentVisibility {
  /// Under which items the texts of items stand, each once, ascending: that of an item may stand
  /// under another one of them.
  private func texts(of items: [UInt32], _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt32]
  {
    guard let text = standing?.text else { return items }
    var texts: Set<UInt32> = []
    for item in items { texts.insert(try text(item, txn)) }
    return texts.sorted()
  }

  /// The documents that the items, ascending, had at the point, those that had one; ascending too.
  ///
  /// Of an item that got another text since also what it had before.
  /// - Complexity: O(items), a look at the table of items for neighbours together; where some got
  ///   another text since, O(documents), some 5 ns each.
  func documents(of items: [UInt32], _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt32]
  {
    guard !items.isEmpty else { return [] }
    let items = try texts(of: items, txn)
    var latest: [UInt32: UInt32] = [:]
    for (place, document) in pending.documents.enumerated() {
      let number = pending.first + UInt32(place)
      guard number < state.nextDocument else { break }
      if items.index(sorted: document.header.item) != nil { latest[document.header.item] = number }
    }
    var documents: [UInt32] = []
    var changed: [UInt32] = []
    var place = 0
    while place < items.count {
      let number = ItemBlock.number(of: items[place])
      let row = try txn.get(tables.items, IndexTables.key(number))
      while place < items.count, ItemBlock.number(of: items[place]) == number {
        let item = items[place]
        place += 1
        var document: UInt32 = 0
        if let number = latest[item] {
          document = number
        } else if let row {
          document = try ItemBlock.document(of: item, row)
        }
        let isLive = document > 0 && pending.end(of: document, in: state) == nil
        if isLive, document <= lastDocument { documents.append(document) }
        if asOf != nil, !isLive || document > lastDocument { changed.append(item) }
      }
    }
    if !changed.isEmpty { documents += try self.documents(ofAny: changed, txn) }
    documents.sort()
    return documents
  }

  /// All documents of the items, ascending, up to the point, whether they had ended or not.
  private func documents(ofAny items: [UInt32], _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt32]
  {
    var documents: [UInt32] = []
    func add(_ first: UInt32, _ found: [UInt32]) {
      for (place, item) in found.enumerated() where items.index(sorted: item) != nil {
        documents.append(first + UInt32(place))
      }
    }
    let merged = min(lastDocument, state.mergedDocument)
    if merged > 0 { try ColumnBlock.forEach(in: 1...merged, txn, tables, add) }
    if pending.first <= lastDocument {
      add(
        pending.first,
        pending.documents.prefix(Int(lastDocument - pending.first) + 1).map(\.header.item))
    }
    return documents
  }
}

extension SearchRun {
  /// Visits some documents, ascending, and keeps those that match and are good enough with an
  /// extra, before all others are looked at.
  mutating func runFirst(
    _ documents: [UInt32], extra: TextIndex.Boosts.Extra? = nil,
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
