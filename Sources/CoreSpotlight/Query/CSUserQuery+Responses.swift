extension CSUserQuery {
  /// Results and suggestions as they come; going through them starts the query.
  public var responses: Responses { Responses(query: self) }

  /// The suggestions; going through them starts the query.
  public var suggestions: Suggestions { Suggestions(query: self) }

  /// A suggestion.
  ///
  /// Suggestions of one text are equal; the one that is ranked first is less.
  @dynamicMemberLookup public struct Suggestion: Identifiable, Hashable, Comparable, Sendable {
    /// The suggestion.
    public var suggestion: CSSuggestion

    /// The suggested text.
    public var id: String { suggestion.text }

    /// A property of the suggestion.
    public subscript<Value>(dynamicMember path: KeyPath<CSSuggestion, Value>) -> Value {
      suggestion[keyPath: path]
    }

    /// Whether both have one text.
    public static func == (left: Suggestion, right: Suggestion) -> Bool { left.id == right.id }

    /// Whether it is ranked before the other one.
    public static func < (left: Suggestion, right: Suggestion) -> Bool {
      left.suggestion.compare(byRank: right.suggestion) == .orderedAscending
    }

    /// Takes in the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// One thing that a query gives.
  public enum Response: Identifiable, Hashable, Sendable {
    /// A result.
    case item(CSUserQuery.Item)
    /// A suggestion.
    case suggestion(CSUserQuery.Suggestion)

    /// The identifier of the item; of a suggestion its text after `suggestion:`.
    public var id: String {
      switch self {
      case .item(let item): item.id
      case .suggestion(let suggestion): "suggestion:" + suggestion.id
      }
    }
  }

  /// Results and suggestions, one by one.
  public struct Responses: AsyncSequence, Sendable {
    let query: CSUserQuery

    /// One thing that a query gives.
    public typealias Element = CSUserQuery.Response

    /// The same, by its name in Apple's interface.
    public typealias Response = CSUserQuery.Response

    /// Goes through results and suggestions, by its name in Apple's interface.
    public typealias Iterator = AsyncIterator

    /// Goes through results and suggestions.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: QueryOutputs
      var waiting: [CSSuggestion] = []

      /// The next response, nil after the last.
      /// - Throws: `CSSearchQueryError`.
      public mutating func next() async throws -> CSUserQuery.Response? {
        try await next(isolation: #isolation)
      }

      /// The next one as `next()` gives it, asked for by an actor or by none.
      /// - Throws: `CSSearchQueryError`.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error)
        -> CSUserQuery.Response?
      {
        while true {
          if !waiting.isEmpty { return .suggestion(Suggestion(suggestion: waiting.removeFirst())) }
          guard let output = try await base.next(isolation: actor) else { return nil }
          switch output {
          case .item(let item): return .item(Item(item: item))
          case .suggestions(let suggestions): waiting = suggestions
          case .end: return nil
          }
        }
      }
    }

    /// Makes ready to go through them; the first step starts the query.
    public func makeAsyncIterator() -> AsyncIterator {
      query.queryState { $0.wantsSuggestions = true }
      return AsyncIterator(base: QueryOutputs(query))
    }
  }

  /// Suggestions, one by one.
  public struct Suggestions: AsyncSequence, Sendable {
    let query: CSUserQuery

    /// Goes through suggestions, by its name in Apple's interface.
    public typealias Iterator = AsyncIterator

    /// Goes through suggestions.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var base: Responses.AsyncIterator

      /// The next suggestion, nil after the last.
      /// - Throws: `CSSearchQueryError`.
      public mutating func next() async throws -> Suggestion? {
        try await next(isolation: #isolation)
      }

      /// The next one as `next()` gives it, asked for by an actor or by none.
      /// - Throws: `CSSearchQueryError`.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error)
        -> Suggestion?
      {
        while let response = try await base.next(isolation: actor) {
          if case .suggestion(let suggestion) = response { return suggestion }
        }
        return nil
      }
    }

    /// Makes ready to go through them; the first step starts the query.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: query.responses.makeAsyncIterator())
    }
  }
}
