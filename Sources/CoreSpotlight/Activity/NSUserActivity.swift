/// A state of an application that a person can come back to.
///
/// Searchable activities are remembered when they become current, each time as one view. May be
/// used by several threads.
open class NSUserActivity: NSObject, @unchecked Sendable {
  // Safe to share: everything that changes lies behind one lock.
  struct State {
    var title: String?
    var userInfo: [AnyHashable: Any]?
    var requiredUserInfoKeys: Set<String>?
    var keywords: Set<String> = []
    var contentAttributeSet: CSSearchableItemAttributeSet?
    var expirationDate: Date?
    var isEligibleForHandoff = true
    var isEligibleForSearch = false
    var isEligibleForPublicIndexing = false
    var isEligibleForPrediction = false
    var persistentIdentifier: String?
    var targetContentIdentifier: String?
    var webpageURL: URL?
    var referrerURL: URL?
    var needsSave = false
    var supportsContinuationStreams = false
    var suggestedInvocationPhrase: String?
    var isInvalid = false
    weak var delegate: (any NSUserActivityDelegate)?
  }

  /// What kind of activity it is, by convention in reverse domain notation.
  public let activityType: String
  let state = Guarded(State())

  /// Makes an activity of a kind.
  public init(activityType: String) {
    self.activityType = activityType
    super.init()
  }

  /// Makes an activity of the first kind that the bundle lists.
  @available(*, deprecated, message: "Use init(activityType:)") public override convenience init() {
    let types = Bundle.main.infoDictionary?["NSUserActivityTypes"] as? [String]
    self.init(activityType: types?.first ?? "")
  }

  /// Makes this the current activity in place of any other; of no effect once invalid.
  ///
  /// A searchable one is remembered, and the visit counts as a view.
  open func becomeCurrent() {
    guard !state({ $0.isInvalid }) else { return }
    let store = IndexStore.current
    if let previous = store.makeCurrent(self), previous.needsSave {
      previous.save(in: store, isVisit: false)
    }
    save(in: store, isVisit: true)
  }

  /// Ends being current; it may become so again.
  open func resignCurrent() {
    let store = IndexStore.current
    guard store.resign(self), state({ $0.needsSave }) else { return }
    save(in: store, isVisit: false)
  }

  /// What it is, for whoever prints it.
  open override var description: String {
    "NSUserActivity \(activityType)" + (title.map { ": \($0)" } ?? "")
  }

  /// Ends it for good: it never becomes current again.
  open func invalidate() {
    IndexStore.current.resign(self)
    state { $0.isInvalid = true }
  }

  /// Adds entries to `userInfo`, in place of those with the same keys.
  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    state { state in state.userInfo = (state.userInfo ?? [:]).merging(otherDictionary) { $1 } }
  }

  /// Deletes remembered activities by the identifiers they were given.
  ///
  /// Where it fails, standard error says why.
  @preconcurrency open class func deleteSavedUserActivities(
    withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
    completionHandler handler: @escaping @Sendable () -> Void
  ) {
    delete(handler) { links in
      persistentIdentifiers.reduce(into: []) {
        $0.formUnion(links.persistent[StoredName($1)] ?? [])
      }
    }
  }

  /// Deletes all remembered activities.
  ///
  /// Where it fails, standard error says why.
  @preconcurrency open class func deleteAllSavedUserActivities(
    completionHandler handler: @escaping @Sendable () -> Void
  ) { delete(handler) { Set($0.records) } }

  private static func delete(
    _ handler: @escaping @Sendable () -> Void,
    _ choose: @escaping @Sendable (ActivityLinks) -> Set<StoredName>
  ) {
    let store = IndexStore.current
    var write = PendingWrite { writer in
      CSSearchableIndex.deletions(of: choose(try writer.links()), &writer)
    }
    write.completion = { error in
      CSIndexError.tellOfUnheard(error)
      store.call(handler)
    }
    store.enqueue(write)
  }
}

extension NSUserActivity {
  /// Deletes remembered activities by the identifiers they were given.
  ///
  /// Where it fails, standard error says why.
  public class func deleteSavedUserActivities(
    withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
  ) async {
    await withCheckedContinuation { done in
      deleteSavedUserActivities(withPersistentIdentifiers: persistentIdentifiers) { done.resume() }
    }
  }

  /// Deletes all remembered activities.
  ///
  /// Where it fails, standard error says why.
  public class func deleteAllSavedUserActivities() async {
    await withCheckedContinuation { done in deleteAllSavedUserActivities { done.resume() } }
  }
}

/// The identifier an application gives to an activity in order to delete it later.
public typealias NSUserActivityPersistentIdentifier = String

/// The type of activities that are a page of the web.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
