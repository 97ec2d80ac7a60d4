public import FoundationEssentials

extension CairnError: LocalizedError {
  /// One line: the place, what happened and what mends it.
  public var errorDescription: String? { description }

  /// What happened.
  public var failureReason: String? { message }

  /// What mends it, where that is known.
  public var recoverySuggestion: String? { likelyRemedy.map(\.description) }
}
