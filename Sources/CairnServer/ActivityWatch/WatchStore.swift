import ActivityWatch
package import Cairn
import LMDB
import Synchronization

/// The buckets of watchers on a store: their events are events of the log.
///
/// An index of them is made of the log when it is first asked for, and follows it, so that what
/// another process purges is gone here too.
package final class WatchStore: Sendable {
  private struct State {
    var index = WatchIndex()
    var buckets: [String: Bucket] = [:]
    var locks: [String: ThreadLock] = [:]
    /// What the last event of a bucket saw, so that a heartbeat need not read it from the log.
    var seen: [String: (sequence: UInt64, data: JSONObject)] = [:]
    var isLoaded = false
  }

  let store: Store
  private let state = Mutex(State())
  private let file: BucketFile
  private let journal: RunJournal
  /// Held while the list of buckets changes.
  private let listLock = ThreadLock()
  /// The thread for heartbeats that take more than a note of how long their runs are.
  private let followUps = WriterThread(name: "cairn-beats")

  private static let longestUnlogged: Int64 = 3_600 * 1_000_000

  /// The file of open runs is rewritten when it has grown to so many bytes.
  package init(_ store: Store, runByteCount: Int = 1 << 20) throws(CairnError) {
    self.store = store
    file = BucketFile(directory: store.directory)
    // What a purge takes out of a file of an earlier version would be back in the one that is made
    // of it. Any other needs no wait for who writes.
    if store.access == .readWrite, try RunLines.isUncounted(store.runsPath) {
      try store.withWriterLock { () throws(CairnError) in try RunLines.begin(store.runsPath) }
    }
    journal = try RunJournal(path: store.runsPath, byteCountMax: runByteCount)
  }

  // MARK: What there is

  /// Takes in what the log has up to a head, and the file of runs, beyond what is known.
  ///
  /// Where that ends halfway, the next one goes on.
  private func follow(
    _ state: inout State, to head: UInt64, while goesOn: () -> Bool = { true }
  ) throws(CairnError) {
    if !state.isLoaded { state.buckets = try file.read() }
    guard try state.index.follow(store, to: head, while: goesOn) else { return }
    state.index.pass(head)
    // A heartbeat that was under way may have noted the run after the purge had looked.
    if state.index.hasPurge {
      state.seen.removeAll()
      let shortened = state.index.takeShortened()
      let index = state.index
      try journal.forget {
        shortened.contains($0) || $0 <= head && index.bucket(of: $0) == nil
      }
    }
    // Of a purge that took no event the log does not tell.
    let wasCut = journal.wasCut(by: try journal.mark())
    if wasCut || state.index.hasPurge { state.index.shorten(to: try journal.takeLengths()) }
    state.index.hasPurge = false
    guard !state.isLoaded else { return }
    state.isLoaded = true
    for (sequence, length) in try journal.lengths() {
      guard let bucket = state.index.bucket(of: sequence) else { continue }
      state.index.lengthen(sequence, in: bucket, to: length)
    }
  }

  /// Finds what the log has before anybody asks for it, as long as somebody may.
  func load(while mayBeAsked: () -> Bool) throws(CairnError) {
    let head = try store.wait(after: 0, atMost: .zero)
    try state.withLock { (state) throws(CairnError) in
      if !state.isLoaded { try follow(&state, to: head, while: mayBeAsked) }
    }
  }

  private func asking<R: Sendable>(
    at mark: RunJournal.Mark? = nil, _ body: (inout State) throws(CairnError) -> R
  ) throws(CairnError) -> R {
    // Looked at before: who waits for the lock need not wait for the files too.
    let head = try store.wait(after: 0, atMost: .zero)
    let now = if let mark { mark } else { try journal.mark() }
    let wasCut = journal.wasCut(by: now)
    return try state.withLock { (state) throws(CairnError) -> R in
      if wasCut || head > state.index.through || !state.isLoaded { try follow(&state, to: head) }
      return try body(&state)
    }
  }

  /// The same for who is told what buckets hold: what is damaged is not just left out.
  private func telling<R: Sendable>(_ body: (State) -> R) throws(CairnError) -> R {
    try asking { (state) throws(CairnError) -> R in
      if let damage = state.index.damage { throw damage }
      return body(state)
    }
  }

  /// What is wrong with the events that the log has of watchers, as far as they were looked at.
  var damage: CairnError? { state.withLock { $0.index.damage } }

  /// All of them, in the order in which they were made.
  func buckets() throws(CairnError) -> [Bucket] {
    try asking { state in state.buckets.values.sorted { $0.number < $1.number } }
  }

  func bucket(_ id: String) throws(CairnError) -> Bucket? {
    // Nobody but this server makes or removes any.
    let known = state.withLock { state -> Bucket?? in
      state.isLoaded ? .some(state.buckets[id]) : nil
    }
    if let known { return known }
    return try asking { state in state.buckets[id] }
  }

  /// Where the newest event of a bucket ends, in microseconds since 1970; nil where that may be
  /// one that is damaged.
  func lastEnd(of bucket: String) throws(CairnError) -> Int64? {
    try asking { state in
      state.index.damage == nil ? state.index.buckets[bucket]?.entries.last?.end : nil
    }
  }

  /// Events of a bucket that touch a span, the newest first, cut to it.
  func entries(of bucket: String, from: Int64? = nil, to: Int64? = nil, limit: Int? = nil)
    throws(CairnError) -> [WatchIndex.Entry]
  {
    try telling { state in
      state.index.buckets[bucket]?.touching(from, to, limit: limit) ?? []
    }
  }

  /// How many events of a bucket touch a span.
  func eventCount(of bucket: String, from: Int64?, to: Int64?) throws(CairnError) -> Int {
    try telling { state in state.index.buckets[bucket]?.touchingCount(from, to) ?? 0 }
  }

  func entry(_ id: Int, in bucket: String) throws(CairnError) -> WatchIndex.Entry? {
    try asking { (state) throws(CairnError) in
      if let events = state.index.buckets[bucket], let place = events.index(of: id) {
        return events.entries[place]
      }
      if let damage = state.index.damage { throw damage }
      return nil
    }
  }

  /// An event with what was seen; nil when it was erased meanwhile.
  func event(_ entry: WatchIndex.Entry, cutTo from: Int64? = nil, _ to: Int64? = nil)
    throws(CairnError) -> WatchedEvent?
  {
    guard let stored = try store.event(at: entry.sequence), let seen = StoredActivity(stored.event)
    else { return nil }
    let start = max(entry.start, from ?? entry.start)
    let end = min(entry.end, to ?? entry.end)
    let isCut = start != entry.start || end != entry.end
    return WatchedEvent(
      id: entry.id, start: start, duration: isCut ? max(0, end - start) : entry.duration,
      data: seen.data)
  }

  /// Those of some events without ids that a bucket does not have.
  func missing(_ events: [WatchedEvent], in bucket: String) throws(CairnError) -> [WatchedEvent] {
    let entries = try entries(of: bucket)
    var isMissing = [Bool](repeating: false, count: events.count)
    // What stands in the log is read for one time after the other, once.
    var known: (start: Int64, events: Set<WatchedEvent>)?
    for index in events.indices.sorted(by: { events[$0].start < events[$1].start }) {
      let event = events[index]
      if known?.start != event.start {
        var there: Set<WatchedEvent> = []
        let first = entries.indices.partitioningIndex { entries[$0].start <= event.start }
        for entry in entries[first...].prefix(while: { $0.start == event.start }) {
          if let event = try self.event(entry) { there.insert(event.withoutID) }
        }
        known = (event.start, there)
      }
      isMissing[index] = known?.events.contains(event) != true
    }
    return zip(events, isMissing).filter(\.1).map(\.0)
  }

  // MARK: Buckets

  /// Makes a bucket; false when it is there already.
  func make(_ bucket: Bucket) throws(CairnError) -> Bool {
    try changeBuckets { buckets in
      guard buckets[bucket.id] == nil else { return false }
      var made = bucket
      made.number = (buckets.values.map(\.number).max() ?? -1) + 1
      buckets[bucket.id] = made
      return true
    }
  }

  /// Changes what a bucket says of itself; false when there is none.
  func change(_ id: String, _ body: (inout Bucket) -> Void) throws(CairnError) -> Bool {
    try changeBuckets { buckets in
      guard var bucket = buckets[id] else { return false }
      body(&bucket)
      buckets[id] = bucket
      return true
    }
  }

  /// Removes a bucket and purges its events; false when there is none.
  func remove(_ id: String) throws(CairnError) -> Bool {
    // What is under way comes before the purge, or finds no bucket.
    try changeBuckets(holding: lock(of: id)) { (buckets) throws(CairnError) in
      guard let bucket = buckets.removeValue(forKey: id) else { return false }
      var criteria = PurgeCriteria()
      criteria.source = bucket.source
      _ = try store.purge(.matching(criteria))
      return true
    }
  }

  /// Changes the list of buckets, on disk when it returns; where the body gives false nothing
  /// changes.
  private func changeBuckets(
    holding lock: ThreadLock? = nil, _ body: (inout [String: Bucket]) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    listLock.lock()
    defer { listLock.unlock() }
    lock?.lock()
    defer { lock?.unlock() }
    var buckets = try asking { state in state.buckets }
    guard try body(&buckets) else { return false }
    try file.write(buckets)
    let changed = buckets
    state.withLock { $0.buckets = changed }
    return true
  }

  // MARK: Events

  /// What a heartbeat became: the event that it is part of by now.
  typealias Taken = (event: WatchedEvent, isNew: Bool)

  /// A heartbeat on its way to the disk; until it is there, its bucket is locked.
  private struct PendingHeartbeat: Sendable {
    var seen: WatchedEvent
    var pulsetime: Int64
    var bucket: String
    var lock: ThreadLock
    var then: @Sendable (Result<Taken, CairnError>) -> Void

    func end(_ result: Result<Taken, CairnError>) {
      lock.unlock()
      then(result)
    }
  }

  /// A run that a heartbeat lengthens.
  private struct Lengthening: Sendable {
    /// As it was found.
    var entry: WatchIndex.Entry
    var merged: WatchedEvent
    var source: String
    var mark: RunJournal.Mark
  }

  /// Merges a heartbeat into the last event of a bucket, or begins another, and tells when that is
  /// on disk: maybe on the thread that flushes for all watchers, which is not to be held up.
  func heartbeat(
    _ seen: WatchedEvent, pulsetime: Int64, in bucket: Bucket,
    then: @escaping @Sendable (Result<Taken, CairnError>) -> Void
  ) {
    let lock = lock(of: bucket.id)
    lock.lock()
    take(
      PendingHeartbeat(
        seen: seen, pulsetime: pulsetime, bucket: bucket.id, lock: lock, then: then))
  }

  private func take(_ beat: PendingHeartbeat) {
    do throws(CairnError) {
      // Before anything is looked at: what another process cuts from now on is seen.
      let mark = try journal.mark()
      let (now, open, seen) = try asking(at: mark) {
        state -> (Bucket?, WatchIndex.Entry?, JSONObject?) in
        let now = state.buckets[beat.bucket]
        guard let events = state.index.buckets[beat.bucket], events.last > 0,
          let place = events.index(ofSequence: events.last)
        else { return (now, nil, nil) }
        let seen = state.seen[beat.bucket]
        return (now, events.entries[place], seen?.sequence == events.last ? seen?.data : nil)
      }
      guard let bucket = now else { throw Self.noBucket }
      var last = seen.flatMap { open?.event($0) }
      if last == nil, let open { last = try event(open) }
      guard let open, let merged = last?.merged(with: beat.seen, pulsetime: beat.pulsetime) else {
        return beat.end(.success(try begin(beat.seen.withoutID, after: open, in: bucket, mark)))
      }
      guard merged.duration > open.duration else { return beat.end(.success((merged, false))) }
      let run = Lengthening(entry: open, merged: merged, source: bucket.source, mark: mark)
      journal.note(open.sequence, length: merged.duration) { [self] result in
        switch result {
        case .failure(let error): beat.end(.failure(error))
        case .success(let now) where lengthenAtOnce(run, now, in: beat.bucket):
          beat.end(.success((merged, false)))
        // That may wait for who writes.
        case .success: followUps.submit { [self] in lengthen(run, by: beat) }
        }
      }
    } catch { beat.end(.failure(error)) }
  }

  /// Begins a run, after the log was told how long the one before it became.
  private func begin(
    _ seen: WatchedEvent, after open: WatchIndex.Entry?, in bucket: Bucket, _ mark: RunJournal.Mark
  ) throws(CairnError) -> Taken {
    let ended = try open.flatMap { (entry) throws(CairnError) in
      try lengthening(entry.sequence, bucket.source)
    }
    let added = try append([seen], after: ended, in: bucket)[0]
    if let open, ended != nil { _ = try heedCut(of: open, since: mark, in: bucket.id) }
    return (added ?? seen, added != nil)
  }

  /// Lengthens a run whose line is on disk; false where that takes more than a note.
  private func lengthenAtOnce(_ run: Lengthening, _ now: RunJournal.Mark, in bucket: String)
    -> Bool
  {
    guard !isLong(run), !journal.isLarge, !run.mark.wasCut(by: now) else { return false }
    return state.withLock { state in Self.note(run, in: bucket, &state) }
  }

  private func lengthen(_ run: Lengthening, by beat: PendingHeartbeat) {
    do throws(CairnError) {
      if try heedCut(of: run.entry, since: run.mark, in: beat.bucket) { return take(beat) }
      let isThere = try asking { state in Self.note(run, in: beat.bucket, &state) }
      guard isThere else {
        // A purge took it meanwhile, or what lengthened it, and what was noted of it goes too.
        let isCut = try heedCut(of: run.entry, since: run.mark, in: beat.bucket)
        if !isCut { try journal.forget { $0 == run.entry.sequence } }
        return take(beat)
      }
      try tellLog(of: run)
      beat.end(.success((run.merged, false)))
    } catch { beat.end(.failure(error)) }
  }

  /// Notes that a run became longer; false where it is not what it was.
  private static func note(_ run: Lengthening, in bucket: String, _ state: inout State) -> Bool {
    let sequence = run.entry.sequence
    guard state.index.entry(of: sequence)?.duration == run.entry.duration else { return false }
    state.index.lengthen(sequence, in: bucket, to: run.merged.duration)
    state.seen[bucket] = (sequence, run.merged.data)
    return true
  }

  /// Limits a run to what purges since a mark left of it: a line or an event that was written after
  /// the cut would bring back what was erased.
  /// - Returns: Whether the purge took anything of it.
  private func heedCut(of run: WatchIndex.Entry, since mark: RunJournal.Mark, in bucket: String)
    throws(CairnError) -> Bool
  {
    guard mark.wasCut(by: try journal.mark()) else { return false }
    guard let now = try asking({ $0.index.entry(of: run.sequence) }) else {
      try journal.forget { $0 == run.sequence }
      return true
    }
    // What was known before, or was told anew.
    let known = now.extensions.filter { told in
      told.length < run.duration || run.extensions.contains { $0.sequence == told.sequence }
    }
    let line = try journal.longest(of: run.sequence, upTo: run.duration)
    let left = known.reduce(max(now.own, line)) { max($0, $1.length) }
    guard left < run.duration else { return false }
    try limit(run.sequence, in: bucket, to: left)
    return true
  }

  /// Writes to the log how long a run became, where that is due and the writer is free.
  ///
  /// Otherwise a later heartbeat does it; this one is on disk.
  private func tellLog(of run: Lengthening) throws(CairnError) {
    let (isLong, isLarge) = (isLong(run), journal.isLarge)
    guard isLong || isLarge, try !store.isWriterBusy() else { return }
    do throws(CairnError) {
      try store.withWriterLock { () throws(CairnError) in
        if isLong, let event = try lengthening(run.entry.sequence, run.source) {
          try store.appendBlocking([event])
        }
        if isLarge { try compact() }
      }
    } catch  where error.code == .busy {}
  }

  /// Whether the log is to be told how long a run became.
  private func isLong(_ run: Lengthening) -> Bool {
    run.merged.duration - run.entry.logged >= Self.longestUnlogged
  }

  /// Drops from the file of open runs what the log knows; only while no purge ends.
  private func compact() throws(CairnError) {
    let noted = try journal.lengths()
    let logged = try asking { state in
      Dictionary(uniqueKeysWithValues: noted.keys.map { ($0, state.index.entry(of: $0)?.logged) })
    }
    try journal.compact(logged)
  }

  /// Held while events of a bucket change.
  private func lock(of bucket: String) -> ThreadLock {
    state.withLock { state in
      let lock = state.locks[bucket] ?? ThreadLock()
      state.locks[bucket] = lock
      return lock
    }
  }

  /// A bucket as it is by now.
  /// - Throws: `noSuchPoint` when it was removed meanwhile, and its events were purged.
  private func current(_ bucket: Bucket) throws(CairnError) -> Bucket {
    guard let now = try self.bucket(bucket.id) else { throw Self.noBucket }
    return now
  }

  private static let noBucket = CairnError(.noSuchPoint, "There's no bucket of that name")

  /// The event that tells the log how long a run became by now; nil when it knows.
  private func lengthening(_ sequence: UInt64, _ source: String) throws(CairnError) -> Event? {
    guard let entry = try asking({ $0.index.entry(of: sequence) }), entry.duration > entry.logged,
      let stored = try store.event(at: sequence)
    else { return nil }
    return StoredActivity.lengthening(entry, item: stored.event.item, source: source)
  }

  /// Inserts events; one whose id is there takes its place, the last of those that name it.
  ///
  /// One that a purge refuses is left out, and given back without an id.
  func insert(_ events: [WatchedEvent], in bucket: Bucket) throws(CairnError) -> [WatchedEvent] {
    let lock = lock(of: bucket.id)
    lock.lock()
    defer { lock.unlock() }
    let bucket = try current(bucket)
    let named = Set(events.compactMap(\.id))
    var replaced: [WatchIndex.Entry] = []
    if !named.isEmpty {
      replaced = try entries(of: bucket.id)
      replaced.removeAll { !named.contains($0.id) }
    }
    var known = Set(replaced.map(\.id))
    var fresh = events
    // An id that is not there would be that of a later event too: the sequence that it gets.
    for index in fresh.indices.reversed() {
      if let id = fresh[index].id, known.remove(id) == nil { fresh[index].id = nil }
    }
    let inserted = try append(fresh, after: nil, in: bucket)
    // Not before: what the log refuses takes nobody's place.
    let taken = Set(zip(fresh, inserted).compactMap { $1 == nil ? nil : $0.id })
    try erase(replaced.filter { taken.contains($0.id) })
    return zip(fresh, inserted).map { $1 ?? $0.withoutID }
  }

  /// Appends all events or none, but for those that a purge refuses: nil stands for them.
  private func append(_ events: [WatchedEvent], after ended: Event?, in bucket: Bucket)
    throws(CairnError) -> [WatchedEvent?]
  {
    let written = (ended.map { [$0] } ?? []) + events.map { StoredActivity.event($0, in: bucket) }
    let result = try store.appendBlocking(whole: written, expecting: nil)
    let outcomes = result.outcomes.suffix(events.count)
    return zip(events, outcomes).map { event, outcome in
      if case .rejected = outcome { return nil }
      var event = event
      if event.id == nil, case .appended(let sequence) = outcome {
        event.id = Int(clamping: sequence)
      }
      return event
    }
  }

  /// Purges one event; false when there is none.
  func erase(_ id: Int, in bucket: String) throws(CairnError) -> Bool {
    let lock = lock(of: bucket)
    lock.lock()
    defer { lock.unlock() }
    guard let entry = try entry(id, in: bucket) else { return false }
    try erase([entry])
    return true
  }

  private func erase(_ entries: [WatchIndex.Entry]) throws(CairnError) {
    try erase(entries.flatMap { [$0.sequence] + $0.extensions.map(\.sequence) })
  }

  private func erase(_ sequences: [UInt64]) throws(CairnError) {
    guard !sequences.isEmpty else { return }
    var criteria = PurgeCriteria()
    criteria.sequences = sequences.map { $0...$0 }
    _ = try store.purge(.matching(criteria))
  }

  // MARK: Forgetting

  /// How long the runs were at a time that went on after it, in microseconds.
  func lengths(at time: Timestamp) throws(CairnError) -> [UInt64: Int64] {
    let time = time.microseconds
    return try asking { state in
      var lengths: [UInt64: Int64] = [:]
      for events in state.index.buckets.values {
        for entry in events.touching(time, time)
        where entry.end > time && entry.own < time - entry.start {
          lengths[entry.sequence] = time - entry.start
        }
      }
      return lengths
    }
  }

  /// Cuts runs back to these lengths, after a purge of what came later; on disk when it returns.
  func shorten(_ lengths: [UInt64: Int64]) throws(CairnError) {
    for (sequence, length) in lengths {
      // One that began in what was purged is gone.
      guard let bucket = try asking({ $0.index.bucket(of: sequence) }) else { continue }
      let lock = lock(of: bucket)
      lock.lock()
      defer { lock.unlock() }
      try limit(sequence, in: bucket, to: length)
    }
  }

  /// Cuts a run back to a length, also where a heartbeat that waited for the purge wrote the longer
  /// one to the log.
  private func limit(_ sequence: UInt64, in bucket: String, to length: Int64) throws(CairnError) {
    let told = try asking { $0.index.entry(of: sequence)?.extensions ?? [] }
    try erase(told.filter { $0.length > length }.map(\.sequence))
    // With what lengthened it go all lines of the run, before it is told anew what is left of it.
    try asking { _ in }
    try journal.limit(sequence, to: length)
    try journal.note(sequence, length: length)
    try asking { $0.index.shorten(sequence, in: bucket, to: length) }
  }

  // MARK: The end

  /// Tells the log how long every open run became, so that nothing is aside any more.
  /// - Throws: `busy` when another process writes until then.
  package func settle(until deadline: ContinuousClock.Instant = .now) throws(CairnError) {
    listLock.lock()
    defer { listLock.unlock() }
    let (locks, isLoaded) = state.withLock { state in
      (state.locks.sorted { $0.key < $1.key }.map(\.value), state.isLoaded)
    }
    // With nothing aside nobody who writes is to be waited for.
    guard isLoaded, try !journal.lengths().isEmpty else { return }
    while try store.isWriterBusy() {
      guard ContinuousClock.now < deadline else {
        throw CairnError(.busy, "another process writes; what stands aside stays there")
      }
      ShortPause.take()
    }
    for lock in locks { lock.lock() }
    defer { for lock in locks { lock.unlock() } }
    try store.withWriterLock { () throws(CairnError) in
      let open = try asking { state in
        state.index.buckets.flatMap { id, events in
          events.entries.filter { $0.duration > $0.logged }
            .map { (WatchedView.sourcePrefix + id, $0.sequence) }
        }
      }
      var events: [Event] = []
      for (source, sequence) in open {
        if let event = try lengthening(sequence, source) { events.append(event) }
      }
      try store.appendBlocking(events)
      try compact()
    }
  }
}
