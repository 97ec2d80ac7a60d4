internal import LMDB

extension SearchRun {
  /// Visits the documents that all groups have, led by a group of one list: postings of it that
  /// cannot enter, whatever the other groups give, are passed over by comparing one number.
  mutating func runLed(
    by lead: Int,
    _ others: ArraySlice<Int>,
    _ txn: borrowing ReadTransaction,
    _ bonus: Bonus,
    _ accept: Accept
  ) throws(StorageError) {
    // By place in `others`: what the groups from there on give at most.
    var rest = [0.0]
    for index in others.reversed() {
      rest.append(rest[rest.count - 1] + plan.groups[index].ceiling)
    }
    rest.reverse()
    var target: UInt32 = 1
    var least = leastUnits(lead, rest[0])
    while target <= lastDocument {
      try plan.groups[lead].cursors[0].approach(target, txn, tables)
      let end = plan.groups[lead].cursors[0].blockEnd
      guard end != TermCursor.end else { return }
      let units = plan.groups[lead].cursors[0].bound.units
      let isHopeless = (0..<4).allSatisfy { units[$0] < least[$0] || units[$0] == 0 }
      while !isHopeless, target <= end, try plan.groups[lead].advance(to: target, least: least) {
        let document = plan.groups[lead].document
        guard document <= lastDocument else { return }
        let next = try join(document, lead, others, rest, txn)
        target = document + 1
        if next == document {
          let threshold = hits.threshold
          try consider(document, txn, bonus, accept)
          if hits.threshold != threshold { least = leastUnits(lead, rest[0]) }
        } else if next > document {
          guard next <= lastDocument else { return }
          target = next
        }
      }
      target = max(target, end + 1)
    }
  }

  /// Brings the other groups to a document of the leading one.
  ///
  /// - Returns: the document when all have it, a later one when none before that can be common, 0
  ///   when its bounds tell that it cannot enter.
  private mutating func join(
    _ document: UInt32,
    _ lead: Int,
    _ others: ArraySlice<Int>,
    _ rest: [Double],
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> UInt32 {
    let isFull = hits.isFull
    var text = 0.0
    var needed = 0.0
    if isFull {
      let found = plan.groups[lead].evidence(document)
      text = found.score
      needed = self.needed[Int(tierCap(lead, isTypo: found.isTypo, place: found.place))]
    }
    for (place, index) in others.enumerated() {
      if isFull {
        let bound = text + (try plan.groups[index].ceiling(at: document, txn, tables))
        guard (bound + rest[place + 1]) * (1 + 1e-9) + 1e-9 >= needed else { return 0 }
      }
      let found = try plan.groups[index].seek(document, txn, tables)
      guard found == document else { return found }
      if isFull { text += plan.groups[index].evidence(document).score }
    }
    return document
  }

  /// The best tier of a document that has one group at a place in its titles.
  private func tierCap(_ group: Int, isTypo: Bool, place: UInt8) -> UInt8 {
    isTypo ? 0 : tierBound(first: group == 0 ? place : 3, least: place)
  }

  /// By place in a title, the units of a group's list below which a posting cannot enter when the
  /// other groups give so much.
  private func leastUnits(_ group: Int, _ others: Double) -> [UInt32] {
    let cursor = plan.groups[group].cursors[0]
    return (0..<4).map { place in
      let limit = cursor.match == .whole ? 3 : 2
      let isTypo = cursor.match == .typo
      let needed = needed[Int(tierCap(group, isTypo: isTypo, place: UInt8(min(place, limit))))]
      return Self.units(
        reaching: needed - others - abs(needed) * 1e-9 - 1e-9,
        cursor.weight,
        plan.groups[group].inverseFrequency
      )
    }
  }
}
