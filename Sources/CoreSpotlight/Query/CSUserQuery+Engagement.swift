import Cairn

extension CSUserQuery {
  /// Notes what a person did with a result, and what else could be seen.
  ///
  /// A choice moves the item up; the others were shown and not chosen.
  public func userEngaged(
    _ item: CSUserQuery.Item, visibleItems: [CSUserQuery.Item], interaction: UserInteractionKind
  ) { userEngaged(item.item, visibleItems: visibleItems.map(\.item), interaction: interaction) }

  /// Notes what a person did with a result, and what else could be seen.
  public func userEngaged(
    _ item: CSSearchableItem, visibleItems: [CSSearchableItem], interaction: UserInteractionKind
  ) {
    let engagement = Engagement(item, query: userQueryString, shown: visibleItems)
    store.enqueue(
      PendingWrite { _ in [interaction == .select ? engagement.selection() : engagement.glance()] })
  }

  /// Notes that a person chose a suggestion, and what else could be seen.
  public func userEngaged(
    _ suggestion: CSUserQuery.Suggestion, visibleSuggestions: [CSUserQuery.Suggestion],
    interaction: UserInteractionKind
  ) {
    userEngaged(
      suggestion.suggestion, visibleSuggestions: visibleSuggestions.map(\.suggestion),
      interaction: interaction)
  }

  /// Notes that a person chose a suggestion, and what else could be seen.
  public func userEngaged(
    _ suggestion: CSSuggestion, visibleSuggestions: [CSSuggestion], interaction: UserInteractionKind
  ) {
    guard interaction == .select else { return }
    let text = suggestion.text
    // Where it stood tells a choice from a page that showed nothing.
    let place = visibleSuggestions.firstIndex { $0.text == text } ?? 0
    let event = Event(kind: .impression, query: text, position: Int64(place) + 1)
    store.enqueue(PendingWrite { _ in [event] })
  }
}

/// What a person did with one of the results shown.
struct Engagement: Sendable {
  private let item: String
  private let query: String?
  private let shown: [String]

  init(_ item: CSSearchableItem, query: String?, shown: [CSSearchableItem]) {
    self.item = item.storedIdentifier
    self.query = query
    self.shown = shown.map(\.storedIdentifier)
  }

  func selection() -> Event {
    let position = shown.firstIndex(of: item).map { Int64($0) + 1 }
    return Event(kind: .select, item: item, query: query, position: position, shown: shown)
  }

  /// A closer look is a view, and one not meant for long.
  func glance() -> Event { Event(kind: .view, item: item, query: query, deliberate: false) }
}

extension CSSearchableItem {
  var storedIdentifier: String { state { $0.record ?? $0.identifier } }
}
