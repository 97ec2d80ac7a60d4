extension CSSearchQuery {
  /// The results, one by one; going through them starts the query.
  public var results: Results { Results(query: self) }

  /// The results of a query, one by one.
  ///
  /// Use either this or the handlers. Leaving the loop, or ending its task, cancels the query.
  public struct Results: AsyncSequence, Sendable {
    let query: CSSearchQuery

    /// A result.
    ///
    /// Results with one identifier are equal; the one that is ranked first is less.
    @dynamicMemberLookup public struct Item: Identifiable, Hashable, Comparable, Sendable {
      /// The item found.
      public var item: CSSearchableItem

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

      /// Whether both have one identifier.
      public static func == (left: Item, right: Item) -> Bool { left.id == right.id }

      /// Whether it is ranked before the other one.
      public static func < (left: Item, right: Item) -> Bool {
        left.compare(byRank: right) == .orderedAscending
      }

      /// Takes in the identifier.
      public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// Goes through the results, by its name in Apple's interface.
    public typealias Iterator = AsyncIterator

    /// Goes through the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: QueryOutputs

      /// The next result, nil after the last.
      /// - Throws: `CSSearchQueryError`.
      public mutating func next() async throws -> Item? { try await next(isolation: #isolation) }

      /// The next one as `next()` gives it, asked for by an actor or by none.
      /// - Throws: `CSSearchQueryError`.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error)
        -> Item?
      {
        while let output = try await base.next(isolation: actor) {
          if case .item(let item) = output { return Item(item: item) }
        }
        return nil
      }
    }

    /// Makes ready to go through the results; the first step starts the query.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: QueryOutputs(query)) }
  }
}
