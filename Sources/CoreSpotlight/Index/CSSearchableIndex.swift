import Cairn

/// The application's index, or a named part of it.
///
/// All index objects of an application work on one store: identifiers are unique in the
/// application, queries look at everything, a name only tells client states and protection apart.
/// Changes are made in the order of calls. Handlers are called one after the other: none may wait
/// for that of a further change. May be used by several threads.
open class CSSearchableIndex: NSObject, @unchecked Sendable {
  // Safe to share: what changes lies behind one lock.
  private struct State {
    weak var delegate: (any CSSearchableIndexDelegate)?
    var batch: IndexBatch?
  }

  /// The index's name; nil for the default index.
  let name: String?
  let protection: FileProtectionType?
  let store: IndexStore
  private let state = Guarded(State())

  /// The index without a name, which has no batches.
  open class func `default`() -> CSSearchableIndex {
    let store = IndexStore.current
    return store.standardIndex { CSSearchableIndex(store: store, name: nil, protection: nil) }
  }

  /// The same as `default()`.
  @available(*, deprecated, renamed: "default()") open class func defaultSearchableIndex()
    -> CSSearchableIndex
  { `default`() }

  /// Whether this system can index: always true.
  open class func isIndexingAvailable() -> Bool { true }

  /// Makes an index with a name, under which its client state is kept.
  public convenience init(name: String) { self.init(name: name, protectionClass: nil) }

  /// Makes an index with a name and a protection class for its items.
  public convenience init(name: String, protectionClass: FileProtectionType?) {
    self.init(store: IndexStore.current, name: name, protection: protectionClass)
  }

  /// Makes an index with a name and a protection class; bundle and options are of no effect.
  public convenience init(
    name: String, protectionClass: FileProtectionType?, bundleIdentifier: String, options: Int = 0
  ) { self.init(name: name, protectionClass: protectionClass) }

  init(store: IndexStore, name: String?, protection: FileProtectionType?) {
    self.store = store
    self.name = name
    self.protection = protection
    super.init()
    store.register(self)
  }

  /// Who is asked to index again and told of delays.
  ///
  /// Setting it asks at once for what is due: everything, when the store is new or the last such
  /// request was not acknowledged, and items about to expire.
  open weak var indexDelegate: (any CSSearchableIndexDelegate)? {
    get { state { $0.delegate } }
    set {
      state { $0.delegate = newValue }
      if newValue != nil { requestWhatIsDue() }
    }
  }

  /// The protection class of its items.
  open var protectionClass: FileProtectionType? { protection }

  /// Adds items, or changes those that are there.
  /// - Parameters:
  ///   - items: What to index, as it is now; of two with one identifier the later counts.
  ///   - completionHandler: Gets nil once all items are on disk, or why none is; of more than
  ///     65,536, which are stored in parts, the first parts may be. Inside a batch it comes at
  ///     once, and the batch's own says when items are on disk.
  @preconcurrency open func indexSearchableItems(
    _ items: [CSSearchableItem], completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) {
    change(completionHandler) { index throws in
      let indexed = try items.map { try $0.indexed(by: index.name, index.protection) }
      for item in items { item.state { $0.isIndexed = true } }
      return PendingWrite(
        itemCount: indexed.count, events: { writer in try index.events(for: indexed, &writer) })
    }
  }

  /// Deletes items; identifiers that are not there are no error.
  @preconcurrency open func deleteSearchableItems(
    withIdentifiers identifiers: [String],
    completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) {
    change(completionHandler) { index in
      PendingWrite(itemCount: identifiers.count) { writer in
        try index.eventsDeleting(identifiers, &writer)
      }
    }
  }

  /// Deletes the items of domains and of everything below them, and activities there.
  @preconcurrency open func deleteSearchableItems(
    withDomainIdentifiers domainIdentifiers: [String],
    completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) {
    change(completionHandler) { index in
      PendingWrite { writer in try index.eventsDeleting(domains: domainIdentifiers, &writer) }
    }
  }

  /// Deletes everything the application has indexed, activities and client states included.
  @preconcurrency open func deleteAllSearchableItems(
    completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) {
    change(completionHandler) { _ in
      PendingWrite { writer in
        let moment = try writer.settled()
        writer.clearLinks(at: moment)
        return [Event(kind: .delete, all: true)] + (try IndexStore.kept(moment))
      }
    }
  }

  /// Makes a change now, or with the batch that is open.
  private func change(
    _ completion: (@Sendable ((any Error)?) -> Void)?,
    _ make: (CSSearchableIndex) throws -> PendingWrite
  ) {
    let finish = store.answering(completion)
    do {
      try checkLock()
      var write = try make(self)
      let isBatched = state { state in
        state.batch?.writes.append(write)
        return state.batch != nil
      }
      if isBatched { return finish(nil) }
      write.completion = finish
      store.enqueue(write)
    } catch { finish(CSIndexError.of(error)) }
  }

  /// A store that is locked takes no items, except where its class lets open files be written.
  private func checkLock() throws {
    guard let protection, protection != .completeUnlessOpen, !store.lockState.canRead(protection)
    else { return }
    throw CSIndexError(
      .indexUnavailableError, reason: "the index is protected and the device is locked")
  }

  func withBatch<R>(_ body: (inout IndexBatch?) throws -> R) rethrows -> R {
    try state { try body(&$0.batch) }
  }
}
