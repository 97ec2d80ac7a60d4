import Cairn

/// Turns changes into events and appends those of changes that wait together as one.
///
/// Changes come in the order in which they were asked for and see what earlier ones did.
struct IndexWriter {
  /// Events that one append makes durable together or not at all.
  static let eventCountMax = 65_536
  private static let attemptCountMax = 16

  let store: Store
  let now: @Sendable () -> Date
  /// Whether the batch at hand deletes what every moment still shows.
  private(set) var hasUnseenDeletions = false
  /// Items that the batch at hand indexes, which no moment shows yet.
  private(set) var unseenItems: Set<StoredName> = []
  private var group: [(events: [Event], completion: @Sendable ((any Error)?) -> Void)] = []
  private var groupedEventCount = 0
  private var cachedLinks: ActivityLinks?
  /// The last event that `cachedLinks` takes account of.
  private var linkedHead: UInt64 = 0

  init(store: Store, now: @escaping @Sendable () -> Date) {
    self.store = store
    self.now = now
  }

  /// Notes what a part of the batch at hand does, which no moment shows yet.
  mutating func noteUnseen(_ events: [Event]) {
    for event in events {
      if event.kind == .delete { hasUnseenDeletions = true }
      if event.kind == .index, let item = event.item { unseenItems.insert(StoredName(item)) }
    }
  }

  mutating func forgetUnseen() {
    hasUnseenDeletions = false
    unseenItems = []
  }

  /// The store as it is with every change before this one.
  mutating func settled() throws -> Moment {
    settle()
    return try store.present(by: Timestamp(now()))
  }

  /// Who is related to whom, changes that wait included.
  mutating func links() throws -> ActivityLinks {
    let head = try store.present(by: Timestamp(now())).sequence
    if let cachedLinks, head == linkedHead { return cachedLinks }
    let moment = try settled()
    let links = try ActivityLinks(moment)
    cachedLinks = links
    linkedHead = moment.sequence
    return links
  }

  mutating func changeLinks(_ change: (inout ActivityLinks) -> Void) {
    guard var links = cachedLinks else { return }
    change(&links)
    cachedLinks = links
  }

  mutating func forgetLinks() { cachedLinks = nil }

  /// Notes that a change deletes every activity there is at a moment.
  mutating func clearLinks(at moment: Moment) {
    cachedLinks = ActivityLinks()
    linkedHead = moment.sequence
  }

  mutating func add(_ write: PendingWrite) {
    if write.isConditional { return addConditional(write) }
    do {
      let events = try write.events(&self)
      if groupedEventCount + events.count > Self.eventCountMax { settle() }
      group.append((events, write.completion))
      groupedEventCount += events.count
    } catch {
      // Those asked for before it are answered before it.
      settle()
      forgetLinks()
      write.completion(CSIndexError.of(error))
    }
  }

  mutating func settle() {
    guard !group.isEmpty else { return }
    let waiting = group
    group = []
    groupedEventCount = 0
    let events = waiting.flatMap(\.events)
    do throws(CairnError) {
      try append(events, expecting: nil)
      for write in waiting { write.completion(nil) }
    } catch {
      forgetLinks()
      // Who found the store taken for that long would wait as long again for each.
      guard waiting.count > 1, error.code != .busy else {
        for write in waiting { write.completion(CSIndexError.of(error)) }
        return
      }
      // One refused event must not take the neighbours along.
      for write in waiting {
        do throws(CairnError) {
          try append(write.events, expecting: nil)
          write.completion(nil)
        } catch { write.completion(CSIndexError.of(error)) }
      }
    }
  }

  private mutating func addConditional(_ write: PendingWrite) {
    settle()
    for attempt in 1...Self.attemptCountMax {
      do {
        let head = try store.present(by: Timestamp(now())).sequence
        try append(try write.events(&self), expecting: head)
        return write.completion(nil)
      } catch let error as CairnError where error.code == .conflict {
        forgetLinks()
        if attempt == Self.attemptCountMax { write.completion(CSIndexError.of(error)) }
      } catch {
        forgetLinks()
        return write.completion(CSIndexError.of(error))
      }
    }
  }

  private mutating func append(_ events: [Event], expecting: UInt64?) throws(CairnError) {
    guard !events.isEmpty else { return }
    let result = try store.appendBlocking(whole: events, expecting: expecting)
    // What a person purged and wants no more of is left out in silence, as a policy leaves it out.
    if result.rejectedCount == 0, result.firstSequence == linkedHead + 1,
      let last = result.lastSequence
    {
      linkedHead = last
    } else {
      forgetLinks()
    }
  }
}
