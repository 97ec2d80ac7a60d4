import Cairn
import Cryptography

/// What a store knows of web pages and of the items they may belong to.
struct KnownPages {
  /// What a page said of an item when it was last taken in.
  struct Layer {
    var item: String
    /// The event that said it, or that took it away.
    var eventID: EventID
    /// A hash of the item's domain and attributes as the page has them.
    var content: [UInt8]
    var time: Timestamp?
    var url: String?
    /// Whether the item has it now.
    var isCurrent: Bool
    /// Whether it comes back with the same page: the page itself took it away, by being gone or
    /// noindex, or it went with its item.
    var isEndedByPage = false
    /// Whether the item went with what an app gave, which expired.
    var hasExpired = false
    /// Whether this import has met the item already.
    var isMet = false
    /// How much the page has to say of the item beside others that are the same one.
    var standing = Standing.copy
    /// By what the item is known as far as its page told: its identity, where it leads.
    var keys: [String] = []
    /// Other items that the page is about.
    var parts: [String] = []
  }

  /// How much a page has to say of an item, beside others that are the same one.
  enum Standing: Comparable {
    /// It is a copy of another page.
    case copy
    /// It is none, and the item is named after another one.
    case original
    /// The item is named after it, or given by an app or an activity.
    case namesake

    /// That of a page at a URL which says that it belongs to a place.
    init(of url: String, at place: String, isOwn: Bool) {
      self = place != url ? .copy : isOwn ? .namesake : .original
    }
  }

  /// By the bytes of their items' names: two that Unicode calls equal are two.
  private var layers: [[UInt8]: Layer] = [:]
  private var items: [String: String] = [:]
  /// When pages were gone, or not to be indexed, that tell of no item, in seconds since 1970, by
  /// their URLs.
  var ends: [String: Int64] = [:]
  /// When pages were last seen, in seconds since 1970, by their URLs, whichever tells of an item.
  var times: [String: Int64] = [:]
  /// The bytes of the names of items that an app or an activity gave.
  private var owned: Set<[UInt8]> = []
  /// The bytes of the names of items that went with what an app gave, which expired.
  private var expired: Set<[UInt8]> = []
  /// Remembered activities that are parts of the item they are about.
  private var settled: Set<String> = []
  private var places: [String: [String]] = [:]
  /// Items that an app or an activity gave, by the URLs and the items that they name.
  private var named: [String: Set<String>] = [:]
  private let moment: Moment?

  init() { moment = nil }

  /// What a store knows now.
  /// - Complexity: O(items).
  init(_ store: Store) throws(Failure) {
    let found: (Moment, [LayeredItem]) = try answering { () throws(CairnError) in
      let moment = try store.at()
      return (moment, try moment.layeredItems())
    }
    moment = found.0
    let listed = KeyOrdered(unordered: found.1.map { ($0.id, $0.hasOwn) })
    for item in found.1 {
      if item.hasExpired { expired.insert(Array(item.id.utf8)) }
      if item.hasOwn {
        owned.insert(Array(item.id.utf8))
        for key in item.keys { named[key, default: []].insert(item.id) }
      }
      // What is known of an activity about an item leads to the item. To a page's own only what an
      // app's front end remembers does: everything else has the page join it.
      var owner = item.id
      if let related = item.related, related != item.id {
        let isRecord = LayeredItem.isRecord(item.id)
        let isOwned =
          if !isRecord, let found = listed[related] { found } else { try isThere(related) }
        if isOwned { owner = related }
      }
      if owner != item.id {
        owned.insert(Array(owner.utf8))
        // What an app's front end keeps of an activity is a part of it already.
        if LayeredItem.isRecord(item.id) { settled.insert(item.id) }
      }
      for key in item.keys { places[key, default: []].append(owner) }
      guard let sequence = item.page else { continue }
      try addLayer(of: item, sequence, store)
    }
  }

  private mutating func addLayer(of item: LayeredItem, _ sequence: UInt64, _ store: Store)
    throws(Failure)
  {
    let (found, end) = try answering { () throws(CairnError) in
      let end: RecordedEvent? = if let end = item.end { try store.event(at: end) } else { nil }
      return (try store.event(at: sequence), end)
    }
    guard let event = found?.event, let id = event.id else { return }
    let parts = (event.extras["items"]?.array ?? []).compactMap(\.string)
    var layer = Layer(
      item: item.id, eventID: id,
      content: try Self.content(event.domain.value, event.attributes, parts),
      time: event.time.map { min($0, .now()) }, url: nil, isCurrent: item.end == nil)
    layer.keys = Self.keys(of: item.id, event.attributes)
    layer.parts = parts
    if let url = event.extras["url"]?.string {
      layer.url = url
      if let place = event.attributes["contentURL"]?.string {
        let isOwn =
          item.hasOwn || item.id == place || event.attributes["web_deepLink"]?.string == item.id
        layer.standing = Standing(of: url, at: place, isOwn: isOwn)
      }
    }
    if item.hasExpired {
      // The page says what it said: it is to be taken in again.
      (layer.isCurrent, layer.isEndedByPage, layer.hasExpired) = (false, true, true)
    } else if let end = end?.event, end.kind == .delete, end.source == "web", let id = end.id {
      layer.isEndedByPage = true
      layer.eventID = id
      if let time = end.time { layer.time = max(time, layer.time ?? time) }
    }
    note(layer)
  }

  /// By what an item is known that a page tells of, as far as the page says it.
  static func keys(of item: String, _ attributes: Attributes) -> [String] {
    [item] + ["web_deepLink", "contentURL"].compactMap { attributes[$0]?.string }
  }

  /// What the page at a URL said when it was last taken in.
  func layer(at url: String) -> Layer? { items[url].flatMap { layer(of: $0) } }

  func layer(of item: String) -> Layer? { layers[Array(item.utf8)] }

  /// Takes over when pages were last seen as they are and when others were gone, in seconds since
  /// 1970, by their URLs: no event tells that.
  mutating func saw(_ times: [String: Int64], ends: [String: Int64]) {
    (self.times, self.ends) = (times, ends)
    for (url, item) in items where layer(of: item)?.url == url {
      guard let seen = times[url], let time = layer(of: item)?.time, seen > time.seconds else {
        continue
      }
      layers[Array(item.utf8)]?.time = Timestamp(seconds: seen)
    }
  }

  /// Remembers that the page at a URL still tells of its item, without having been read.
  mutating func meet(_ url: String) {
    guard let layer = layer(at: url), layer.url == url else { return }
    layers[Array(layer.item.utf8)]?.isMet = true
  }

  /// Whether an app or an activity gave an item.
  func hasOwner(_ item: String) -> Bool { owned.contains(Array(item.utf8)) }

  /// Whether what an app gave of an item expired: that hides a page that was recorded before.
  func hasExpired(_ item: String) -> Bool { expired.contains(Array(item.utf8)) }

  /// The URLs of pages that tell of an item now.
  var current: [String] { layers.values.filter(\.isCurrent).compactMap(\.url).sorted() }

  /// The URLs of pages that were taken in at a time, in seconds since 1970, or later.
  func pages(since seconds: Int64) -> [String] {
    layers.values.filter { $0.time.map { $0.seconds >= seconds } ?? false }.compactMap(\.url)
  }

  /// Remembers what a page says now.
  mutating func note(_ layer: Layer) {
    // What the item was known by is another page's, where no page says it any more.
    if let former = self.layer(of: layer.item), !hasOwner(layer.item) {
      for key in former.keys where !layer.keys.contains(key) {
        places[key]?.removeAll { $0.hasBytes(of: layer.item) }
      }
    }
    layers[Array(layer.item.utf8)] = layer
    guard let url = layer.url else { return }
    // An item that the page has left says nothing of where it belongs now.
    if layer.isCurrent || self.layer(at: url)?.isCurrent != true { items[url] = layer.item }
  }

  /// Remembers by which URLs an item is known that a page just told of, as the next import finds
  /// them: what an app or an activity says stands before what the page says.
  mutating func place(_ item: String, _ attributes: Attributes) throws(Failure) {
    var former: Attributes?
    if let moment, hasOwner(item) {
      former = try answering(moment.item(item))?.attributes
    }
    for name in ["contentURL", "web_deepLink"] where former?[name] == nil {
      if let key = attributes[name]?.string { places[key, default: []].append(item) }
    }
  }

  /// The item that a page belongs to: its `keys`, `own` the identity it would have alone.
  ///
  /// The one that it told of last comes first, while one of the keys still names that: a page whose
  /// canonical URL is another one now is another page, and one that has become a copy is one with
  /// the page that it is a copy of.
  mutating func item(of url: String, keys: [String], own: String, isCopy: Bool = false)
    throws(Failure) -> String
  {
    let earlier = layer(at: url).flatMap { isNamed($0, by: keys) ? $0 : nil }
    if let earlier, earlier.isCurrent, hasOwner(earlier.item) {
      return try successor(of: earlier.item, keys) ?? earlier.item
    }
    if let found = try app(keys) { return found }
    if let whole = layer(of: own), whole.isCurrent, whole.url != url,
      isCopy || whole.standing == .namesake
    {
      return own
    }
    // Another page may have told of the item since, and a page that went away begins anew.
    if let earlier, earlier.url == url,
      earlier.isCurrent || earlier.hasExpired || !earlier.isEndedByPage
    {
      return earlier.item
    }
    // A page that is another one is not what a copy of it tells of: the next import, which knows of
    // that other one, would not find it there.
    for key in keys where !isCopy || key != url {
      if layer(of: key)?.isCurrent == true { return key }
      if let item = places[key]?.min(by: DomainPath.precedes), layer(of: item)?.isCurrent == true {
        return item
      }
    }
    return own
  }

  private func isNamed(_ layer: Layer, by keys: [String]) -> Bool {
    keys.contains { layer.keys.contains($0) || places[$0]?.contains(layer.item) ?? false }
  }

  /// Whether an app or an activity gave something since that the page at a URL joins, or that joins
  /// it: then it is to be read, changed or not.
  mutating func joinsMore(_ url: String) throws(Failure) -> Bool {
    guard let layer = layer(at: url), layer.isCurrent else { return false }
    let keys = layer.keys + [url]
    let item = try item(of: url, keys: keys, own: layer.item)
    if item != layer.item { return true }
    let parts = try parts(of: item, at: url, keys: keys)
    return !Set(parts).isSubset(of: layer.parts)
  }

  /// What an app indexed since of a page whose item only an activity left: what is told of the
  /// whole, as its domain, is the app's whoever came first.
  private mutating func successor(of item: String, _ keys: [String]) throws(Failure) -> String? {
    guard let moment, let found = try app(keys), found != item, try !isApp(item, moment),
      try isApp(found, moment)
    else { return nil }
    return found
  }

  /// Whether an app indexed an item; of what is shown as a part of another one, the sources are
  /// those of the whole.
  private func isApp(_ item: String, _ moment: Moment) throws(Failure) -> Bool {
    guard try answering(moment.shownID(of: item)).hasBytes(of: item) else { return false }
    return try answering(moment.sources(of: item)).first?.kind == .app
  }

  /// Other items that the page at a URL is about, which are shown as parts of the one it belongs
  /// to; the item that it leaves for that may be one.
  ///
  /// What an app's own front end keeps for itself, behind a control character, is none but for the
  /// activities that it remembers.
  mutating func parts(of item: String, at url: String, keys: [String]) throws(Failure) -> [String] {
    guard hasOwner(item) else { return [] }
    var found: Set<String> = []
    for key in keys where try isOwned(key) { found.insert(key) }
    for key in keys + [item] { found.formUnion(named[key] ?? []) }
    found.remove(item)
    let parts = found.filter { id in
      let isOpen = id.unicodeScalars.first.map { $0.value >= 0x20 } ?? false
      return (isOpen || LayeredItem.isRecord(id)) && !settled.contains(id)
        && (layer(of: id)?.isCurrent != true || layer(of: id)?.url == url)
    }
    return Array(parts.sorted(by: DomainPath.precedes).prefix(Self.partCountMax))
  }

  private static let partCountMax = 64

  /// The item of an app or of an activity that one of the keys names: by identity first.
  private mutating func app(_ keys: [String]) throws(Failure) -> String? {
    for key in keys where try isOwned(key) { return key }
    var found = Set<String>()
    for key in keys { found.formUnion((places[key] ?? []).filter { hasOwner($0) }) }
    guard found.count > 1, let moment else { return found.first }
    let sorted = found.sorted(by: DomainPath.precedes)
    for item in sorted {
      if try isApp(item, moment) { return item }
    }
    return sorted.first
  }

  /// Whether an app or an activity gave an item of this identifier.
  private mutating func isOwned(_ key: String) throws(Failure) -> Bool {
    if hasOwner(key) { return true }
    guard layer(of: key) == nil else { return false }
    // What has no URL among its attributes is not in the list of those that may be known by one.
    let isThere = try isThere(key)
    if isThere { owned.insert(Array(key.utf8)) }
    return isThere
  }

  private func isThere(_ id: String) throws(Failure) -> Bool {
    guard let moment else { return false }
    return try answering(moment.item(id) != nil)
  }

  /// A hash of what a page says of an item, and of the other items it is about.
  static func content(_ domain: String?, _ attributes: Attributes, _ parts: [String])
    throws(Failure) -> [UInt8]
  {
    var bytes = Array((domain ?? "").utf8) + [0]
    try answering(attributes.encode(to: &bytes))
    for part in parts { bytes += [0] + part.utf8 }
    return SHA256.hash(bytes).bytes
  }
}

extension EventID {
  /// An identity by a name: version 5 (RFC 9562, section 5.5) in the namespace of URLs.
  init?(named name: [UInt8]) {
    let space: [UInt8] = [
      0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30,
      0xc8,
    ]
    // The standard has SHA-1 here; nothing is kept secret or signed by it.
    var bytes = Array(SHA1.hash(space + name).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    self.init(bytes: bytes)
  }
}
