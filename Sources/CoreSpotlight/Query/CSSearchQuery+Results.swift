public import Foundation

extension CSSearchQuery {
  /// The results, one by one; going through them starts the query.
  public var results: Results { Results(query: self) }

  /// The results of a query, one by one.
  ///
  /// Use either this or the handlers. Leaving the loop, or ending its task, cancels the query.
  public struct Results: AsyncSequence, Sendable {
    let query: CSSearchQuery

    /// A result.
    @dynamicMemberLookup
    public struct Item: Identifiable, Sendable {
      /// The item found.
      public let item: CSSearchableItem

      /// The item's unique identifier.
      public var id: String { item.uniqueIdentifier }

      /// A property of the item.
      public subscript<Value>(dynamicMember path: KeyPath<CSSearchableItem, Value>) -> Value {
        item[keyPath: path]
      }

      /// The item's order before or after another result of the same query.
      public func compare(byRank other: Item) -> ComparisonResult {
        item.compare(byRank: other.item)
      }
    }

    /// Goes through the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: AsyncThrowingStream<QueryOutput, any Error>.AsyncIterator

      /// The next result, nil after the last.
      ///
      /// - Throws: `CSSearchQueryError`.
      public mutating func next() async throws -> Item? {
        while let output = try await base.next(isolation: #isolation) {
          if case .item(let item) = output { return Item(item: item) }
        }
        return nil
      }
    }

    /// Starts the query.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: query.outputs().makeAsyncIterator())
    }
  }

  /// Everything the query gives from its start on.
  func outputs() -> AsyncThrowingStream<QueryOutput, any Error> {
    AsyncThrowingStream { continuation in
      queryState { state in
        state.sink = { output in
          if case .end(let error) = output {
            continuation.finish(throwing: error)
          } else {
            continuation.yield(output)
          }
        }
      }
      continuation.onTermination = { reason in
        if case .cancelled = reason { self.cancel() }
      }
      start()
    }
  }
}
