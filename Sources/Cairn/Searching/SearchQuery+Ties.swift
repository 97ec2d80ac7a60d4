import Catalog
import LMDB
import Projections
import TextIndex

/// Order among hits of one score.
extension SearchQuery {
  /// Hits looked at beyond those wanted when the last place is tied: at first, and at most.
  ///
  /// The most is also how many of one score are put in order, so that every page is cut from the
  /// same order.
  static let firstTieCount = 256
  static let tieCountMax = 8_192

  /// What decides between equal scores.
  ///
  /// The item's own dates, newest first; then, among the places that one domain has, its
  /// `rankingHint`. Else the older text stays first.
  private struct Standing {
    var hit: TextIndex.Hit
    var domain: UInt32
    var hint: Double?
    var date: Timestamp?
  }

  /// Whether the last hit wanted ties with the one after it, and anything could tell them apart.
  func needsMore(
    _ found: [TextIndex.Hit], _ wanted: Int, _ view: borrowing Moment.View
  ) -> Bool {
    wanted > 0 && found.count > wanted && found[wanted].score == found[wanted - 1].score
      && view.checkpoint.hasTieBreaks
  }

  /// Puts hits of equal scores in order.
  func withoutTies(
    _ found: [TextIndex.Hit], _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TextIndex.Hit] {
    guard view.checkpoint.hasTieBreaks else { return found }
    var result: [TextIndex.Hit] = []
    result.reserveCapacity(found.count)
    var place = 0
    while place < found.count {
      var end = place + 1
      while end < found.count, found[end].score == found[place].score,
        end - place < Self.tieCountMax
      { end += 1 }
      if end - place == 1 {
        result.append(found[place])
      } else {
        var group: [Standing] = []
        for hit in found[place..<end] { group.append(try standing(hit, view, txn)) }
        result += Self.ordered(group).map(\.hit)
      }
      place = end
    }
    return result
  }

  private static func ordered(_ group: [Standing]) -> [Standing] {
    var group = stably(group) { one, other in
      guard let date = one.date else { return false }
      return other.date.map { date > $0 } ?? true
    }
    let places = Dictionary(grouping: group.indices) { group[$0].domain }
    for (domain, places) in places where domain != ResolvedEvent.none && places.count > 1 {
      let members = stably(places.map { group[$0] }) { ($0.hint ?? 0) > ($1.hint ?? 0) }
      for (place, member) in zip(places, members) { group[place] = member }
    }
    return group
  }

  private static func stably(_ group: [Standing], _ precedes: (Standing, Standing) -> Bool)
    -> [Standing]
  {
    group.enumerated().sorted { one, other in
      if precedes(one.element, other.element) { return true }
      if precedes(other.element, one.element) { return false }
      return one.offset < other.offset
    }.map(\.element)
  }

  private func standing(
    _ hit: TextIndex.Hit, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Standing {
    var standing = Standing(hit: hit, domain: ResolvedEvent.none)
    let catalog = view.generation.catalog
    guard let version = try catalog.state(of: hit.item, asOf: view.sequence, in: txn) else {
      return standing
    }
    standing.domain = version.state.domain
    let attributes = try view.generation.shownAttributes(
      of: hit.item, version.state, at: view.clock, by: view.lens, moment.store.log, txn)
    var cursor = AttributeCursor(attributes, attributes.indices)
    while let (key, value) = cursor.next() {
      switch value {
      case .integer(let number) where attributes[key].elementsEqual("rankingHint".utf8):
        standing.hint = Double(number)
      case .double(let number) where attributes[key].elementsEqual("rankingHint".utf8):
        standing.hint = number
      case .string(let text) where Self.isDate(attributes[key]):
        guard let date = Timestamp(rfc3339: String(decoding: attributes[text], as: UTF8.self))
        else { continue }
        standing.date = standing.date.map { max($0, date) } ?? date
      default: break
      }
    }
    return standing
  }

  /// Whether attributes hold a date or a hint that decides between equal scores.
  static func hasTieBreak(_ payload: [UInt8], _ attributes: Range<Int>) -> Bool {
    var cursor = AttributeCursor(payload, attributes)
    while let (key, _) = cursor.next() {
      if payload[key].elementsEqual("rankingHint".utf8) || isDate(payload[key]) { return true }
    }
    return false
  }

  private static let dateNames = [
    "lastUsedDate", "contentModificationDate", "metadataModificationDate", "contentCreationDate",
  ].map { Array($0.utf8) }

  private static func isDate(_ name: ArraySlice<UInt8>) -> Bool {
    dateNames.contains { $0.count == name.count && $0.elementsEqual(name) }
  }
}
