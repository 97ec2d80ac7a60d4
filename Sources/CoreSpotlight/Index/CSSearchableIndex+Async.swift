// The forms of the calls with a completion handler that a task waits for.

extension CSSearchableIndex {
  /// Adds items, or changes those that are there; on disk when it returns.
  /// - Throws: `CSIndexError`; then none was changed, where they are 65,536 at most.
  public func indexSearchableItems(_ items: [CSSearchableItem]) async throws {
    try await waiting { self.indexSearchableItems(items, completionHandler: $0) }
  }

  /// Deletes items; identifiers that are not there are no error.
  /// - Throws: `CSIndexError`.
  public func deleteSearchableItems(withIdentifiers identifiers: [String]) async throws {
    try await waiting {
      self.deleteSearchableItems(withIdentifiers: identifiers, completionHandler: $0)
    }
  }

  /// Deletes the items of domains and of everything below them, and activities there.
  /// - Throws: `CSIndexError`.
  public func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) async throws
  {
    try await waiting {
      self.deleteSearchableItems(withDomainIdentifiers: domainIdentifiers, completionHandler: $0)
    }
  }

  /// Deletes everything the application has indexed.
  /// - Throws: `CSIndexError`.
  public func deleteAllSearchableItems() async throws {
    try await waiting { self.deleteAllSearchableItems(completionHandler: $0) }
  }

  /// Ends the batch.
  /// - Throws: `CSIndexError`; then nothing was changed.
  public func endBatch(withClientState clientState: Data) async throws {
    try await waiting { self.endBatch(withClientState: clientState, completionHandler: $0) }
  }

  /// Ends the batch if the stored state is the expected one.
  /// - Throws: `CSIndexError`; then nothing was changed.
  public func endIndexBatch(expectedClientState: Data?, newClientState: Data) async throws {
    try await waiting {
      self.endIndexBatch(
        expectedClientState: expectedClientState, newClientState: newClientState,
        completionHandler: $0)
    }
  }

  /// The state of the last batch that ended under this index's name, empty when none did.
  ///
  /// The form with a handler tells nothing from an empty state; a batch that ends expecting an
  /// empty one ends on either.
  /// - Throws: `CSIndexError`.
  public func fetchLastClientState() async throws -> Data {
    try await fetched { self.fetchLastClientState(completionHandler: $0) }
  }

  /// Gets the data of an item that promised it, from the delegate.
  /// - Throws: What the delegate throws; `indexingUnsupported` where there is none.
  public func fetchData(
    forBundleIdentifier bundleIdentifier: String, itemIdentifier: String, contentType: UTType
  ) async throws -> Data {
    try await fetched {
      self.fetchData(
        forBundleIdentifier: bundleIdentifier, itemIdentifier: itemIdentifier,
        contentType: contentType, completionHandler: $0)
    }
  }

  private func waiting(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
    _ = try await fetched { done in call { done(nil, $0) } }
  }

  private func fetched(
    _ call: (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Void
  ) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      call { data, error in
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(returning: data ?? Data())
      }
    }
  }
}
