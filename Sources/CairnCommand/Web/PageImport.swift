import Cairn
import WebMarkup

struct PageOutcome {
  /// What becomes of a page, as `import web` names it.
  enum Action: String, CaseIterable {
    case index, change, unchanged, delete, noindex, gone, older, skipped, disallowed, failed
    case rejected
  }

  var action: Action
  var url: String
  var item: String?
  var domain: String?
  var title: String?
  var reason: String?
  /// What is appended, in order.
  var events: [Event] = []

  init(_ action: Action, _ url: String, reason: String? = nil) {
    self.action = action
    self.url = url
    self.reason = reason
  }

  /// A URL that is none of an item.
  init(tooLong url: String) {
    self.init(.rejected, url, reason: "its URL is longer than \(PageImport.byteCountMax) bytes")
  }
}

/// Turns pages into events: which item each belongs to, and what of it is new.
struct PageImport {
  /// What is known, with what this import adds.
  var known: KnownPages
  /// When pages were seen unchanged, later than was known, or told of an item that is another's
  /// since, by their URLs.
  private(set) var seen: [String: Timestamp] = [:]
  /// What this import adds to when pages were gone that tell of no item, by their URLs.
  private var ended: [String: Int64] = [:]

  static let byteCountMax = 4_096

  /// Compares with what a store knows.
  init(_ known: KnownPages) { self.known = known }

  /// What becomes of a page.
  /// - Complexity: that of reading the page, and some look-ups.
  mutating func take(_ page: WebPage) throws(Failure) -> PageOutcome {
    guard let url = page.url?.description else {
      return PageOutcome(
        .rejected, page.source, reason: "nothing says where the page is from; give --base URL")
    }
    guard url.utf8.count <= Self.byteCountMax else {
      return PageOutcome(tooLong: url)
    }
    // A clock that went ahead would keep the page as it is until then.
    let now = Timestamp.now()
    let time = min(page.time.flatMap { Timestamp(rfc3339: $0) } ?? now, now)
    if page.status == 404 || page.status == 410 {
      return try end(.gone, url, time, reason: "the server has no such page any more")
    }
    if let status = page.status, status != 200 {
      return PageOutcome(.skipped, url, reason: "the server answers \(status)")
    }
    guard page.isPage else {
      return PageOutcome(.skipped, url, reason: "its type is that of no page")
    }
    guard page.robots.index else {
      return try end(.noindex, url, time, reason: "the page asks not to be indexed")
    }
    guard let item = page.item, item.id.utf8.count <= Self.byteCountMax,
      item.domain.utf8.count <= Self.byteCountMax
    else {
      return PageOutcome(.rejected, url, reason: "its item or domain is longer than 4096 bytes")
    }
    return try index(item, page, url, time)
  }

  /// What becomes of a page that is there no more.
  mutating func end(
    _ action: PageOutcome.Action, _ url: String, _ time: Timestamp, reason: String
  ) throws(Failure) -> PageOutcome {
    var outcome = PageOutcome(action, url, reason: reason)
    // Another page may have told of the item since.
    guard var layer = known.layer(at: url), layer.isCurrent, layer.url == url else {
      noteEnd(url, time)
      return outcome
    }
    outcome.item = layer.item
    if let last = layer.time, time < last {
      outcome.action = .older
      return outcome
    }
    outcome.events.append(try remove(&layer, time))
    known.note(layer)
    return outcome
  }

  private mutating func noteEnd(_ url: String, _ time: Timestamp) {
    guard known.ends[url].map({ $0 < time.seconds }) ?? true else { return }
    known.ends[url] = time.seconds
    ended[url] = time.seconds
  }

  /// When pages were gone that tell of no item, in seconds since 1970, by their URLs; those that
  /// were not asked for yet.
  mutating func takeEnded() -> [String: Int64] {
    defer { ended = [:] }
    return ended
  }

  /// A page is another one for good: what it said of an item goes, where that is not the other's.
  mutating func move(
    _ url: String, into outcome: inout PageOutcome, at time: Timestamp = .now()
  ) throws(Failure) {
    guard var former = known.layer(at: url), former.isCurrent, former.item != outcome.item,
      former.url == url, former.time.map({ $0 <= time }) ?? true
    else { return }
    outcome.events.append(try remove(&former, time))
    if outcome.action == .index || outcome.action == .unchanged { outcome.action = .change }
    known.note(former)
  }

  private mutating func index(
    _ found: WebItem, _ page: WebPage, _ url: String, _ time: Timestamp
  ) throws(Failure) -> PageOutcome {
    let place = page.canonical ?? url
    let id = try known.item(of: url, keys: page.keys, own: found.id, isCopy: place != url)
    var outcome = PageOutcome(.index, url)
    (outcome.item, outcome.domain, outcome.title) = (id, found.domain, page.title)
    let attributes = Attributes(found.attributes.list.map { ($0.key, AttributeValue($0.value)) })
    let parts = try known.parts(of: id, at: url, keys: page.keys)
    let content = try KnownPages.content(found.domain, attributes, parts)
    let standing = KnownPages.Standing(
      of: url, at: place, isOwn: id == found.id || known.hasOwner(id))
    let last = known.layer(of: id)
    if let end = known.ends[url], time.seconds < end, last?.isCurrent != true {
      outcome.action = .older
      return outcome
    }
    if var last {
      if last.content == content, last.isCurrent || !last.isEndedByPage {
        outcome.action = .unchanged
        // The item stays when a copy of the page goes that told of it first.
        if standing > last.standing { (last.url, last.standing) = (url, standing) }
        see(&last, url, time)
      } else if Self.yields(url, standing, time, to: last) {
        outcome.action = .unchanged
        outcome.reason = "another page is the same item"
        noteSeen(url, time)
      } else if isOlder(url, standing, time, than: last) {
        outcome.action = .older
      }
      if outcome.action != .index {
        last.isMet = last.isMet || outcome.reason == nil
        // What the page alone said goes where it is another's now.
        if outcome.action == .unchanged { try move(url, into: &outcome, at: time) }
        known.note(last)
        return outcome
      }
      if last.isCurrent { outcome.action = .change }
      noteTeller(of: last, before: url)
    }
    guard try leave(url, for: &outcome, time) else { return outcome }
    var name = Array(id.utf8) + [0]
    if let last { name += last.eventID.uuidString.utf8 }
    name += [0] + content
    let recorded = known.hasExpired(id) ? Timestamp.now() : time
    let event = Event(
      kind: .index, item: id, domain: .value(found.domain), time: time, recorded: recorded,
      id: EventID(named: name), source: "web", attributes: attributes,
      extras: parts.isEmpty
        ? ["url": .string(url)]
        : ["url": .string(url), "items": .array(parts.map { .string($0) })])
    outcome.events.append(event)
    known.note(
      KnownPages.Layer(
        item: id, eventID: try Self.id(event), content: content, time: time, url: url,
        isCurrent: true, isMet: true, standing: standing,
        keys: KnownPages.keys(of: id, attributes)))
    try known.place(id, attributes)
    return outcome
  }

  /// Takes back what a page told of the item that it left; false where more is known of the page.
  private mutating func leave(_ url: String, for outcome: inout PageOutcome, _ time: Timestamp)
    throws(Failure) -> Bool
  {
    // As another item, perhaps.
    guard !isSeenLater(url, time) else {
      outcome.action = .older
      return false
    }
    guard var former = known.layer(at: url), former.item != outcome.item, former.url == url else {
      return true
    }
    // What is known of the page is newer, whatever the page would join now.
    if let seen = former.time, time < seen {
      outcome.action = .older
      return false
    }
    guard former.isCurrent else { return true }
    outcome.events.append(try remove(&former, time))
    outcome.action = .change
    known.note(former)
    return true
  }

  /// A page says at a time what it said before: a capture between the two changes nothing either.
  private mutating func see(_ layer: inout KnownPages.Layer, _ url: String, _ time: Timestamp) {
    guard let last = layer.time, last < time else { return }
    layer.time = time
    if layer.url == url { seen[url] = time }
  }

  /// Whether more is known: of the page itself, of one that has as much to say, or of the item's
  /// end.
  private func isOlder(
    _ url: String, _ standing: KnownPages.Standing, _ time: Timestamp, than last: KnownPages.Layer
  ) -> Bool {
    if isSeenLater(url, time) || known.ends[url].map({ time.seconds < $0 }) ?? false { return true }
    guard let seen = last.time, time < seen else { return false }
    // Once it is gone, no capture from before that brings it back.
    return last.url == url || standing == last.standing || last.isEndedByPage && !last.isCurrent
  }

  /// Remembers how new a page was, or its end, that another one takes an item over from: an older
  /// capture of it would be taken for news, again with each import of the same archive.
  private mutating func noteTeller(of last: KnownPages.Layer, before url: String) {
    guard let former = last.url, former != url, let time = last.time else { return }
    if last.isCurrent { noteSeen(former, time) } else { noteEnd(former, time) }
  }

  private mutating func noteSeen(_ url: String, _ time: Timestamp) {
    guard known.times[url].map({ $0 < time.seconds }) ?? true else { return }
    known.times[url] = time.seconds
    seen[url] = time
  }

  /// Whether a later capture of a page is known than one of this time.
  private func isSeenLater(_ url: String, _ time: Timestamp) -> Bool {
    known.times[url].map { time.seconds < $0 } ?? false
  }

  /// Whether what another page said of an item stays, whatever this one says.
  ///
  /// A copy leaves it to the page that it is a copy of, and a page that only names the item to the
  /// one that the item is named after; among pages of one kind the first of an import tells. Of
  /// two captured at one time the first by its URL does, in whichever order they are read.
  private static func yields(
    _ url: String, _ standing: KnownPages.Standing, _ time: Timestamp, to last: KnownPages.Layer
  ) -> Bool {
    guard last.url != url, last.isCurrent || !last.isEndedByPage else { return false }
    guard standing == last.standing else { return standing < last.standing }
    guard let other = last.url, time == last.time else { return last.isMet }
    return DomainPath.precedes(other, url)
  }

  private func remove(_ layer: inout KnownPages.Layer, _ time: Timestamp) throws(Failure) -> Event {
    let name = Array(layer.item.utf8) + [0] + Array(layer.eventID.uuidString.utf8)
    let event = Event(
      kind: .delete, item: layer.item, time: time, recorded: time,
      id: EventID(named: name), source: "web")
    layer.eventID = try Self.id(event)
    layer.isCurrent = false
    layer.isEndedByPage = true
    layer.time = time
    return event
  }

  private static func id(_ event: Event) throws(Failure) -> EventID {
    guard let id = event.id else { throw Failure(.internal, "an event was made without an id") }
    return id
  }
}

extension AttributeValue {
  /// An attribute of a page's item.
  fileprivate init(_ json: JSON) {
    switch json {
    case .null, .object: self = .null
    case .bool(let value): self = .bool(value)
    case .string(let text): self = .string(text)
    case .number(let text): self = Int64(text).map { .integer($0) } ?? .double(Double(text) ?? 0)
    case .array(let values): self = .array(values.map { AttributeValue($0) })
    }
  }
}
