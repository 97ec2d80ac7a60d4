/// What an application answers so that its index stays true.
///
/// Acknowledgements may come from anywhere; methods take them as `@Sendable` or without the word.
public protocol CSSearchableIndexDelegate: NSObjectProtocol {
  /// Index everything again, then call the handler; without it the request comes again.
  @preconcurrency func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
      @escaping @Sendable () -> Void
  )

  /// Index these items again, or delete those that are gone, then call the handler.
  @preconcurrency func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexSearchableItemsWithIdentifiers identifiers: [String],
    acknowledgementHandler: @escaping @Sendable () -> Void)

  /// More waits than the index can take for now.
  func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)

  /// What waited has been indexed.
  func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)

  /// The data of an item in one of the types it was promised in.
  /// - Throws: What keeps the application from it.
  func data(for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String)
    throws -> Data

  /// A file with an item in one of the types it was promised in.
  /// - Throws: What keeps the application from it.
  func fileURL(
    for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String,
    inPlace: Bool
  ) throws -> URL

  /// The items with these identifiers as they are now.
  func searchableItems(
    forIdentifiers identifiers: [String],
    searchableItemsHandler: @escaping ([CSSearchableItem]) -> Void)

  /// The same; who asks so gets what either form answers.
  func searchableItems(forIdentifiers identifiers: [String]) async -> [CSSearchableItem]

  /// The system found out more about items.
  func searchableItemsDidUpdate(_ items: [CSSearchableItem])
}

extension CSSearchableIndexDelegate {
  /// Does nothing.
  public func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}

  /// Does nothing.
  public func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}

  /// Has no data.
  /// - Throws: `indexingUnsupported`, always.
  public func data(
    for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
  ) throws -> Data {
    throw CSIndexError(.indexingUnsupported, reason: "the delegate provides no data")
  }

  /// Has no file.
  /// - Throws: `indexingUnsupported`, always.
  public func fileURL(
    for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String,
    inPlace: Bool
  ) throws -> URL {
    throw CSIndexError(.indexingUnsupported, reason: "the delegate provides no files")
  }

  /// Knows no items.
  public func searchableItems(
    forIdentifiers identifiers: [String],
    searchableItemsHandler: @escaping ([CSSearchableItem]) -> Void
  ) { searchableItemsHandler([]) }

  /// What the form with a handler answers.
  public func searchableItems(forIdentifiers identifiers: [String]) async -> [CSSearchableItem] {
    await withCheckedContinuation { answer in
      searchableItems(forIdentifiers: identifiers) { answer.resume(returning: $0) }
    }
  }

  /// Does nothing.
  public func searchableItemsDidUpdate(_ items: [CSSearchableItem]) {}
}
