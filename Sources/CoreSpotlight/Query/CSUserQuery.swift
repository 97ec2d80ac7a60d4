import Cairn

/// A search for words that a person typed, with completions of what is typed.
///
/// All words must match, the last one may be unfinished, typing errors in longer words are
/// forgiven, and what was used more comes first.
open class CSUserQuery: CSSearchQuery, @unchecked Sendable {
  /// What a person did with a result or a suggestion.
  public enum UserInteractionKind: Int, Sendable {
    /// Chose it.
    case select = 0
    /// Looked at it more closely.
    case focus = 1

    /// Chose it.
    public static let `default` = UserInteractionKind.select
  }

  /// A result.
  public typealias Item = CSSearchQuery.Results.Item

  /// What was typed; nil for a search in the query language.
  let userQueryString: String?

  /// Makes a search.
  /// - Parameters:
  ///   - userQueryString: What was typed; nil stands for the context's suggestion, else for
  ///     nothing, which finds nothing.
  ///   - userQueryContext: What to find and how much of it.
  public init(userQueryString: String?, userQueryContext: CSUserQueryContext? = nil) {
    let suggestion = userQueryContext?.state { $0.suggestion?.text }
    self.userQueryString = userQueryString ?? suggestion ?? ""
    super.init(queryString: "", queryContext: userQueryContext ?? CSUserQueryContext())
  }

  /// Makes a search in the query language, which has no suggestions.
  public override init(queryString: String, queryContext: CSSearchQueryContext? = nil) {
    userQueryString = nil
    super.init(queryString: queryString, queryContext: queryContext)
  }

  /// Makes ready for the first search; needs nothing here.
  open class func prepare() {}

  /// Makes ready for the first search of these classes; needs nothing here.
  open class func prepareProtectionClasses(_ protectionClasses: [FileProtectionType]) {}

  /// Called with all suggestions, best first, each time they change.
  open var foundSuggestionsHandler: (([CSSuggestion]) -> Void)? {
    get { queryState { $0.foundSuggestionsHandler } }
    set { queryState.replace(\.foundSuggestionsHandler, by: newValue) }
  }

  /// How many suggestions there are; 0 when nobody asks for them.
  open var foundSuggestionCount: Int { queryState { $0.foundSuggestionCount } }

  override var isIndexed: Bool { userQueryString != nil }

  override func run(_ moment: Moment) throws(CSSearchQueryError) {
    guard let userQueryString else { return try super.run(moment) }
    let settings = context.state { $0 }
    do {
      try suggest(userQueryString, moment, settings)
      try find(userQueryString, moment, settings)
    } catch { throw CSSearchQueryError.of(error) }
    try checkCancelled()
  }

  private func find(
    _ typed: String, _ moment: Moment, _ settings: CSSearchQueryContext.State
  ) throws(CairnError) {
    var request = SearchRequest(typed)
    request.filter = try CombinedFilter.text(of: settings.filterQueries)
    request.sort = settings.isRanked ? .relevance : .recent
    let most = settings.maxResultCount > 0 ? settings.maxResultCount : nil
    let limit = most ?? .max
    let ranked = settings.isRanked ? min(max(0, settings.maxRankedResultCount), limit) : 0
    var reader = reader(moment)
    var group: [CSSearchableItem] = []
    var count = 0
    repeat {
      // Where some of what was found is one result, or none, a few more make up for it.
      let spare = request.offset > 0 ? Self.spareCount : 0
      request.limit = most.map { $0 - count + spare }
      let page = try moment.items(matching: request)
      for item in page {
        guard count < limit, !isCancelled else { break }
        guard let found = try reader.result(item, rank: count < ranked ? count : nil) else {
          continue
        }
        count += 1
        group.append(found)
        if group.count == Self.groupCount { give(&group) }
      }
      request.offset += page.count
      guard let asked = request.limit, page.count >= asked else { break }
    } while count < limit && !isCancelled
    give(&group)
  }

  private static let spareCount = 8

  private func suggest(
    _ typed: String, _ moment: Moment, _ settings: CSSearchQueryContext.State
  ) throws(CairnError) {
    let (handler, sink) = queryState { state in
      (state.foundSuggestionsHandler, state.wantsSuggestions ? state.sink : nil)
    }
    guard handler != nil || sink != nil, !typed.isEmpty else { return }
    let most = settings.maxSuggestionCount > 0 ? settings.maxSuggestionCount : nil
    let reader = reader(moment)
    let filter = try CombinedFilter.text(of: settings.filterQueries)
    let test = try filter.map { (filter) throws(CairnError) in try moment.test(of: filter) }
    let found = try moment.suggestions(for: typed, limit: most) {
      (item) throws(CairnError) in try reader.mayTell(of: item, passing: test)
    }
    let suggestions = found.enumerated().map { rank, suggestion in
      CSSuggestion(suggestion.text, typed: typed, rank: rank)
    }
    guard !suggestions.isEmpty else { return }
    queryState { $0.foundSuggestionCount = suggestions.count }
    handler?(suggestions)
    sink?(.suggestions(suggestions))
  }
}

/// What a person did with a result or a suggestion.
public typealias CSUserInteraction = CSUserQuery.UserInteractionKind
