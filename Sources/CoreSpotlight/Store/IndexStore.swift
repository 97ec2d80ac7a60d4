import Cairn

/// What all index objects of one application share: one store, written in the order of calls.
///
/// Changes go through one queue and are appended by its thread; queries wait for the changes asked
/// for before them, so that a program reads what it wrote even when it did not wait.
final class IndexStore: Sendable {
  /// Items that wait from which on applications are asked to slow down.
  static let throttledItemCount = 20_000

  private struct Shared {
    var policy = CSIndexingPolicy.allRecords
    var lockState = CSDeviceLockState.unlocked
    var indexes: [WeakIndex] = []
    var standard: CSSearchableIndex?
    var isThrottled = false
    var waitingItemCount = 0
    /// The current activity, one at most.
    weak var activity: NSUserActivity?
  }

  let directory: String
  let now: @Sendable () -> Date
  private let writes = DispatchQueue(label: "cairn.spotlight.writes")
  private let reads = DispatchQueue(label: "cairn.spotlight.reads", attributes: .concurrent)
  private let calls = DispatchQueue(label: "cairn.spotlight.calls")
  private let waiting = Guarded<[PendingWrite]>([])
  private let shared = Guarded(Shared())
  private let writer = Guarded<IndexWriter?>(nil)
  private let store = Guarded<Store?>(nil)

  private static let all = Guarded<[String: IndexStore]>([:])

  private init(directory: String, now: @escaping @Sendable () -> Date) {
    self.directory = directory
    self.now = now
  }

  /// The store of the application, or the one that a test put in its place.
  static var current: IndexStore {
    let directory = IndexLocation.current
    let clock = IndexLocation.clock ?? { Date() }
    return all { stores in
      if let store = stores[directory] { return store }
      let store = IndexStore(directory: directory, now: clock)
      stores[directory] = store
      return store
    }
  }

  /// Ends the use of a directory as the end of the process would, changes that wait included.
  static func relaunch(_ directory: String) {
    guard let store = all({ $0.removeValue(forKey: directory) }) else { return }
    store.writes.sync {
      store.writer { $0 = nil }
      store.store { store in
        store?.close()
        store = nil
      }
      store.shared { $0 = Shared() }
    }
  }

  /// Lets a process that ends make the changes that wait: its last line may be one.
  ///
  /// Registered before the first change. Nothing of the application runs on the queue of changes,
  /// so whoever calls `exit` can wait for it.
  private static let isHeldAtExit =
    atexit { for store in IndexStore.all({ Array($0.values) }) { store.writes.sync {} } } == 0

  func enqueue(_ write: PendingWrite) {
    _ = Self.isHeldAtExit
    let throttled = shared { shared in
      shared.waitingItemCount += write.itemCount
      guard !shared.isThrottled, shared.waitingItemCount > Self.throttledItemCount else {
        return false
      }
      shared.isThrottled = true
      return true
    }
    if throttled { tellDelegates { $0.searchableIndexDidThrottle($1) } }
    waiting { $0.append(write) }
    writes.async { self.drain() }
  }

  /// Answers a change that cannot be made, in its place among the others.
  func refuse(_ error: CSIndexError, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
    var write = PendingWrite { _ in throw error }
    write.completion = completion
    enqueue(write)
  }

  private func drain() {
    let taken = waiting { waiting in
      let all = waiting
      waiting = []
      return all
    }
    guard !taken.isEmpty else { return }
    writer { kept in
      do throws(CairnError) {
        var writer = if let kept { kept } else { IndexWriter(store: try open(), now: now) }
        // The one copy there is: nothing of it is duplicated when it changes.
        kept = nil
        for write in taken { writer.add(write) }
        writer.settle()
        kept = writer
      } catch { for write in taken { write.completion(CSIndexError.of(error)) } }
    }
    let count = taken.reduce(0) { $0 + $1.itemCount }
    let isOver = shared { shared in
      shared.waitingItemCount -= count
      guard shared.isThrottled, shared.waitingItemCount == 0 else { return false }
      shared.isThrottled = false
      return true
    }
    if isOver { tellDelegates { $0.searchableIndexDidFinishThrottle($1) } }
  }

  /// Runs a query on the store as it is after every change asked for so far.
  func read(_ body: @escaping @Sendable (Result<Moment, CSIndexError>) -> Void) {
    let run: @Sendable () -> Void = { body(self.moment()) }
    guard shared({ $0.waitingItemCount }) > 0 else { return reads.async(execute: run) }
    writes.async { self.reads.async(execute: run) }
  }

  /// The store as it is; nil while changes asked for before are to come.
  func settledMoment() -> Result<Moment, CSIndexError>? {
    shared { $0.waitingItemCount } > 0 ? nil : moment()
  }

  private func moment() -> Result<Moment, CSIndexError> {
    do throws(CairnError) { return .success(try open().present(by: Timestamp(now()))) } catch {
      return .failure(CSIndexError.of(error))
    }
  }

  /// Calls back into the application, one call after the other.
  func call(_ body: @escaping @Sendable () -> Void) { calls.async(execute: body) }

  /// Calls the handler of a change once it is made or failed; without one a failure goes to
  /// standard error.
  func answering(_ handler: (@Sendable ((any Error)?) -> Void)?) -> @Sendable ((any Error)?) -> Void
  {
    return { [self] error in
      guard let handler else { return CSIndexError.tellOfUnheard(error) }
      call { handler(error) }
    }
  }

  /// Makes a change; on disk when it returns.
  ///
  /// What is to follow on it comes before any later change.
  /// - Throws: `CSIndexError`; then nothing was changed.
  func make(_ events: [Event], then act: @escaping @Sendable () -> Void = {}) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      var write = PendingWrite { _ in events }
      write.completion = { error in
        if let error { return done.resume(throwing: error) }
        act()
        done.resume()
      }
      enqueue(write)
    }
  }

  /// Runs when everything asked for so far is done, and what the application was called for and
  /// answered to by then.
  ///
  /// Goes through the queues in the order in which one hands work to the next: a change, a query
  /// after it, a call with its result, the change that answers the call, and who is told of that.
  func afterAll(_ body: @escaping @Sendable () -> Void) {
    writes.async {
      self.reads.async(flags: .barrier) {
        self.calls.async { self.writes.async { self.calls.async(execute: body) } }
      }
    }
  }
}

extension IndexStore {
  /// The open store; opening it for the first time is the launch that the policy speaks of.
  func open() throws(CairnError) -> Store {
    let result: Result<Store, CairnError> = store { store in
      if let store { return .success(store) }
      do throws(CairnError) {
        let opened = try self.launch()
        store = opened
        return .success(opened)
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func launch() throws(CairnError) -> Store {
    let parent = URL(filePath: directory).deletingLastPathComponent()
    // Where this fails, opening does too and says why.
    try? FileManager.default.createDirectory(
      at: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let opened = try Store.open(at: directory)
    let moment = try opened.present(by: Timestamp(now()))
    let stored = try moment.item(Reserved.policyItem)?.attributes[Reserved.value]?.string
    let policy = stored.flatMap { CSIndexingPolicy(rawValue: $0) } ?? .allRecords
    shared { $0.policy = policy }
    if policy == .disabled, try Self.holdsRecords(moment) {
      var events = [Event(kind: .delete, all: true)]
      events += try Self.kept(moment)
      try opened.appendBlocking(events)
    }
    return opened
  }

  private static func holdsRecords(_ moment: Moment) throws(CairnError) -> Bool {
    var found = false
    try moment.forEachItem { item in
      found =
        !Reserved.isReserved(item.id) || item.id.hasPrefix(Reserved.activityPrefix)
        || item.id.hasPrefix(Reserved.stateItem(""))
      return !found
    }
    return found
  }

  /// What survives the deletion of everything, as events that put it back.
  static func kept(_ moment: Moment) throws(CairnError) -> [Event] {
    var events: [Event] = []
    for id in [Reserved.policyItem, Reserved.acknowledgedItem] {
      guard let item = try moment.item(id) else { continue }
      events.append(Event(kind: .index, item: id, attributes: item.attributes))
    }
    return events
  }

  private struct WeakIndex { weak var index: CSSearchableIndex? }

  var policy: CSIndexingPolicy {
    // The stored one is known once the store is open.
    _ = try? open()
    return shared { $0.policy }
  }

  func setPolicy(_ policy: CSIndexingPolicy) { shared { $0.policy = policy } }

  var lockState: CSDeviceLockState {
    get { shared { $0.lockState } }
    set { shared { $0.lockState = newValue } }
  }

  var currentActivity: NSUserActivity? { shared { $0.activity } }

  /// Makes an activity the current one.
  /// - Returns: The one that was it before, if another.
  func makeCurrent(_ activity: NSUserActivity) -> NSUserActivity? {
    shared { shared in
      let previous = shared.activity
      shared.activity = activity
      return previous === activity ? nil : previous
    }
  }

  /// Ends an activity's being current; false when it was not.
  @discardableResult func resign(_ activity: NSUserActivity) -> Bool {
    shared { shared in
      guard shared.activity === activity else { return false }
      shared.activity = nil
      return true
    }
  }

  /// The index without a name, one for each store.
  func standardIndex(_ make: () -> CSSearchableIndex) -> CSSearchableIndex {
    if let index = shared({ $0.standard }) { return index }
    let made = make()
    return shared { shared in
      if let index = shared.standard { return index }
      shared.standard = made
      return made
    }
  }

  func register(_ index: CSSearchableIndex) {
    shared { shared in
      shared.indexes.removeAll { $0.index == nil || $0.index === index }
      shared.indexes.append(WeakIndex(index: index))
    }
  }

  func tellDelegates(
    _ message: @escaping @Sendable (any CSSearchableIndexDelegate, CSSearchableIndex) -> Void
  ) {
    let indexes = shared { $0.indexes.compactMap(\.index) }
    call {
      for index in indexes { if let delegate = index.indexDelegate { message(delegate, index) } }
    }
  }
}
