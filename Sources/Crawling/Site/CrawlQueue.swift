/// URLs that wait to be fetched, by host, so that no host is asked too often.
package struct CrawlQueue: Sendable {
  package struct Entry: Sendable, Equatable {
    /// Absolute, without fragment.
    package var url: String
    /// How many more steps its links are followed.
    package var depth: Int
    /// When the sitemap says it was last changed; nil where nothing says it.
    package var lastModified: String?
    /// The page that led here; nil where none did.
    package var parent: String?

    package init(url: String, depth: Int, lastModified: String? = nil, parent: String? = nil) {
      self.url = url
      self.depth = depth
      self.lastModified = lastModified
      self.parent = parent
    }
  }

  private struct Lane: Sendable {
    var entries: [Entry] = []
    private var first = 0
    var ready = ContinuousClock.now

    var isEmpty: Bool { first == entries.count }

    mutating func take() -> Entry {
      defer { first += 1 }
      if first > 1_000, first * 2 > entries.count {
        entries.removeSubrange(..<first)
        first = 0
      }
      return entries[first]
    }
  }

  private var lanes: [String: Lane] = [:]
  private var order: [String] = []
  private var turn = 0
  private var seen: Set<String> = []

  package init() {}

  package private(set) var count = 0
  /// Bytes of the URLs that wait.
  private var byteCount = 0

  private static let countMax = 500_000
  private static let byteCountMax = 64 << 20

  /// Whether links of pages may be added: a site may lead to new ones without end.
  package var hasRoom: Bool { count < Self.countMax && byteCount < Self.byteCountMax }

  /// Remembers that a URL needs no fetching; false where that was known.
  @discardableResult package mutating func mark(_ url: String) -> Bool {
    seen.insert(url).inserted
  }

  /// Adds a URL that was never there; false for others.
  @discardableResult package mutating func add(_ entry: Entry, host: String) -> Bool {
    guard mark(entry.url) else { return false }
    push(entry, host: host)
    return true
  }

  /// Puts a URL back that was taken.
  package mutating func push(_ entry: Entry, host: String) {
    if lanes[host] == nil { order.append(host) }
    lanes[host, default: Lane()].entries.append(entry)
    count += 1
    byteCount += entry.url.utf8.count
  }

  /// The next URL whose host may be asked now, or how long to wait; nil when none waits.
  package mutating func next() -> (entry: Entry?, wait: Duration)? {
    guard count > 0 else { return nil }
    let now = ContinuousClock.now
    var soonest: ContinuousClock.Instant?
    for step in 0..<order.count {
      let host = order[(turn + step) % order.count]
      guard let lane = lanes[host], !lane.isEmpty else { continue }
      guard lane.ready <= now else {
        soonest = min(soonest ?? lane.ready, lane.ready)
        continue
      }
      turn = (turn + step + 1) % order.count
      let entry = lanes[host]?.take()
      count -= 1
      byteCount -= entry?.url.utf8.count ?? 0
      return (entry, .zero)
    }
    return (nil, (soonest ?? now) - now)
  }

  /// Makes a host wait before it is asked again.
  package mutating func delay(_ host: String, by duration: Duration) {
    if lanes[host] == nil { order.append(host) }
    lanes[host, default: Lane()].ready = ContinuousClock.now + duration
  }
}
