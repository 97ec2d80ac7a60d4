import Cairn
import Crawling
import Glibc
import WebMarkup

/// Fetches pages of the web, politely, and hands each to an import.
final class Crawl {
  private let options: CrawlOptions
  private let session: PageSession
  private let fetcher: PageFetcher
  /// Nil where nothing is remembered: `--dry-run`.
  private let journal: CrawlJournal?
  private var queue = CrawlQueue()
  private var hosts: Set<String> = []
  private var askedOf: [String: Int] = [:]
  private var lastRequests: [String: ContinuousClock.Instant] = [:]
  /// What kept pages from being acknowledged while a host was waited for.
  private var fault: Failure?
  /// Sitemaps that were asked for in this run, and whether they could be read.
  private var sitemaps: [String: Bool] = [:]
  /// URLs in a row that a host did not answer.
  private var silence: [String: Int] = [:]
  /// Whether a URL waits for the next run, since its host was asked often enough.
  private var isHeldBack = false
  private var lastCommit = ContinuousClock.now

  private static let tries = 3
  private static let silenceMax = 5
  private static let retryAfterMax = 10
  private static let indexDepth = 2
  private static let commitInterval = Duration.milliseconds(500)

  init(
    _ options: CrawlOptions, _ session: PageSession, _ fetcher: PageFetcher,
    _ journal: CrawlJournal?
  ) {
    self.options = options
    self.session = session
    self.fetcher = fetcher
    self.journal = journal
    if let journal {
      fetcher.restore(journal.files)
      fetcher.noteFile = { journal.note($0, $1, $2) }
      session.beforeCommit = { () throws(Failure) in try journal.saveQueued() }
      session.afterRefusal = { journal.noteUnread($0) }
    }
  }

  /// Fetches what the sources name, and where they lead.
  ///
  /// Returns early, leaving the rest in the journal, when the pages asked for are enough, of all
  /// hosts or of one.
  func run(_ sources: [WebURL]) throws(Failure) {
    hosts = Set(sources.compactMap(\.host))
    fetcher.willAsk = { [unowned self] url in
      self.waitForTurn(of: url, max(self.options.delay, self.fetcher.delay(of: url)))
    }
    fetcher.willAskForRules = { [unowned self] url in
      self.waitForTurn(of: url, self.options.delay)
    }
    if let journal, let waiting = journal.waiting {
      for url in journal.done {
        queue.mark(url)
        session.pages.known.meet(url)
      }
      for page in session.pages.known.pages(since: journal.start) { queue.mark(page) }
      for entry in waiting { enqueue(entry, isNew: false) }
    } else {
      for source in sources {
        let url = source.description
        guard url.utf8.count <= PageImport.byteCountMax else {
          try session.settle(PageOutcome(tooLong: url), from: url)
          continue
        }
        enqueue(source, depth: options.depth)
      }
      if options.site { seed(sources) }
      journal?.noteSeeded()
    }
    try journal?.saveQueued()
    guard try drain(), !isHeldBack else { return try commit() }
    if options.site || options.depth > 0 {
      for url in session.pages.known.current where isOfSources(url) {
        let former = journal?.validators[url]
        let depth = min(former?.depth ?? 0, options.depth)
        enqueue(CrawlQueue.Entry(url: url, depth: depth, parent: former?.parent), isNew: false)
      }
      guard try drain(), !isHeldBack else { return try commit() }
    }
    try commit()
    try journal?.end()
  }

  private func isOfSources(_ url: String) -> Bool {
    WebURL(url)?.host.map { hosts.contains($0) } ?? false
  }

  /// Waits until a host may be asked again, so many seconds after the last request to it.
  private func waitForTurn(of url: WebURL, _ seconds: Double) {
    guard let host = url.host else { return }
    if let last = lastRequests[host] {
      let ready = last + Duration.seconds(seconds)
      if ContinuousClock.now.duration(to: ready) >= Self.commitInterval {
        // What is had already does not wait.
        do throws(Failure) { try commit() } catch { fault = error }
      }
      while ready > .now { Self.sleep(ContinuousClock.now.duration(to: ready)) }
    }
    lastRequests[host] = ContinuousClock.now
    queue.delay(host, by: .seconds(seconds))
  }

  private func enqueue(
    _ url: WebURL, depth: Int, lastModified: String? = nil, parent: String? = nil
  ) {
    let text = url.withoutFragment.withoutUser.description
    guard text.utf8.count <= PageImport.byteCountMax else { return }
    enqueue(
      CrawlQueue.Entry(url: text, depth: depth, lastModified: lastModified, parent: parent),
      isNew: true)
  }

  private func enqueue(_ entry: CrawlQueue.Entry, isNew: Bool) {
    guard let host = WebURL(entry.url)?.host, queue.add(entry, host: host) else { return }
    if isNew { journal?.noteQueued(entry) }
  }

  // MARK: Sitemaps

  private func seed(_ sources: [WebURL]) {
    var origins: Set<String> = []
    var maps: [WebURL] = []
    // One file may tell of several hosts.
    var named: [WebURL: Set<String>] = [:]
    for source in sources {
      let origin = HTTPClient.origin(of: source)
      guard let host = source.host, origins.insert(origin).inserted else { continue }
      var places: [String] = []
      // Where the rules cannot be had, the page itself says so.
      if let rules = try? fetcher.rules(for: source) { places = rules.sitemaps }
      if places.isEmpty { places = [origin + "/sitemap.xml"] }
      for place in places {
        guard let url = WebURL(place, base: source)?.withoutFragment else { continue }
        if named[url] == nil { maps.append(url) }
        named[url, default: []].insert(host)
      }
    }
    for map in maps { readSitemap(at: map, of: named[map] ?? [], deep: 0) }
  }

  /// Reads a sitemap that was not asked for in this run.
  ///
  /// Where as many pages wait as this run may ask for, it waits behind them.
  private func readSitemap(at url: WebURL, of hosts: Set<String>, deep: Int) {
    guard sitemaps[url.description] == nil else { return }
    if queue.count >= options.maxPages, isOfSources(url.description) {
      return enqueue(url, depth: options.depth)
    }
    fetchSitemap(at: url, of: hosts, deep: deep)
  }

  private func fetchSitemap(at url: WebURL, of hosts: Set<String>, deep: Int) {
    sitemaps[url.description] = false
    let found = fetcher.fetch(url, nil, limit: Sitemap.byteCountMax)
    guard case .answer(let answer, let place, _) = found, answer.status == 200,
      read(answer.body, at: place, of: hosts, deep: deep)
    else { return }
    sitemaps[url.description] = true
  }

  /// Reads a sitemap and those that it names; false where the bytes are none.
  private func read(_ body: [UInt8], at url: WebURL, of hosts: Set<String>, deep: Int) -> Bool {
    var body = body
    if body.starts(with: [0x1F, 0x8B]) {
      // What cannot be unpacked is no sitemap.
      body = (try? ContentCoding.decode(body, "gzip", limit: Sitemap.byteCountMax)) ?? []
    }
    guard let map = Sitemap(body) else { return false }
    sitemaps[url.description] = true
    for entry in map.entries {
      guard let target = WebURL(entry.url, base: url)?.withoutFragment, target.isHTTP,
        hosts.contains(target.host ?? "")
      else { continue }
      if !map.isIndex {
        enqueue(target, depth: options.depth, lastModified: entry.lastModified)
      } else if deep < Self.indexDepth {
        readSitemap(at: target, of: hosts, deep: deep + 1)
      }
    }
    return true
  }

  private static func sleep(_ duration: Duration) {
    guard duration > .zero else { return }
    let parts = duration.components
    usleep(UInt32(min(parts.seconds, 60) * 1_000_000 + parts.attoseconds / 1_000_000_000_000))
  }

  // MARK: Pages

  /// Fetches all that waits; false where the limit of pages ends it.
  private func drain() throws(Failure) -> Bool {
    while let (entry, wait) = queue.next() {
      guard let entry else {
        try commit()
        Self.sleep(wait)
        continue
      }
      guard session.counts.fetched < options.maxPages else { return false }
      try take(entry)
      if let fault { throw fault }
      if lastCommit.duration(to: .now) >= Self.commitInterval { try commit() }
    }
    return true
  }

  private func take(_ entry: CrawlQueue.Entry) throws(Failure) {
    guard let url = WebURL(entry.url), let host = url.host else { return }
    if sitemaps[entry.url] == true {
      return try settle(PageOutcome(.skipped, entry.url, reason: "a sitemap"), entry, nil)
    }
    var validator = journal?.validators[entry.url]
    // Whose links were not followed so far is read again: what has not changed comes without them.
    if validator?.depth ?? 0 < entry.depth { validator = nil }
    if isEnded(entry, validator) { validator = nil }
    if validator != nil, try session.pages.known.joinsMore(entry.url) { validator = nil }
    if isUnchanged(entry, validator) {
      return try settle(PageOutcome(.unchanged, entry.url), entry, validator)
    }
    guard silence[host, default: 0] < Self.silenceMax else {
      return try settle(
        PageOutcome(.failed, entry.url, reason: "\(host) does not answer"), entry, nil)
    }
    guard askedOf[host, default: 0] < options.maxPerHost ?? options.maxPages else {
      isHeldBack = true
      return
    }
    askedOf[host, default: 0] += 1
    if session.pages.known.layer(at: entry.url) == nil { validator = nil }
    var found = fetcher.fetch(url, validator)
    var attempt = 1
    while Self.isForNow(found), attempt < Self.tries, let delay = retryDelay(found, attempt) {
      // What is had already does not wait.
      if delay >= Self.commitInterval { try commit() }
      Self.sleep(delay)
      attempt += 1
      found = fetcher.fetch(url, validator)
    }
    switch found {
    case .disallowed(let reason, let isAsked):
      if !isAsked { askedOf[host, default: 1] -= 1 }
      try settle(PageOutcome(.disallowed, entry.url, reason: reason), entry, nil)
    case .failed(let fault):
      if fault.kind == .unanswered { silence[host, default: 0] += 1 }
      if fault.kind == .tooLarge, mayBeSitemap(url, entry) {
        fetchSitemap(at: url, of: [host], deep: 0)
        if sitemaps[entry.url] == true {
          return try settle(PageOutcome(.skipped, entry.url, reason: "a sitemap"), entry, nil)
        }
      }
      let isRefused = fault.kind == .tooLarge || fault.kind == .privateAddress
      try settle(
        PageOutcome(isRefused ? .rejected : .failed, entry.url, reason: fault.message), entry, nil)
    case .answer(let answer, let place, let isMoved):
      silence[host] = 0
      session.counts.fetched += 1
      try take(answer, place, isMoved: isMoved, entry, url, validator)
    }
  }

  /// Whether a URL that is too large for a page may be a sitemap, which is read up to 50 MiB.
  private func mayBeSitemap(_ url: WebURL, _ entry: CrawlQueue.Entry) -> Bool {
    entry.depth == options.depth && isOfSources(entry.url)
      && [".xml", ".txt", ".gz"].contains { url.path.hasSuffix($0) }
  }

  private static func isForNow(_ result: PageFetcher.Result) -> Bool {
    switch result {
    case .answer(let answer, _, _): answer.status >= 500 || answer.status == 429
    case .failed(let fault): fault.kind == .unanswered
    case .disallowed: false
    }
  }

  /// How long to wait before a URL is asked for again; nil where its server wants more than that
  /// (RFC 9110, section 10.2.3).
  private func retryDelay(_ result: PageFetcher.Result, _ attempt: Int) -> Duration? {
    let delay = Duration.milliseconds(100 << attempt) + .seconds(options.delay)
    guard case .answer(let answer, _, _) = result, let text = answer["retry-after"] else {
      return delay
    }
    // A date may be any time away.
    guard let seconds = Int(text), seconds <= Self.retryAfterMax else { return nil }
    return max(delay, .seconds(seconds))
  }

  /// Whether the page was said to be gone after it was last asked for, or went with its item.
  private func isEnded(_ entry: CrawlQueue.Entry, _ validator: CrawlJournal.Validator?) -> Bool {
    guard let validator, let layer = session.pages.known.layer(at: entry.url), let end = layer.time
    else { return false }
    return layer.hasExpired
      || layer.isEndedByPage && !layer.isCurrent && end.seconds > validator.time
  }

  /// Whether the sitemap says that nothing has changed since the page was last fetched.
  private func isUnchanged(_ entry: CrawlQueue.Entry, _ validator: CrawlJournal.Validator?) -> Bool
  {
    guard let modified = entry.lastModified, let validator, let end = Self.endOfTime(modified)
    else { return false }
    return end.seconds <= validator.time
  }

  /// The last moment that a sitemap's date can mean.
  private static func endOfTime(_ text: String) -> Timestamp? {
    if let time = Timestamp(rfc3339: text) { return time }
    // Sitemaps may leave out the seconds.
    if let minute = Timestamp(rfc3339: "\(text.prefix(16)):00\(text.dropFirst(16))") {
      return Timestamp(seconds: minute.seconds + 59)
    }
    guard text.utf8.count == 10, let day = Timestamp(rfc3339: text + "T00:00:00Z") else {
      return nil
    }
    return Timestamp(seconds: day.seconds + 86_400)
  }

  private func take(
    _ answer: HTTPAnswer, _ place: WebURL, isMoved: Bool, _ entry: CrawlQueue.Entry,
    _ asked: WebURL, _ former: CrawlJournal.Validator?
  ) throws(Failure) {
    var validator = CrawlJournal.Validator(
      entityTag: answer["etag"], lastModified: answer["last-modified"],
      time: Timestamp.now().seconds, depth: entry.depth, parent: entry.parent)
    if answer.status == 304, let former { validator.keep(former) }
    // Another URL's answer says nothing of when this one changes, and an answer without content
    // says nothing of fields that are there no more.
    let letsIndex = fetcher.letsIndex(answer)
    if place.description != asked.description || !letsIndex {
      (validator.entityTag, validator.lastModified) = (nil, nil)
    }
    switch answer.status {
    // To nobody's condition it says nothing.
    case 304 where former != nil:
      session.counts.notModified += 1
      var outcome = PageOutcome(.unchanged, entry.url)
      if !letsIndex {
        outcome = try session.pages.end(
          .noindex, entry.url, .now(), reason: "the page asks not to be indexed")
      }
      try settle(outcome, entry, validator)
    case 404, 410:
      try settle(try end(entry, isMoved ? place : asked), entry, nil)
    case 200:
      try takePage(answer, isMoved ? place : asked, place, validator, entry)
    case let status:
      // These may be another answer next time.
      let action: PageOutcome.Action = status == 429 || status >= 500 ? .failed : .skipped
      let reason = "the server answers \(status)"
      try settle(PageOutcome(action, entry.url, reason: reason), entry, nil)
    }
  }

  /// A page is there no more, nor is what it moved to for good.
  private func end(_ entry: CrawlQueue.Entry, _ place: WebURL) throws(Failure) -> PageOutcome {
    let reason = "the server has no such page any more"
    var outcome = try session.pages.end(.gone, entry.url, .now(), reason: reason)
    let other = place.description
    guard other != entry.url else { return outcome }
    queue.mark(other)
    let more = try session.pages.end(.gone, other, .now(), reason: reason)
    outcome.item = outcome.item ?? more.item
    outcome.events += more.events
    return outcome
  }

  private func takePage(
    _ answer: HTTPAnswer, _ url: WebURL, _ place: WebURL, _ validator: CrawlJournal.Validator,
    _ entry: CrawlQueue.Entry
  ) throws(Failure) {
    let isPage = PageContainer.isPage(type: answer["content-type"])
    // Scripts that write sitemaps give them the type of pages.
    let isMarkup = answer.body.first { $0 > 0x20 } == UInt8(ascii: "<")
    if !isPage || isMarkup, let host = place.host, hosts.contains(host),
      entry.depth == options.depth, read(answer.body, at: place, of: [host], deep: 0)
    {
      sitemaps[entry.url] = true
      return try settle(PageOutcome(.skipped, entry.url, reason: "a sitemap"), entry, nil)
    }
    guard isPage else {
      let type = answer["content-type"]?.prefix { $0 != ";" }.lowercased() ?? "no type is named"
      return try settle(PageOutcome(.skipped, entry.url, reason: "no page: \(type)"), entry, nil)
    }
    var source = fetcher.page(answer, place)
    source.urls = [("request", url.withoutFragment.description)]
    source.base = place
    let page = WebPage(source)
    var outcome = try session.pages.take(page)
    if url.description != entry.url {
      queue.mark(url.description)
      try session.pages.move(entry.url, into: &outcome)
    }
    var kept = validator
    if entry.depth > 0, !follow(page.links, from: entry) { kept.forgetAnswer() }
    try settle(outcome, entry, kept)
  }

  /// Lets the links of a page wait; false where there is no room for all of them.
  private func follow(_ links: [String], from entry: CrawlQueue.Entry) -> Bool {
    for link in links {
      guard let url = WebURL(link), !options.sameHost || hosts.contains(url.host ?? "") else {
        continue
      }
      guard queue.hasRoom else { return false }
      enqueue(url, depth: entry.depth - 1, parent: entry.url)
    }
    return true
  }

  private func settle(
    _ outcome: PageOutcome, _ entry: CrawlQueue.Entry, _ validator: CrawlJournal.Validator?
  ) throws(Failure) {
    if let parent = entry.parent, outcome.action == .failed || outcome.action == .gone {
      journal?.noteUnread(parent)
    }
    // What could not be had now waits, should this crawl have to go on in another run.
    if let journal, outcome.action != .failed {
      // Who was not asked gave no other answer than the last.
      let last = outcome.action == .disallowed ? journal.validators[entry.url] : validator
      journal.noteDone(entry.url, last)
    }
    try session.settle(outcome, from: entry.url)
  }

  /// Writes where pages lead, then their events, then that they are done: a kill between these
  /// loses none.
  private func commit() throws(Failure) {
    try journal?.saveQueued()
    try session.commit()
    for (url, time) in session.pages.takeEnded() { journal?.noteEnd(url, time) }
    try journal?.saveDone()
    lastCommit = .now
  }
}
