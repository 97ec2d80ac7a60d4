import ActivityWatch
import Cairn
import Values

/// Where the events of the buckets are in the log, and how long they became.
struct WatchIndex {
  /// An event without what was seen, which is in the log.
  struct Entry: Sendable {
    var id: Int
    var sequence: UInt64
    /// Microseconds since 1970.
    var start: Int64
    /// Microseconds.
    var duration: Int64
    /// As the event itself has it.
    var own: Int64
    /// The events that lengthened it, and how long each says that it is.
    var extensions: [(sequence: UInt64, length: Int64)] = []

    var end: Int64 { start + duration }
    /// When it was inserted, among others: what took another's place under its id, or was told anew
    /// since a purge cut it short, came when that did.
    var order: Int { min(id, Int(clamping: sequence)) }
    /// As the log knows it.
    var logged: Int64 { extensions.reduce(own) { max($0, $1.length) } }

    func event(_ data: JSONObject) -> WatchedEvent {
      WatchedEvent(id: id, start: start, duration: duration, data: data)
    }
  }

  /// The events of one bucket, by start and, of one time, as they were inserted; while some are
  /// taken in, as they come.
  struct Events {
    private(set) var entries: [Entry] = []
    /// The sequence of what was inserted last.
    private(set) var last: UInt64 = 0
    /// When that was inserted.
    private var lastOrder = Int.min
    /// No event lasts longer.
    var longest: Int64 = 0
    /// Whether what was inserted stands in its place.
    private(set) var isInOrder = true

    /// The first place whose event starts then or later.
    func place(of start: Int64) -> Int {
      entries.indices.partitioningIndex { entries[$0].start >= start }
    }

    /// Takes an event in, to be put in its place with all that come along: where they come newest
    /// first, each one by itself would move all the others.
    mutating func insert(_ entry: Entry) {
      if let last = entries.last { isInOrder = isInOrder && !Self.isBefore(entry, last) }
      entries.append(entry)
      if entry.order >= lastOrder { (last, lastOrder) = (entry.sequence, entry.order) }
      longest = max(longest, entry.duration)
    }

    mutating func putInOrder() {
      if !isInOrder { entries.sort(by: Self.isBefore) }
      isInOrder = true
    }

    private static func isBefore(_ a: Entry, _ b: Entry) -> Bool {
      (a.start, a.order) < (b.start, b.order)
    }

    mutating func remove(_ sequences: Set<UInt64>) {
      entries.removeAll { sequences.contains($0.sequence) }
      guard sequences.contains(last) else { return }
      let newest = entries.max { ($0.order, $0.sequence) < ($1.order, $1.sequence) }
      (last, lastOrder) = (newest?.sequence ?? 0, newest?.order ?? .min)
    }

    mutating func change(at index: Int, _ body: (inout Entry) -> Void) {
      body(&entries[index])
      longest = max(longest, entries[index].duration)
    }

    func index(of id: Int) -> Int? { entries.firstIndex { $0.id == id } }

    func index(ofSequence sequence: UInt64) -> Int? {
      entries.lastIndex { $0.sequence == sequence }
    }

    /// The events that touch a span, the newest first, so many at most.
    func touching(_ from: Int64?, _ to: Int64?, limit: Int? = nil) -> [Entry] {
      var found: [Entry] = []
      for entry in entries[near(from, to)].reversed() {
        if found.count == limit { break }
        if from.map({ entry.end >= $0 }) ?? true { found.append(entry) }
      }
      return found
    }

    /// How many events touch a span.
    func touchingCount(_ from: Int64?, _ to: Int64?) -> Int {
      let near = entries[near(from, to)]
      return from.map { from in near.count { $0.end >= from } } ?? near.count
    }

    /// The places where all events that touch a span are.
    private func near(_ from: Int64?, _ to: Int64?) -> Range<Int> {
      let first = from.map { place(of: $0.subtractingReportingOverflow(longest).partialValue) } ?? 0
      let end = to.map { place(of: $0 == .max ? $0 : $0 + 1) } ?? entries.count
      return first..<max(first, end)
    }
  }

  private(set) var buckets: [String: Events] = [:]
  /// Everything up to here was looked at.
  private(set) var through: UInt64 = 0
  /// Which bucket each event belongs to, by ascending sequence.
  private var owners: [(sequence: UInt64, bucket: String)] = []
  /// Runs of which a purge took an event that lengthened them.
  private var shortened: Set<UInt64> = []

  /// Whether a purge was taken in that nothing beside this heeded yet.
  var hasPurge = false
  /// Why the first event that was left out cannot be read.
  private(set) var damage: CairnError?

  /// Takes in the events of a log up to a head, but for those that are damaged: what watchers send
  /// needs them not, and would be lost while they are asked for in vain.
  /// - Returns: False where that ended halfway.
  mutating func follow(_ store: Store, to head: UInt64, while goesOn: () -> Bool)
    throws(CairnError) -> Bool
  {
    // Of a span that cannot be read half is tried, down to the one event, and behind it more again.
    var step = UInt64.max
    while through < head {
      let end = through + min(step, head - through)
      var query = EventQuery()
      (query.from, query.through) = (through + 1, end)
      var isWhole = true
      do throws(CairnError) {
        try store.forEachRecord(query) { (record) throws(CairnError) in
          try add(record)
          isWhole = goesOn()
          return isWhole
        }
        guard isWhole else { return false }
        through = end
        step = step > .max / 2 ? .max : 2 * step
      } catch  where error.code == .corrupt {
        step = max(1, (end - through) / 2)
        guard end - through == 1 else { continue }
        damage = damage ?? error
        through = end
      }
    }
    return true
  }

  mutating func add(_ record: LogRecord) throws(CairnError) {
    try take(record)
    through = record.sequence
  }

  private mutating func take(_ record: LogRecord) throws(CairnError) {
    if record.kind == .purge {
      hasPurge = true
      return try forget(try record.event)
    }
    let prefix = WatchedView.sourcePrefix.utf8
    guard let source = record.source, source.starts(with: prefix) else { return }
    var bucket = String(decoding: source.dropFirst(prefix.count), as: UTF8.self)
    // One text for all its events.
    if let place = buckets.index(forKey: bucket) { bucket = buckets.keys[place] }
    // A store has millions of these, of which nothing else is needed.
    switch record.kind {
    case .view: insert(record, try record.unknownKeys(), bucket)
    case .extend: lengthen(record, try record.unknownKeys(), bucket)
    default: break
    }
  }

  /// Everything up to a sequence was looked at.
  mutating func pass(_ sequence: UInt64) {
    through = max(through, sequence)
    for name in buckets.filter({ !$0.value.isInOrder }).map(\.key) { buckets[name]?.putInOrder() }
  }

  private mutating func insert(_ record: LogRecord, _ keys: JSONObject, _ bucket: String) {
    guard let seen = StoredActivity(keys, at: record.time, dwell: record.dwell) else { return }
    let entry = Entry(
      id: seen.id ?? Int(clamping: record.sequence), sequence: record.sequence, start: seen.start,
      duration: seen.duration, own: seen.duration)
    // In its place: to copy a bucket's events for each of them takes hours where they are many.
    buckets[bucket, default: Events()].insert(entry)
    owners.append((record.sequence, bucket))
  }

  private mutating func lengthen(_ record: LogRecord, _ keys: JSONObject, _ bucket: String) {
    guard let of = keys.extended, let dwell = record.dwell,
      let length = WatchedEvent.microseconds(dwell)
    else { return }
    change(of, in: bucket) { entry in
      entry.duration = max(entry.duration, length)
      entry.extensions.append((record.sequence, length))
    }
    owners.append((record.sequence, bucket))
  }

  /// Notes that a run became longer, which the log need not know yet.
  mutating func lengthen(_ sequence: UInt64, in bucket: String, to length: Int64) {
    change(sequence, in: bucket) { $0.duration = max($0.duration, length) }
  }

  /// Takes back what a run became beyond a length, as far as the log does not know it.
  mutating func shorten(_ sequence: UInt64, in bucket: String, to length: Int64) {
    change(sequence, in: bucket) { $0.duration = max($0.logged, length) }
  }

  /// Takes back what runs became beyond what the log and the lengths aside of it say.
  mutating func shorten(to lengths: [UInt64: Int64]) {
    for (name, events) in buckets {
      for entry in events.entries where entry.duration > entry.logged {
        let length = min(entry.duration, lengths[entry.sequence] ?? 0)
        shorten(entry.sequence, in: name, to: length)
      }
    }
  }

  private mutating func change(
    _ sequence: UInt64, in bucket: String, _ body: (inout Entry) -> Void
  ) {
    guard let index = buckets[bucket]?.index(ofSequence: sequence) else { return }
    buckets[bucket]?.change(at: index, body)
  }

  func entry(of sequence: UInt64) -> Entry? {
    guard let events = bucket(of: sequence).flatMap({ buckets[$0] }) else { return nil }
    return events.index(ofSequence: sequence).map { events.entries[$0] }
  }

  /// The runs of which a purge took an event that lengthened them, since this was asked last: what
  /// stands aside of them goes too, or the log would be told again what it forgot.
  mutating func takeShortened() -> Set<UInt64> {
    defer { shortened = [] }
    return shortened
  }

  /// Where a run is.
  func bucket(of sequence: UInt64) -> String? {
    guard let owner = firstOwner(from: sequence), owner.sequence == sequence else { return nil }
    return owner.bucket
  }

  private func firstOwner(from sequence: UInt64) -> (sequence: UInt64, bucket: String)? {
    let place = owners.indices.partitioningIndex { owners[$0].sequence >= sequence }
    return place < owners.count ? owners[place] : nil
  }

  private mutating func forget(_ purge: Event) throws(CairnError) {
    guard let facts = purge.extras["purge"]?.object,
      let ranges = SequenceRanges.ranges(facts["sequences"])
    else { return }
    // What purges took before is not even in the log: to look at all events for each of a thousand
    // purges takes longer than to read the log.
    let isConcerned = ranges.contains { range in
      firstOwner(from: range.lowerBound).map { range.contains($0.sequence) } ?? false
    }
    guard isConcerned else { return }
    var erased: Set<UInt64> = []
    var concerned: Set<String> = []
    owners.removeAll { owner in
      // Ranges ascend and do not touch.
      let place = ranges.indices.partitioningIndex { ranges[$0].upperBound >= owner.sequence }
      guard place < ranges.count, ranges[place].contains(owner.sequence) else { return false }
      erased.insert(owner.sequence)
      concerned.insert(owner.bucket)
      return true
    }
    for name in concerned {
      guard var events = buckets.removeValue(forKey: name) else { continue }
      events.remove(erased)
      for index in events.entries.indices {
        let known = events.entries[index].extensions
        guard known.contains(where: { erased.contains($0.sequence) }) else { continue }
        events.change(at: index) { entry in
          entry.extensions = known.filter { !erased.contains($0.sequence) }
          entry.duration = entry.logged
        }
        shortened.insert(events.entries[index].sequence)
      }
      buckets[name] = events
    }
  }
}

/// What an event of the log keeps of a watcher's event.
struct StoredActivity {
  var id: Int?
  var start: Int64
  var duration: Int64
  var data: JSONObject

  /// Nil for an event that no watcher sent.
  init?(_ event: Event) {
    guard let time = event.time else { return nil }
    self.init(event.extras, at: time, dwell: event.dwell)
  }

  /// The same by what is needed of the event.
  init?(_ keys: JSONObject, at time: Timestamp, dwell: Double?) {
    guard let kept = keys[WatchedView.key]?.object, let data = kept["data"]?.object
    else { return nil }
    id = kept["id"]?.number()
    start = time.microseconds
    duration = 0
    if let seconds: Double = kept["duration"]?.number() {
      duration = WatchedEvent.microseconds(seconds) ?? 0
    } else if let dwell {
      duration = WatchedEvent.microseconds(dwell) ?? 0
    }
    self.data = data
  }

  static func event(_ seen: WatchedEvent, in bucket: Bucket) -> Event {
    let about = WatchedItem(seen.data, bucket: bucket)
    var event = Event(kind: .view)
    event.item = about.item
    event.domain = .value(about.domain)
    event.time = Timestamp(microseconds: seen.start)
    event.source = bucket.source
    event.attributes = about.attributes
    event.extras["device"] = .string(bucket.hostname)
    var kept = JSONObject()
    kept["bucket"] = .string(bucket.id)
    if let id = seen.id { kept["id"] = .number(String(id)) }
    kept["data"] = .object(seen.data)
    let seconds = Double(seen.duration) / 1_000_000
    // A length below nothing is none for the history, and comes back as it was given.
    if seen.duration >= 0 {
      event.dwell = seconds
    } else {
      kept["duration"] = .number(seconds.description)
    }
    event.extras[WatchedView.key] = .object(kept)
    return event
  }

  /// The event of the log that says how long a run became.
  static func lengthening(_ entry: WatchIndex.Entry, item: String?, source: String) -> Event {
    var event = Event(kind: .extend)
    event.item = item
    event.source = source
    event.dwell = Double(entry.duration) / 1_000_000
    event.extended = entry.sequence
    return event
  }
}
