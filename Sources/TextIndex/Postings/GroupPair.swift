/// How a word of a query for all words stands to the rarest one, through whose documents it goes.
///
/// Comparing the places of both in a document is much less work than reading all its titles, and is
/// all that a phrase of two words needs.
struct GroupPair: Sendable {
  /// Positions of the query that the word comes behind the rarest one; negative before it.
  var distance: Int64
  /// Whether the rarest one comes first in the query.
  var isLeadFirst: Bool
  /// Whether both are of one phrase, so that documents without it are dropped.
  var isPhrase: Bool
  /// The last document whose places stand beside its postings.
  var lastMerged: UInt32

  /// What the places of both say about a document.
  struct Relation: Hashable, Sendable {
    /// Whether they stand in one field as far from each other as in the query.
    var isPhrase = false
    /// The best tier that the titles still allow for.
    var tier: UInt8 = 1
  }

  /// Compares the places, kind · 2³² + position in rising order.
  /// - Complexity: O(places).
  func relation(_ lead: [UInt64], _ places: [UInt64], _ range: Range<Int>) -> Relation {
    var relation = Relation()
    var at = range.lowerBound
    for place in lead where Int64(place & 0xFFFF_FFFF) + distance >= 0 {
      let wanted = place &+ UInt64(bitPattern: distance)
      while at < range.upperBound, places[at] < wanted { at += 1 }
      guard at < range.upperBound else { break }
      if places[at] == wanted {
        relation.isPhrase = true
        // Titles come first.
        if wanted >> 32 == 0 { relation.tier = 4 }
        break
      }
    }
    if relation.tier < 4, isInOrder(lead, places, range) { relation.tier = 2 }
    return relation
  }

  /// Whether some place in a title comes before one of the other word, as in the query.
  private func isInOrder(_ lead: [UInt64], _ places: [UInt64], _ range: Range<Int>) -> Bool {
    var (first, last) = (UInt64.max, UInt64(0))
    for place in places[range] where place >> 32 == 0 {
      first = min(first, place)
      last = max(last, place)
    }
    guard first != .max else { return false }
    return lead.contains { place in
      guard place >> 32 == 0 else { return false }
      // An emoji has the position of the word after it.
      if distance == 0, first <= place, place <= last { return true }
      return isLeadFirst ? place < last : first < place
    }
  }
}

extension Candidates {
  /// The places kept of a candidate.
  func relation(_ entry: Entry, _ lead: [UInt64], _ pair: GroupPair) -> GroupPair.Relation {
    let start = Int(entry.placesStart)
    return pair.relation(lead, places, start..<start + Int(entry.placesCount))
  }
}
