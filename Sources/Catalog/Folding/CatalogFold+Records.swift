import EventLog
import Events
import LMDB
import Projections

/// Remembered activities, which are parts of the item that they are about while that is there.
///
/// An application's front end keeps each activity as an item of its own, so that it can be brought
/// up to date, expire and be deleted by itself.
extension CatalogFold {
  /// Makes a remembered activity a part of the item that it says it is about, and lets go of it
  /// where it said so of another one.
  mutating func settleRecord(
    _ place: Int, before: ItemState, _ event: StoredEvent, _ layout: EventLayout,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    guard event.kind == .index, entries[place].state.content.page != event.sequence,
      let range = layout.attributes
    else { return }
    let subject = try subject(in: event.payload, range, in: &txn)
    let (item, whole) = (entries[place].ordinal, entries[place].state.whole)
    if entries[place].state.isPart {
      let former = try self.place(of: whole, in: &txn)
      guard subject != former, try isAbout(former, before.content, of: item, in: txn.reader) else {
        return
      }
      try release(item, from: whole, at: event.sequence, in: &txn)
      try refresh(whole, at: event.sequence, in: &txn)
    }
    guard let subject, entries[subject].state.content.parts.count < ItemPart.countMax,
      try join(place, to: subject, at: event.sequence, in: txn.reader)
    else { return }
    entries[subject].state.content.parts.append(ItemPart(item: item, sequence: event.sequence))
    try refresh(entries[subject].ordinal, at: event.sequence, in: &txn)
  }

  /// Whether a part is a remembered activity about an item, and not one by the item's page.
  mutating func isRecord(_ part: ItemPart, about place: Int, in txn: inout WriteTransaction)
    throws(CairnError) -> Bool
  {
    let record = try self.place(of: part.item, in: &txn)
    guard entries[record].isRecord else { return false }
    return try isAbout(place, entries[record].state.content, of: part.item, in: txn.reader)
  }

  private func isAbout(
    _ place: Int, _ content: ContentSource, of record: UInt32, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    let own = try catalog.ownAttributes(of: record, content, log: log, in: txn)
    guard let name = ItemPart.subject(in: own, own.indices) else { return false }
    return NameKey(own, name) == entries[place].key
  }

  /// The place of the item that an activity says it is about; nil where that is not there.
  private mutating func subject(
    in payload: [UInt8], _ attributes: Range<Int>, in txn: inout WriteTransaction
  ) throws(CairnError) -> Int? {
    guard let name = ItemPart.subject(in: payload, attributes), !ItemPart.isRecord(payload[name])
    else { return nil }
    let key = NameKey(payload, name)
    if places[key] == nil,
      try catalog.ordinal(ofRow: NameCoding.key(payload, name), in: txn.reader) == nil
    {
      return nil
    }
    let place = try entry(payload, name, in: &txn)
    return entries[place].state.isPresent || entries[place].state.isPart ? place : nil
  }
}

extension ItemPart {
  /// How the identifier of a remembered activity begins.
  package static let recordPrefix = "\u{1}activity:"

  /// Attributes of a remembered activity that are not the item's.
  static let recordAttributes = [
    "cairn.activity", "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier",
  ]

  package static func isRecord(_ name: some Collection<UInt8>) -> Bool {
    name.first == 1 && name.starts(with: recordPrefix.utf8)
  }

  /// The identifier of the item that an activity with these attributes is about; nil for none.
  static func subject(in payload: [UInt8], _ attributes: Range<Int>) -> Range<Int>? {
    var cursor = AttributeCursor(payload, attributes)
    var weak: Range<Int>?
    while let (key, value) = cursor.next() {
      guard case .string(let name) = value, !name.isEmpty else { continue }
      if payload[key].elementsEqual("relatedUniqueIdentifier".utf8) { return name }
      if payload[key].elementsEqual("weakRelatedUniqueIdentifier".utf8) { weak = name }
    }
    return weak
  }
}
