import Cairn
import TestSupport

/// Items of which some are parts of others, as simple as can be: what each was told, who shows it,
/// and when it ends.
struct PartModel: Equatable {
  struct Thing: Equatable {
    /// What an app or an activity gave; nil for nothing.
    var own: [String: String]?
    var page: [String: String]?
    var expires: Timestamp?
    var whole: String?
    var parts: [String] = []

    var isThere: Bool { own != nil || page != nil }
  }

  struct Shown: Equatable {
    var texts: [String: String] = [:]
    var names: [String] = []
    var isPublic = false

    var words: Set<String> {
      Set((Array(texts.values) + names).flatMap { $0.split(separator: " ").map(String.init) })
    }
  }

  private(set) var things: [String: Thing] = [:]

  static func isRecord(_ id: String) -> Bool { id.hasPrefix("\u{1}activity:") }

  mutating func apply(_ event: Event) {
    guard let id = event.item else {
      if event.all { things = [:] }
      return
    }
    let isPage = event.source == "web"
    switch event.kind {
    case .index where isPage: tellPage(event, id)
    case .index: tell(event, id)
    case .update where things[id]?.isThere == true:
      let told = Self.texts(event)
      if !told.isEmpty {
        let own = things[id]?.own ?? [:]
        things[id]?.own = own.merging(told) { _, new in new }
      }
      switch event.expires {
      case .absent: break
      case .cleared: things[id]?.expires = nil
      case .value(let time): things[id]?.expires = time
      }
    case .delete where isPage:
      guard things[id]?.page != nil else { return }
      guard things[id]?.own != nil else { return remove(id) }
      things[id]?.page = nil
      keepRecords(of: id)
    case .delete: remove(id)
    default: break
    }
  }

  private static func texts(_ event: Event) -> [String: String] {
    var texts: [String: String] = [:]
    for member in event.attributes {
      if case .string(let text) = member.value { texts[member.key] = text }
    }
    return texts
  }

  private mutating func tell(_ event: Event, _ id: String) {
    things[id, default: Thing()].own = Self.texts(event)
    things[id]?.expires = event.expires.value
    guard Self.isRecord(id), things[id]?.whole == nil,
      let subject = event.attributes["relatedUniqueIdentifier"]?.string,
      things[subject]?.isThere == true
    else { return }
    join(id, to: subject)
  }

  private mutating func tellPage(_ event: Event, _ id: String) {
    if let end = things[id]?.expires, let recorded = event.recorded, end <= recorded {
      things[id]?.own = nil
      things[id]?.expires = nil
    }
    things[id, default: Thing()].page = Self.texts(event)
    let former = things[id]?.parts ?? []
    keepRecords(of: id, releases: false)
    if case .array(let names)? = event.extras["items"] {
      for case .string(let name) in names where things[id]?.parts.contains(name) == false {
        if things[name]?.whole == id {
          things[id]?.parts.append(name)
        } else if things[name]?.own != nil, things[name]?.whole == nil {
          join(name, to: id)
        }
      }
    }
    for part in former where things[id]?.parts.contains(part) == false {
      things[part]?.whole = nil
    }
  }

  private mutating func join(_ part: String, to whole: String) {
    things[part]?.whole = whole
    things[whole]?.parts.append(part)
  }

  private mutating func keepRecords(of id: String, releases: Bool = true) {
    let former = things[id]?.parts ?? []
    things[id]?.parts = former.filter { Self.isRecord($0) }
    guard releases else { return }
    for part in former where !Self.isRecord(part) { things[part]?.whole = nil }
  }

  private mutating func remove(_ id: String) {
    guard let thing = things.removeValue(forKey: id) else { return }
    for part in thing.parts { things[part]?.whole = nil }
    if let whole = thing.whole { things[whole]?.parts.removeAll { $0 == id } }
  }

  /// What is there by a clock, by identifier.
  func shown(at clock: Timestamp) -> [String: Shown] {
    var found: [String: Shown] = [:]
    for (id, thing) in things where thing.isThere && thing.whole == nil {
      guard thing.expires.map({ clock < $0 }) ?? true else { continue }
      found[id] = shown(id, at: clock)
    }
    return found
  }

  private func shown(_ id: String, at clock: Timestamp) -> Shown {
    var owners = [id]
    var next = 0
    while next < owners.count {
      for part in things[owners[next]]?.parts ?? [] {
        if things[part]?.expires.map({ clock < $0 }) ?? true { owners.append(part) }
      }
      next += 1
    }
    var (apps, activities): ([[String: String]], [[String: String]]) = ([], [])
    var shown = Shown()
    for owner in owners {
      guard var own = things[owner]?.own else { continue }
      if owner != id, Self.isRecord(owner) {
        own["relatedUniqueIdentifier"] = nil
        activities.append(own)
        if let title = own["title"] { shown.names.append(title) }
      } else {
        apps.append(own)
      }
    }
    for layer in apps + activities + [things[id]?.page ?? [:]] {
      shown.texts.merge(layer) { upper, _ in upper }
    }
    var seen: Set<String> = []
    shown.names = shown.names.filter { $0 != shown.texts["title"] && seen.insert($0).inserted }
    shown.isPublic = things[id]?.page != nil && !(apps + activities).isEmpty
    return shown
  }
}

/// Random events about few items, and the words they bring.
struct PartLife {
  private var random: SeededGenerator
  private(set) var clock: Int64 = 1_700_000_000
  private(set) var words: [String] = []
  private(set) var ends: [Timestamp] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func pick<Element>(_ range: Range<Element>) -> Element
  where Element: FixedWidthInteger { Element.random(in: range, using: &random) }

  /// A word that no other text has, of letters alone.
  private mutating func text(_ kind: String) -> String {
    var number = words.count
    var word = kind
    for _ in 0..<3 {
      word.unicodeScalars.append(UnicodeScalar(UInt8(97 + number % 26)))
      number /= 26
    }
    words.append(word)
    return "shared \(word)"
  }

  private mutating func attributes() -> Attributes {
    var attributes: Attributes = ["title": .string(text("ti"))]
    if pick(0..<2) == 0 { attributes["contentDescription"] = .string(text("de")) }
    if pick(0..<3) == 0 { attributes["comment"] = .string(text("co")) }
    return attributes
  }

  private mutating func end() -> Change<Timestamp> {
    switch pick(0..<4) {
    case 0: return .absent
    case 1: return .value(noted(clock + pick(0..<8) * 1_000))
    case 2: return .value(noted(clock + pick(1..<200) * 1_000))
    default: return .value(noted(clock + 1_000))
    }
  }

  private mutating func noted(_ seconds: Int64) -> Timestamp {
    let time = Timestamp(seconds: seconds)
    ends.append(time)
    return time
  }

  mutating func event() -> Event {
    clock += pick(0..<3_000)
    let recorded = Timestamp(seconds: clock)
    let app = "app \(pick(0..<3))"
    let other = "other \(pick(0..<3))"
    let number = pick(0..<6)
    let record = "\u{1}activity:\(number)"
    switch pick(0..<20) {
    case 0..<3:
      return Event(
        kind: .index, item: app, recorded: recorded, source: "app", attributes: attributes(),
        expires: pick(0..<2) == 0 ? .absent : end())
    case 3, 4:
      return Event(
        kind: .index, item: other, recorded: recorded, attributes: attributes(), expires: end())
    case 5..<10:
      var told = attributes()
      told["relatedUniqueIdentifier"] = .string(
        number < 4 ? "app \(number % 3)" : "other \(number % 3)")
      return Event(
        kind: .index, item: record, recorded: recorded, attributes: told, expires: end())
    case 10..<13:
      let listed = (0..<pick(0..<3)).map { _ in JSONValue.string("other \(pick(0..<3))") }
      return Event(
        kind: .index, item: app, recorded: recorded, source: "web", attributes: attributes(),
        extras: listed.isEmpty ? [:] : ["items": .array(listed)])
    case 13, 14:
      let item = [app, other, record][pick(0..<3)]
      let told = pick(0..<2) == 0 ? attributes() : [:]
      return Event(
        kind: .update, item: item, recorded: recorded, attributes: told,
        expires: pick(0..<3) == 0 ? .cleared : end())
    case 15: return Event(kind: .delete, item: app, recorded: recorded, source: "web")
    case 16: return Event(kind: .delete, item: record, recorded: recorded)
    case 17: return Event(kind: .delete, item: other, recorded: recorded)
    case 18 where pick(0..<3) == 0: return Event(kind: .delete, item: app, recorded: recorded)
    case 18 where pick(0..<8) == 0: return Event(kind: .delete, all: true, recorded: recorded)
    default: return Event(kind: .view, item: app, recorded: recorded)
    }
  }
}
