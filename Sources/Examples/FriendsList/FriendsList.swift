import CoreSpotlight

/// A list of friends: every one can be found until the list forgets them.
///
/// `list` gives all, `search WORDS` finds, `forget ID` deletes one and `forget` all.
@main struct FriendsList {
  private static let domain = "com.example.friends.people"
  private static let friends: [(id: String, name: String, note: String)] = [
    ("1", "Jonas Weber", "Sails on Sundays, knows every quay"),
    ("2", "Mirela Popescu", "Teaches the violin"), ("3", "Tomás Rey", "Repairs clocks and radios"),
  ]

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    let index = CSSearchableIndex.default()
    switch (words.first, words.dropFirst().joined(separator: " ")) {
    case ("list", _):
      try await index.indexSearchableItems(friends.map { item($0) })
      for friend in friends { print(friend.id, friend.name) }
    case ("search", let text): try await search(text)
    case ("forget", ""): try await index.deleteSearchableItems(withDomainIdentifiers: [domain])
    case ("forget", let id): try await index.deleteSearchableItems(withIdentifiers: [id])
    default: print("usage: FriendsList list | search WORDS | forget [ID]")
    }
  }

  private static func item(_ friend: (id: String, name: String, note: String)) -> CSSearchableItem {
    let attributes = CSSearchableItemAttributeSet(contentType: .contact)
    attributes.title = friend.name
    attributes.contentDescription = friend.note
    return CSSearchableItem(
      uniqueIdentifier: friend.id, domainIdentifier: domain, attributeSet: attributes)
  }

  private static func search(_ text: String) async throws {
    let context = CSUserQueryContext()
    context.maxResultCount = 5
    for try await result in CSUserQuery(userQueryString: text, userQueryContext: context).results {
      print(result.id, result.item.attributeSet.title ?? "")
    }
  }
}
