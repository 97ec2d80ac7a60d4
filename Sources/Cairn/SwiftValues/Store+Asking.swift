public import FoundationEssentials

/// Questions to the present, and stores by URL.
extension Store {
  /// Opens the store in a directory; see ``open(at:access:patience:)-(String,_,_)``.
  /// - Throws: `badArgument` for a URL that names no file, and what that form throws.
  /// - Note: Blocks the calling thread.
  public static func open(
    at url: URL, access: Access = .readWrite, patience: Duration = .seconds(10)
  ) throws(CairnError) -> Store {
    guard url.isFileURL else {
      throw CairnError(.badArgument, "a store is a directory: give a file URL")
    }
    return try open(at: url.path, access: access, patience: patience)
  }

  /// Searches the present for a text; see ``Moment/search(_:domain:filter:limit:)``.
  /// - Throws: `corrupt` for damaged rows, `io`, and what the form on ``Moment`` throws.
  /// - Note: Blocks the calling thread.
  public func search(
    _ text: String, domain: String? = nil, filter: String? = nil, limit: Int? = 10
  ) throws(CairnError) -> [SearchHit] {
    try at().search(text, domain: domain, filter: filter, limit: limit)
  }

  /// Searches the present; see ``Moment/search(_:)``.
  /// - Throws: `corrupt` for damaged rows, `io`, and what the form on ``Moment`` throws.
  /// - Note: Blocks the calling thread.
  public func search(_ request: SearchRequest) throws(CairnError) -> [SearchHit] {
    try at().search(request)
  }

  /// The items of the present; see ``Moment/items(domain:filter:)``.
  /// - Throws: `corrupt` for damaged rows, `io`, and what the form on ``Moment`` throws.
  /// - Note: Blocks the calling thread.
  public func items(domain: String? = nil, filter: String? = nil) throws(CairnError) -> [Item] {
    try at().items(domain: domain, filter: filter)
  }

  /// An item of the present; nil when it is not there.
  /// - Throws: `corrupt` for damaged rows, `io`, and what the form on ``Moment`` throws.
  /// - Note: Blocks the calling thread.
  public func item(_ id: String) throws(CairnError) -> Item? { try at().item(id) }

  /// What is used most at present; see
  /// ``Moment/top(domain:by:limit:within:context:explains:)``.
  /// - Throws: `corrupt` for damaged rows, `io`, and what the form on ``Moment`` throws.
  /// - Note: Blocks the calling thread.
  public func top(domain: String? = nil, limit: Int? = 10) throws(CairnError) -> [RankedItem] {
    try at().top(domain: domain, limit: limit)
  }

  /// Completions of a prefix at present; see ``Moment/suggestions(for:limit:)``.
  /// - Throws: `corrupt` for damaged rows, `io`, and what the form on ``Moment`` throws.
  /// - Note: Blocks the calling thread.
  public func suggestions(for prefix: String, limit: Int? = 10) throws(CairnError) -> [Suggestion] {
    try at().suggestions(for: prefix, limit: limit)
  }

  /// What happened to an item, oldest first.
  ///
  /// None where nothing did, or all of it was erased; an ``EventQuery`` asks for a part of it.
  /// - Complexity: O(events of the store) at 10 ns, some microseconds for each of the item.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func history(of item: String) throws(CairnError) -> [RecordedEvent] {
    try events(EventQuery(item: item))
  }

  /// Events by the time they happened; see ``Moment/timeline(domain:by:zone:within:)``.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func timeline(
    domain: String? = nil, by unit: TimelineUnit = .day, zone: CivilZone = .utc,
    within span: ClosedRange<Timestamp>? = nil
  ) throws(CairnError) -> [TimelineBucket] {
    try at().timeline(domain: domain, by: unit, zone: zone, within: span)
  }

  /// Counts what there is at present; see ``Moment/statistics()``.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func statistics() throws(CairnError) -> Statistics { try at().statistics() }

  /// Erases everything about a domain and what is below it; see ``purge(_:blocking:progress:)``.
  /// - Throws: What ``purge(_:blocking:progress:)`` throws.
  /// - Note: Blocks the calling thread.
  @discardableResult public func purge(domain: String) throws(CairnError) -> PurgeReceipt? {
    try purge(.domain(domain))
  }

  /// Erases everything about an item; see ``purge(_:blocking:progress:)``.
  /// - Throws: What ``purge(_:blocking:progress:)`` throws.
  /// - Note: Blocks the calling thread.
  @discardableResult public func purge(item: String) throws(CairnError) -> PurgeReceipt? {
    try purge(.item(item))
  }

  /// Erases everything that somebody did; see ``purge(_:blocking:progress:)``.
  /// - Throws: What ``purge(_:blocking:progress:)`` throws.
  /// - Note: Blocks the calling thread.
  @discardableResult public func purge(actor: String) throws(CairnError) -> PurgeReceipt? {
    var criteria = PurgeCriteria()
    criteria.actor = actor
    return try purge(.matching(criteria))
  }
}

extension SearchRequest {
  /// Searches for a text in a part of the store.
  public init(_ text: String, domain: String? = nil, filter: String? = nil, limit: Int? = 10) {
    self.init(text)
    self.domain = domain
    self.filter = filter
    self.limit = limit
  }
}

extension Verification {
  /// Whether nothing is wrong.
  public var isOK: Bool { problems.isEmpty }
}
