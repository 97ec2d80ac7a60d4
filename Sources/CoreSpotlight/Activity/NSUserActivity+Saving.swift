import Cairn
import Foundation

extension NSUserActivity {
  /// Remembers a searchable activity as it is now; a visit also counts as a view.
  func save(in store: IndexStore, isVisit: Bool) {
    let isOutdated = state { state in
      defer { state.needsSave = false }
      return state.needsSave
    }
    // Told once, also where it makes the activity current again.
    if isOutdated { delegate?.userActivityWillSave(self) }
    let state = state { $0 }
    guard state.isEligibleForSearch else { return }
    let now = store.now()
    let end = state.expirationDate ?? now.addingTimeInterval(CSSearchableItem.defaultLifetime)
    guard end.isMoment, now < end else { return }
    let saved = SavedActivity(activityType, state, end: end, isVisit: isVisit)
    store.enqueue(PendingWrite { writer in try saved.events(policy: store.policy, &writer) })
  }
}

/// An activity on its way into the store.
private struct SavedActivity: Sendable {
  private let record: ActivityRecord
  private let title: String?
  private let values: Attributes
  private let end: Timestamp
  private let isVisit: Bool

  init(_ type: String, _ state: NSUserActivity.State, end: Date, isVisit: Bool) {
    record = ActivityRecord(type, state)
    title = state.title
    values = state.contentAttributeSet?.storage { $0.values } ?? [:]
    self.end = Timestamp(end)
    self.isVisit = isVisit
  }

  func events(policy: CSIndexingPolicy, _ writer: inout IndexWriter) throws -> [Event] {
    guard policy != .disabled else { return [] }
    // Where only what was looked at is indexed, there is no item to belong to.
    let mayRelate = policy == .allRecords
    let strong = mayRelate ? values["relatedUniqueIdentifier"]?.string : nil
    let weak = mayRelate ? values["weakRelatedUniqueIdentifier"]?.string : nil
    let identifier = record.identifier(related: strong ?? weak)
    var viewed = identifier
    if let related = strong ?? weak {
      if !Reserved.isReserved(related), try writer.settled().item(related) != nil {
        viewed = related
      } else if strong != nil {
        return []
      }
    }
    let domain = CSSearchableItem.domain(.absent, values)
    _ = try writer.links()
    writer.changeLinks { links in
      links.insert(
        identifier, strong: strong, weak: weak, persistent: record.persistentIdentifier,
        domain: domain.value)
    }
    let index = Event(
      kind: .index, item: identifier, domain: domain,
      source: record.activityType, attributes: attributes(mayRelate: mayRelate),
      expires: .value(end))
    let view = Event(kind: .view, item: viewed, source: record.activityType)
    return isVisit ? [index, view] : [index]
  }

  private func attributes(mayRelate: Bool) -> Attributes {
    var attributes = CSSearchableItem.attributes(values, for: .index)
    if !mayRelate {
      attributes["relatedUniqueIdentifier"] = nil
      attributes["weakRelatedUniqueIdentifier"] = nil
    }
    if let title { attributes["title"] = .string(title) }
    let words = record.keywords + (values["keywords"]?.elements { $0.string } ?? [])
    if !words.isEmpty {
      var seen: Set<String> = []
      attributes["keywords"] = .array(words.filter { seen.insert($0).inserted }.map { .string($0) })
    }
    // A page of the web is known by it.
    if let url = record.webpageURL { attributes["webpageURL"] = .string(url.absoluteString) }
    attributes[Reserved.activity] = record.archived
    return attributes
  }
}
