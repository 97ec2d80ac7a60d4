import Cairn

/// A search in the query language, or, as a `CSUserQuery`, for words that a person typed.
///
/// Started once, by `start()` or by going through one of its sequences; handlers are called one
/// after the other.
open class CSSearchQuery: NSObject, @unchecked Sendable {
  // Safe to share: what changes lies behind one lock.
  struct State {
    var protectionClasses: [FileProtectionType] = [.completeUntilFirstUserAuthentication]
    var foundItemsHandler: (([CSSearchableItem]) -> Void)?
    var completionHandler: (((any Error)?) -> Void)?
    var foundItemCount = 0
    var foundSuggestionsHandler: (([CSSuggestion]) -> Void)?
    var foundSuggestionCount = 0
    /// Where a sequence wants results instead of a handler.
    var sink: (@Sendable (QueryOutput) -> Void)?
    /// Whether the sequence is one that gives suggestions.
    var wantsSuggestions = false
    /// What was found before a sequence wanted it, where no handler takes it.
    var early: [CSSearchableItem] = []
    /// Whether a sequence goes through the query, or did.
    var hasSequence = false
    var isStarted = false
    var end: Result<Void, CSSearchQueryError>?
    var isCancelled = false
  }

  /// Results that are given together.
  static let groupCount = 100

  let store = IndexStore.current
  let context: CSSearchQueryContext
  let queryState = Guarded(State())
  private let queryString: String

  /// Makes a query.
  /// - Parameters:
  ///   - queryString: An expression of the query language; one that cannot be read ends the query
  ///     with `invalidQuery`.
  ///   - queryContext: What results are to hold; nil for everything.
  public init(queryString: String, queryContext: CSSearchQueryContext? = nil) {
    self.queryString = queryString
    context = queryContext?.copy() as? CSSearchQueryContext ?? CSSearchQueryContext()
    super.init()
  }

  /// Makes a query whose results have these attributes.
  @available(*, deprecated, message: "Use init(queryString:queryContext:)") public convenience init(
    queryString: String, attributes: [String]?
  ) {
    let context = CSSearchQueryContext()
    context.fetchAttributes = attributes ?? []
    self.init(queryString: queryString, queryContext: context)
  }

  /// The protection classes whose items are looked at, and suggested from.
  ///
  /// At first `.completeUntilFirstUserAuthentication` alone; items of `.none` always are.
  open var protectionClasses: [FileProtectionType] {
    get { queryState { $0.protectionClasses } }
    set { queryState { $0.protectionClasses = newValue } }
  }

  /// Called with each new group of results, on a thread of the query.
  ///
  /// As on Apple's systems, Swift 6 stops the program where this is a closure of the main actor:
  /// write `{ @Sendable items in … }`.
  open var foundItemsHandler: (([CSSearchableItem]) -> Void)? {
    get { queryState { $0.foundItemsHandler } }
    set { queryState.replace(\.foundItemsHandler, by: newValue) }
  }

  /// Called once, last, with nil or the reason why the query ended early.
  open var completionHandler: (((any Error)?) -> Void)? {
    get { queryState { $0.completionHandler } }
    set { queryState.replace(\.completionHandler, by: newValue) }
  }

  /// How many results there were so far; brought up to date before each call of the handler.
  open var foundItemCount: Int { queryState { $0.foundItemCount } }

  /// Whether `cancel()` was called.
  open var isCancelled: Bool { queryState { $0.isCancelled } }

  /// Starts the query; a second start is of no effect.
  open func start() {
    guard begin() else { return }
    store.read { self.complete($0) }
  }

  /// Ends the query: no more results come, and it completes with `cancelled`.
  open func cancel() { queryState { $0.isCancelled = true } }

  /// Whether it is answered from the index, not by a look at every item.
  var isIndexed: Bool { false }

  func run(_ moment: Moment) throws(CSSearchQueryError) {
    var reader = reader(moment)
    var group: [CSSearchableItem] = []
    var left = context.state { $0.maxResultCount > 0 ? $0.maxResultCount : .max }
    do {
      let filter = try CombinedFilter.text(of: [queryString] + context.filterQueries)
      try moment.forEachItem(filter: filter) { (item) throws(CairnError) in
        if self.isCancelled { return false }
        guard let found = try reader.result(item) else { return true }
        group.append(found)
        left -= 1
        if group.count == Self.groupCount { self.give(&group) }
        return left > 0
      }
    } catch { throw CSSearchQueryError.of(error) }
    give(&group)
    try checkCancelled()
  }
}

extension CSSearchQuery {
  /// Marks the query as started; false when it was before.
  func begin() -> Bool {
    queryState { state in
      let isFirst = !state.isStarted
      state.isStarted = true
      return isFirst
    }
  }

  func complete(_ moment: Result<Moment, CSIndexError>) {
    do throws(CSSearchQueryError) {
      try checkCancelled()
      try run(self.moment(moment))
      finish(nil)
    } catch { finish(error) }
  }

  private func moment(_ result: Result<Moment, CSIndexError>) throws(CSSearchQueryError) -> Moment {
    do { return try result.get() } catch { throw CSSearchQueryError.of(error) }
  }

  func checkCancelled() throws(CSSearchQueryError) {
    if isCancelled { throw CSSearchQueryError(.cancelled, reason: "the query was cancelled") }
  }

  func reader(_ moment: Moment) -> ResultReader {
    ResultReader(
      moment, fetchAttributes: context.fetchAttributes, protectionClasses: protectionClasses,
      lock: store.lockState)
  }

  /// Hands results over and empties the group, unless the query was cancelled.
  func give(_ group: inout [CSSearchableItem]) {
    guard !group.isEmpty, !isCancelled else { return }
    let items = group
    group = []
    let (handler, sink) = queryState { state in
      state.foundItemCount += items.count
      if state.foundItemsHandler == nil, state.sink == nil { state.early += items }
      return (state.foundItemsHandler, state.sink)
    }
    handler?(items)
    if let sink { for item in items { sink(.item(item)) } }
  }

  private func finish(_ error: CSSearchQueryError?) {
    let former = queryState { state in
      // What the handlers hold may end with them and use the query then: after the lock.
      let former = state
      // Whoever holds the query after its end holds nothing of the caller's.
      state.completionHandler = nil
      state.foundItemsHandler = nil
      state.foundSuggestionsHandler = nil
      state.sink = nil
      state.end = error.map { .failure($0) } ?? .success(())
      return former
    }
    former.completionHandler?(error)
    former.sink?(.end(error))
  }
}
