import Cairn
import Crawling
import Files
import Glibc
import Rows

/// What a crawl remembers beside the store: validators, files of hosts and the queues of crawls
/// that did not end, by the sources and options of each.
///
/// Lines of JSON, added to; the last one may be cut by a kill. A purge takes the file away: pages
/// are asked for anew then, and nothing that was purged is remembered.
final class CrawlJournal {
  /// A file that tells of its whole host, by the name it has here.
  enum HostFile: String, CaseIterable {
    case robots
    case association = "aasa"
  }

  /// What the last answer of a URL gave.
  struct Validator {
    var entityTag: String?
    var lastModified: String?
    /// Seconds since 1970.
    var time: Int64
    /// How many steps its links were followed.
    var depth: Int
    /// The page that led to it.
    var parent: String?

    /// The next request asks for the whole page.
    mutating func forgetAnswer() { (entityTag, lastModified, time) = (nil, nil, 0) }

    /// Keeps what an answer without content leaves as it was (RFC 9110, section 15.4.5).
    mutating func keep(_ former: Validator) {
      entityTag = entityTag ?? former.entityTag
      lastModified = lastModified ?? former.lastModified
      depth = max(depth, former.depth)
      parent = parent ?? former.parent
    }
  }

  /// A crawl that did not end.
  private struct Unfinished {
    var start: Int64
    var queue: [CrawlQueue.Entry] = []
    var done: Set<String> = []
    /// Whether all that the sources name waits.
    var isSeeded = false
  }

  private(set) var validators: [String: Validator] = [:]
  /// When pages were gone, or not to be indexed, that tell of no item, in seconds since 1970, by
  /// their URLs.
  private(set) var ends: [String: Int64] = [:]
  private(set) var files: [HostFile: [String: RobotsCache.Entry]] = [:]
  /// The queue of the crawl that did not end, where it is the same one: what waits longest first,
  /// since that was perhaps asked for and not kept, and must not wait for another kill.
  private(set) var waiting: [CrawlQueue.Entry]?
  private(set) var done: Set<String> = []
  /// When the crawl began, in seconds since 1970.
  private(set) var start: Int64

  private let directory: String
  private let path: String
  private let key: String
  private var descriptor: Int32 = -1
  /// Where the last lines of this crawl end: behind those of another its name comes again.
  private var ownEnd = 0
  /// Whether the file that told of this crawl is gone.
  private var isForgotten = false
  private var queued: [UInt8] = []
  private var settled: [UInt8] = []

  /// Reads what is there; `key` names the crawl: the same sources and options.
  init(in store: String, key: String, isFresh: Bool) throws(Failure) {
    directory = store
    path = store + "/" + Store.pageJournalName
    self.key = key
    start = Timestamp.now().seconds
    // Crawls that begin at once would replace what another is still writing.
    let lock = try answering(Store.pageJournalLock(in: store))
    defer { withExtendedLifetime(lock) {} }
    var unfinished = try read()
    let former = unfinished.removeValue(forKey: key)
    if let former, former.isSeeded, !isFresh {
      (start, done) = (former.start, former.done)
      waiting = former.queue.filter { !former.done.contains($0.url) }
    }
    try rewrite(unfinished)
    ownEnd = try openFile()
  }

  private init(reading store: String) throws(Failure) {
    directory = store
    path = store + "/" + Store.pageJournalName
    key = ""
    start = 0
    _ = try read()
  }

  /// When pages were last seen and when others were gone, in seconds since 1970, by their URLs.
  static func times(in store: String) throws(Failure) -> (
    seen: [String: Int64], ends: [String: Int64]
  ) {
    let journal = try CrawlJournal(reading: store)
    // A clock that went ahead would keep pages as they are until then.
    let now = Timestamp.now().seconds
    return (
      journal.validators.mapValues { min($0.time, now) }, journal.ends.mapValues { min($0, now) }
    )
  }

  /// Opens what is at the path, and gives its size.
  private func openFile() throws(Failure) -> Int {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let opened = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw Failure.file(path, "cannot be written") }
    if descriptor >= 0 { close(descriptor) }
    descriptor = opened
    return FileStatus(descriptor: opened)?.byteCount ?? 0
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  // MARK: Reading

  /// Reads what is there; gives the crawls that did not end.
  private func read() throws(Failure) -> [String: Unfinished] {
    guard unsafe access(path, F_OK) == 0 else { return [:] }
    let bytes = try WholeInput.read(path, limit: .max, what: "a journal")
    var unfinished: [String: Unfinished] = [:]
    // Whose lines these are.
    var key = ""
    for line in bytes.split(separator: 0x0A) {
      // A kill may have cut the last line.
      guard let row = JSONObject(json: line) else { continue }
      if let crawl = row["crawl"]?.string {
        key = crawl
        let began = row["start"]?.number() ?? start
        // Crawls that run at once write by turns.
        if unfinished[key]?.start != began { unfinished[key] = Unfinished(start: began) }
      } else if let url = row["queue"]?.string {
        unfinished[key]?.queue.append(
          CrawlQueue.Entry(
            url: url, depth: row["depth"]?.number() ?? 0, lastModified: row["modified"]?.string,
            parent: row["parent"]?.string))
      } else if let url = row["done"]?.string {
        unfinished[key]?.done.insert(url)
        if let time: Int64 = row["time"]?.number() {
          validators[url] = Validator(
            entityTag: row["etag"]?.string, lastModified: row["modified"]?.string, time: time,
            depth: row["depth"]?.number() ?? 0, parent: row["parent"]?.string)
        } else {
          validators[url] = nil
        }
      } else if let url = row["gone"]?.string, let time: Int64 = row["time"]?.number() {
        ends[url] = time
      } else if let body = row["body"]?.string.flatMap({ Base64.decode($0) }),
        let time: Int64 = row["time"]?.number()
      {
        let entry = RobotsCache.Entry(isReachable: true, bytes: body, time: time)
        for file in HostFile.allCases {
          if let origin = row[file.rawValue]?.string { files[file, default: [:]][origin] = entry }
        }
      } else if row["seeded"] != nil {
        unfinished[key]?.isSeeded = true
      } else if row["end"] != nil {
        unfinished[key] = nil
      }
    }
    return unfinished
  }

  /// Writes anew what outlives a crawl, other crawls that did not end, and this one at the end.
  private func rewrite(_ others: [String: Unfinished]) throws(Failure) {
    var bytes: [UInt8] = []
    for (url, validator) in validators { bytes += Self.line(of: url, validator) }
    for (url, time) in ends { bytes += Self.line(ofGone: url, time) }
    for (file, entries) in files {
      for (origin, entry) in entries { bytes += Self.line(of: file, origin, entry) }
    }
    // One for which not all waits yet may still run.
    for (other, crawl) in others { append(crawl, of: other, to: &bytes) }
    append(
      Unfinished(start: start, queue: waiting ?? [], done: done, isSeeded: waiting != nil),
      of: key, to: &bytes)
    try answering(SmallFile.replace(path, with: bytes, isSecret: true))
  }

  private func append(_ crawl: Unfinished, of key: String, to bytes: inout [UInt8]) {
    bytes += Self.head(key, crawl.start)
    for entry in crawl.queue { bytes += Self.line(of: entry) }
    for url in crawl.done {
      // A line without a validator would take back the one there is.
      bytes += validators[url].map { Self.line(of: url, $0) } ?? Self.line(ofDone: url)
    }
    if crawl.isSeeded { bytes += JSONLine.line { $0.field("seeded", true) } }
  }

  private static func head(_ key: String, _ start: Int64) -> [UInt8] {
    JSONLine.line { line in
      line.field("crawl", key)
      line.field("start", start)
    }
  }

  private static func line(of entry: CrawlQueue.Entry) -> [UInt8] {
    JSONLine.line { line in
      line.field("queue", entry.url)
      line.field("depth", entry.depth)
      if let modified = entry.lastModified { line.field("modified", modified) }
      if let parent = entry.parent { line.field("parent", parent) }
    }
  }

  private static func line(ofDone url: String) -> [UInt8] {
    JSONLine.line { $0.field("done", url) }
  }

  private static func line(ofGone url: String, _ time: Int64) -> [UInt8] {
    JSONLine.line { line in
      line.field("gone", url)
      line.field("time", time)
    }
  }

  private static func line(of url: String, _ validator: Validator) -> [UInt8] {
    JSONLine.line { line in
      line.field("done", url)
      line.field("time", validator.time)
      if let tag = validator.entityTag { line.field("etag", tag) }
      if let modified = validator.lastModified { line.field("modified", modified) }
      if validator.depth > 0 { line.field("depth", validator.depth) }
      if let parent = validator.parent { line.field("parent", parent) }
    }
  }

  private static func line(of file: HostFile, _ origin: String, _ entry: RobotsCache.Entry)
    -> [UInt8]
  {
    JSONLine.line { line in
      switch file {
      case .robots: line.field("robots", origin)
      case .association: line.field("aasa", origin)
      }
      line.field("time", entry.time)
      line.field("body", Base64.encode(entry.bytes))
    }
  }

  // MARK: Writing

  func noteQueued(_ entry: CrawlQueue.Entry) { queued += Self.line(of: entry) }

  /// All that the sources name waits.
  func noteSeeded() { queued += JSONLine.line { $0.field("seeded", true) } }

  /// A URL was answered, or is not asked for again in this crawl.
  ///
  /// Without a validator, what an earlier answer gave holds no more.
  func noteDone(_ url: String, _ validator: Validator?) {
    if let validator {
      validators[url] = validator
      settled += Self.line(of: url, validator)
    } else {
      validators[url] = nil
      settled += Self.line(ofDone: url)
    }
  }

  /// A page was the same at a time, in seconds since 1970, as a capture of it says.
  func noteSeen(_ url: String, _ time: Int64) {
    var validator = validators[url] ?? Validator(time: time, depth: 0)
    // One that is to be asked for whole still is.
    guard validator.time > 0 else { return }
    validator.time = max(validator.time, time)
    noteDone(url, validator)
  }

  /// A page that told of no item was gone at a time, in seconds since 1970, or not to be indexed.
  func noteEnd(_ url: String, _ time: Int64) {
    guard ends[url] != time else { return }
    ends[url] = time
    settled += Self.line(ofGone: url, time)
  }

  /// A page is asked for whole the next time: somewhere it leads could not be had.
  func noteUnread(_ url: String) {
    guard var validator = validators[url], validator.time > 0 else { return }
    validator.forgetAnswer()
    noteDone(url, validator)
  }

  func note(_ file: HostFile, _ origin: String, _ entry: RobotsCache.Entry) {
    queued += Self.line(of: file, origin, entry)
  }

  /// Writes what waits, before the events of the pages that led there.
  func saveQueued() throws(Failure) { try save(&queued) }

  /// Writes what is done, after its events.
  func saveDone() throws(Failure) { try save(&settled) }

  private func save(_ bytes: inout [UInt8]) throws(Failure) {
    guard !bytes.isEmpty else { return }
    let lock = try answering(Store.pageJournalLock(in: directory))
    defer { withExtendedLifetime(lock) {} }
    defer { bytes = [] }
    guard let size = try currentSize() else { return }
    // A kill may have cut the last line of another.
    let head: [UInt8] = size == ownEnd ? [] : [0x0A] + Self.head(key, start)
    try Output.write(head + bytes, to: descriptor, name: path)
    ownEnd = size + head.count + bytes.count
    guard fdatasync(descriptor) == 0 else { throw Failure.file(path, "cannot be written") }
  }

  /// The size of the file, which is opened again where another crawl wrote it anew.
  ///
  /// Nil where it tells of this crawl no more: after a purge, nothing from before may come back.
  private func currentSize() throws(Failure) -> Int? {
    guard !isForgotten, let there = FileStatus(path) else {
      isForgotten = true
      return nil
    }
    if FileStatus(descriptor: descriptor)?.isSame(as: there) == true { return there.byteCount }
    let head = Self.head(key, start).dropLast()
    let bytes = try WholeInput.read(path, limit: .max, what: "a journal")
    isForgotten = !bytes.split(separator: 0x0A).contains { $0.elementsEqual(head) }
    return isForgotten ? nil : try openFile()
  }

  func end() throws(Failure) {
    try saveDone()
    queued += JSONLine.line { $0.field("end", true) }
    try saveQueued()
  }
}
