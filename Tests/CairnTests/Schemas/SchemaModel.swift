import Cairn

/// What is shown of a history by its last schema, from nothing but dictionaries: every event again
/// along its way, whatever the store kept.
struct SchemaModel {
  struct Item {
    var domain: String?
    var attributes: Attributes
    /// As the event said it, and under which version.
    var origin: (domain: String, node: Int)
  }

  private(set) var items: [String: Item] = [:]
  private let lens: SchemaLens

  init(_ events: [RecordedEvent], _ history: SchemaHistory) throws {
    lens = try SchemaLens(history).required()
    for recorded in events { apply(recorded.event, recorded.sequence) }
  }

  /// What is shown, by item.
  var shown: [String: (domain: String?, attributes: Attributes)] {
    items.mapValues { item in
      let schema = lens.definition.effective(item.domain ?? "")
      return (item.domain, schema.shown(item.attributes))
    }
  }

  private mutating func apply(_ event: Event, _ sequence: UInt64) {
    let node = lens.node(at: sequence)
    if event.kind == .delete, event.item == nil {
      let deleted = event.domain.value ?? ""
      for (id, item) in items {
        let seen = lens.domain(item.origin.domain, from: item.origin.node, to: node)
        if event.all || seen == deleted || seen.hasPrefix(deleted + ".") { items[id] = nil }
      }
      return
    }
    guard let id = event.item else { return }
    let before = items[id]
    let role: EventShape.Role
    switch event.kind {
    case .index: role = .index
    case .update: role = .update
    case .view: role = before == nil ? .firstView : .laterView
    case .delete:
      items[id] = nil
      return
    default: return
    }
    let seen = before.map { lens.domain($0.origin.domain, from: $0.origin.node, to: node) }
    var shape = EventShape(
      role: role, domain: event.domain, itemDomain: seen ?? "", attributes: event.attributes,
      had: before?.attributes ?? [:], hadDomain: before?.domain ?? "")
    lens.path(at: sequence).apply(to: &shape)
    switch role {
    case .index, .firstView:
      guard role == .index || shape.makesItem else { return }
      items[id] = Item(
        domain: shape.domain.value, attributes: Self.merged([:], shape.attributes),
        origin: (event.domain.value ?? "", node))
    case .update:
      guard var item = before else { return }
      switch shape.domain {
      case .absent: break
      case .cleared: (item.domain, item.origin) = (nil, ("", node))
      case .value(let domain):
        (item.domain, item.origin) = (domain, (event.domain.value ?? "", node))
      }
      item.attributes = Self.merged(item.attributes, shape.attributes)
      items[id] = item
    case .laterView, .other: break
    }
  }

  private static func merged(_ base: Attributes, _ update: Attributes) -> Attributes {
    var merged = base
    for member in update { merged[member.key] = member.value == .null ? nil : member.value }
    return merged
  }
}

extension Optional {
  func required() throws -> Wrapped {
    guard let self else { throw CairnError(.internal, "there is nothing to look through") }
    return self
  }
}
