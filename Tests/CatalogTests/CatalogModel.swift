import Events

/// What is there, by the rules of the contract, in dictionaries.
struct CatalogModel {
  /// The domains that an app or an activity gave, and that a web page gave; "" for none.
  private struct Layers {
    var own: String?
    var page: String?
    /// The item that it is a part of.
    var whole: String?
    var parts: [String] = []
    var domain: String { own.map { $0.isEmpty ? page ?? "" : $0 } ?? page ?? "" }
  }

  private var present: [String: Layers] = [:]
  /// What activities last said they are about.
  private var abouts: [String: String] = [:]

  /// What is there after each event: domains by item.
  static func presence(_ events: [Event]) -> [[String: String]] {
    var model = CatalogModel()
    return events.map { event in
      model.take(event)
      return model.present.filter { $0.value.whole == nil }.mapValues(\.domain)
    }
  }

  private mutating func take(_ event: Event) {
    let domain: String? = if case .value(let name) = event.domain { name } else { nil }
    let isPage = event.source == "web"
    defer { settleRecord(event) }
    switch (event.kind, event.item) {
    case (.index, let item?) where isPage: takePage(of: item, domain, event)
    case (.index, let item?): present[item, default: Layers()].own = domain ?? ""
    case (.view, let item?) where present[item]?.own == nil && !event.attributes.isEmpty:
      present[item, default: Layers()].own = domain ?? ""
    case (.update, let item?) where present[item] != nil:
      if case .cleared = event.domain { present[item]?.own = "" }
      if let domain { present[item]?.own = domain }
      if present[item]?.own == nil { present[item]?.own = "" }
    case (.delete, let item?) where isPage:
      guard present[item]?.page != nil else { return }
      let parts = present[item]?.parts ?? []
      present[item]?.page = nil
      present[item]?.parts = parts.filter { abouts[$0] == item }
      release(parts.filter { abouts[$0] != item })
      if present[item]?.own == nil { remove([item]) }
    case (.delete, let item?): remove([item])
    case (.delete, nil):
      remove(
        present.filter {
          event.all || $0.value.domain == domain
            || $0.value.domain.hasPrefix((domain ?? "") + ".")
        }.map(\.key))
    default: break
    }
  }

  private mutating func takePage(of item: String, _ domain: String?, _ event: Event) {
    present[item, default: Layers()].page = domain ?? ""
    if let whole = present[item]?.whole {
      present[whole]?.parts.removeAll { $0 == item }
      present[item]?.whole = nil
    }
    var parts: [String] = []
    if case .array(let names)? = event.extras["items"] {
      for case .string(let name) in names where !parts.contains(name) && name != item {
        guard let other = present[name], other.own != nil, other.page == nil,
          other.whole == nil || other.whole == item
        else { continue }
        parts.append(name)
      }
    }
    let former = present[item]?.parts ?? []
    let kept = former.filter { abouts[$0] == item }
    parts = kept + parts.filter { !kept.contains($0) }
    release(former.filter { !parts.contains($0) })
    for part in parts { present[part]?.whole = item }
    present[item]?.parts = parts
  }

  /// An activity is a part of what it says it is about, while that is there.
  private mutating func settleRecord(_ event: Event) {
    guard event.kind == .index, event.source != "web", let item = event.item,
      item.hasPrefix(Self.mark)
    else { return }
    var about: String?
    if case .string(let name)? = event.attributes["relatedUniqueIdentifier"] { about = name }
    let former = abouts[item]
    abouts[item] = about
    if let whole = present[item]?.whole {
      guard whole == former, whole != about else { return }
      present[item]?.whole = nil
      present[whole]?.parts.removeAll { $0 == item }
    }
    guard let about, present[about] != nil, !about.hasPrefix(Self.mark),
      present[item]?.page == nil
    else { return }
    present[item]?.whole = about
    present[about]?.parts.append(item)
  }

  private static let mark = "\u{1}activity:"

  private mutating func remove(_ items: [String]) {
    for item in items {
      abouts[item] = nil
      guard let gone = present.removeValue(forKey: item) else { continue }
      release(gone.parts)
      if let whole = gone.whole { present[whole]?.parts.removeAll { $0 == item } }
    }
  }

  private mutating func release(_ parts: [String]) {
    for part in parts { present[part]?.whole = nil }
  }
}
