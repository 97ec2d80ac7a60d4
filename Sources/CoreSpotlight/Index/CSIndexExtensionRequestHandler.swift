/// Answers the index while the application does not run; to be subclassed.
///
/// Linux starts no extensions: set an instance as an index's delegate.
open class CSIndexExtensionRequestHandler: NSObject, CSSearchableIndexDelegate {
  /// Index everything again, then call the handler; this one only calls it.
  @preconcurrency open func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
      @escaping @Sendable () -> Void
  ) { acknowledgementHandler() }

  /// Index these items again, then call the handler; this one only calls it.
  @preconcurrency open func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexSearchableItemsWithIdentifiers identifiers: [String],
    acknowledgementHandler: @escaping @Sendable () -> Void
  ) { acknowledgementHandler() }

  /// The data of an item; none here.
  /// - Throws: `indexingUnsupported`.
  open func data(
    for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
  ) throws -> Data {
    throw CSIndexError(.indexingUnsupported, reason: "the extension provides no data")
  }

  /// A file with an item; none here.
  /// - Throws: `indexingUnsupported`.
  open func fileURL(
    for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String,
    inPlace: Bool
  ) throws -> URL {
    throw CSIndexError(.indexingUnsupported, reason: "the extension provides no files")
  }

  /// More waits than the index can take for now; does nothing.
  open func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}

  /// What waited has been indexed; does nothing.
  open func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}

  /// The items with these identifiers as they are now; none here.
  open func searchableItems(
    forIdentifiers identifiers: [String],
    searchableItemsHandler: @escaping ([CSSearchableItem]) -> Void
  ) { searchableItemsHandler([]) }

  /// The same; what the form with a handler answers.
  open func searchableItems(forIdentifiers identifiers: [String]) async -> [CSSearchableItem] {
    await withCheckedContinuation { answer in
      searchableItems(forIdentifiers: identifiers) { answer.resume(returning: $0) }
    }
  }

  /// The system found out more about items; does nothing.
  open func searchableItemsDidUpdate(_ items: [CSSearchableItem]) {}
}

/// Says what is known of a file; to be subclassed.
open class CSImportExtension: NSObject {
  /// Fills in the attributes of a file; does nothing here.
  /// - Parameters:
  ///   - attributes: What to fill in.
  ///   - contentURL: The file.
  /// - Throws: What keeps the extension from reading the file.
  open func update(_ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL) throws {}
}
