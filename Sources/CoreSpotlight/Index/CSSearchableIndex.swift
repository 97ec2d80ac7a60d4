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
  let store = IndexStore.current
  private let state = Guarded(State())

  /// The index without a name, which has no batches.
  open class func `default`() -> CSSearchableIndex {
    let store = IndexStore.current
    return store.standardIndex { CSSearchableIndex() }
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
  public init(name: String, protectionClass: FileProtectionType?) {
    self.name = name
    protection = protectionClass
    super.init()
    store.register(self)
  }

  /// Makes an index with a name and a protection class; bundle and options are of no effect.
  public convenience init(
    name: String, protectionClass: FileProtectionType?, bundleIdentifier: String, options: Int = 0
  ) { self.init(name: name, protectionClass: protectionClass) }

  /// Makes an index without a name, as `default()` is one.
  public override init() {
    name = nil
    protection = nil
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

  /// Begins a batch: nothing asked for from now on happens until it ends.
  ///
  /// The default index has no batches, and a batch has no batch inside: there the end fails.
  open func beginBatch() {
    withBatch { batch in
      let isMisused = batch != nil || name == nil
      batch = IndexBatch(isMisused: isMisused)
    }
  }

  /// Ends the batch: all of its changes and the state are on disk together, or nothing is.
  /// - Parameters:
  ///   - clientState: Up to 250 bytes, which say how far the application is.
  ///   - completionHandler: Gets nil once everything is on disk, or why nothing is:
  ///     `invalidClientStateError` for a longer state, `quotaExceeded` for more than 65,535
  ///     changes, `indexingUnsupported` where there can be no batch.
  @preconcurrency open func endBatch(
    withClientState clientState: Data, completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) { end(clientState, expecting: nil, completionHandler) }

  /// Ends the batch if the stored state is the expected one.
  /// - Parameters:
  ///   - expectedClientState: What `fetchLastClientState` gave; nil for nothing yet, and so is an
  ///     empty one, which the form of that call gives that a task waits for.
  ///   - newClientState: The state to store.
  ///   - completionHandler: As for the form without expectation; `mismatchedClientState` when the
  ///     stored state is another, and then nothing was changed.
  @preconcurrency open func endIndexBatch(
    expectedClientState: Data?, newClientState: Data,
    completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) { end(newClientState, expecting: .some(expectedClientState), completionHandler) }

  /// Gives the state of the last batch that ended under this index's name, nil when none did, as
  /// always for the default index.
  @preconcurrency open func fetchLastClientState(
    completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    store.read { [store, name] result in
      let answer = Result { () throws -> Data? in
        let moment = try result.get()
        return try name.flatMap { try Self.state(of: $0, moment) }
      }
      store.call {
        switch answer {
        case .success(let state): completionHandler(state, nil)
        case .failure(let error): completionHandler(nil, CSIndexError.of(error))
        }
      }
    }
  }

  /// Gets the data of an item that promised it, from the delegate.
  @preconcurrency open func fetchData(
    forBundleIdentifier bundleIdentifier: String, itemIdentifier: String, contentType: UTType,
    completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    store.call {
      do {
        guard let delegate = self.indexDelegate else {
          throw CSIndexError(.indexingUnsupported, reason: "the index has no delegate")
        }
        let data = try delegate.data(
          for: self, itemIdentifier: itemIdentifier, typeIdentifier: contentType.identifier)
        completionHandler(data, nil)
      } catch { completionHandler(nil, error) }
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
    } catch {
      // In a batch every answer comes at once.
      if withBatch({ $0 != nil }) { return finish(CSIndexError.of(error)) }
      store.refuse(CSIndexError.of(error), finish)
    }
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
