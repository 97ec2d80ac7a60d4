import Cairn

/// A store as simple as can be: dictionaries, no log, no index.
struct HistoryModel: Equatable {
  struct Item: Equatable {
    var domain: String?
    var attributes: [String: AttributeValue]
  }

  struct Use: Equatable {
    var count = 0
    var last: Int64 = .min
  }

  var items: [String: Item] = [:]
  var uses: [String: Use] = [:]
  private var deleted: Set<String> = []

  mutating func apply(_ event: Event) {
    switch event.kind {
    case .index: appear(event)
    case .view: view(event)
    case .update: update(event)
    case .delete: delete(event)
    default: break
    }
  }

  private mutating func appear(_ event: Event) {
    guard let id = event.item else { return }
    var attributes: [String: AttributeValue] = [:]
    for member in event.attributes where member.value != .null {
      attributes[member.key] = member.value
    }
    if deleted.remove(id) != nil { uses[id] = nil }
    items[id] = Item(domain: event.domain.value, attributes: attributes)
  }

  private mutating func view(_ event: Event) {
    guard let id = event.item else { return }
    if items[id] == nil {
      if event.attributes["title"] != nil { appear(event) } else if deleted.contains(id) { return }
    }
    var use = uses[id] ?? Use()
    use.count += 1
    use.last = max(use.last, event.time?.seconds ?? 0)
    uses[id] = use
  }

  private mutating func update(_ event: Event) {
    guard let id = event.item, var item = items[id] else { return }
    switch event.domain {
    case .absent: break
    case .cleared: item.domain = nil
    case .value(let domain): item.domain = domain
    }
    for member in event.attributes {
      item.attributes[member.key] = member.value == .null ? nil : member.value
    }
    items[id] = item
  }

  private mutating func delete(_ event: Event) {
    let gone = items.filter { id, item in
      if event.all { return true }
      if let domain = event.domain.value {
        return item.domain == domain || item.domain?.hasPrefix(domain + ".") == true
      }
      return id == event.item
    }
    for id in gone.keys {
      items[id] = nil
      deleted.insert(id)
    }
  }

  /// Items viewed, most views first, then last view, then identifier.
  var top: [String] {
    let present = uses.filter { items[$0.key] != nil }
    return present.sorted { one, other in
      if one.value.count != other.value.count { return one.value.count > other.value.count }
      if one.value.last != other.value.last { return one.value.last > other.value.last }
      return one.key < other.key
    }.map(\.key)
  }

  /// Items whose title has a word.
  func titled(_ word: String) -> [String] {
    items.filter { _, item in
      guard case .string(let title)? = item.attributes["title"] else { return false }
      return title.split(separator: " ").contains { $0 == word }
    }.keys.sorted()
  }
}
