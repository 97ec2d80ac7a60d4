import TestSupport
import Testing

@testable import CoreSpotlight

/// A clock that tests set.
final class TestClock: Sendable {
  private let time: Guarded<Date>

  init(_ time: Date) { self.time = Guarded(time) }

  var now: Date {
    get { time { $0 } }
    set { time { $0 = newValue } }
  }

  func advance(by seconds: TimeInterval) { time { $0 = $0.addingTimeInterval(seconds) } }
}

private let applications = Turnstile(6)

/// An application of its own: an empty store and the clock of the specification's fixture,
/// Wednesday 2024-05-15 10:30:00 UTC.
func withApplication<R>(_ body: (CSSearchableIndex, TestClock) async throws -> R) async throws -> R
{
  let directory = FileManager.default.temporaryDirectory.path + "/cairn-app-\(UUID().uuidString)"
  defer { try? FileManager.default.removeItem(atPath: directory) }
  let clock = TestClock(Date(timeIntervalSince1970: 1_715_769_000))
  await applications.enter()
  defer { Task { await applications.leave() } }
  return try await IndexLocation.$directory.withValue(directory + "/store") {
    try await IndexLocation.$clock.withValue({ clock.now }) {
      defer { relaunch() }
      return try await body(.default(), clock)
    }
  }
}

/// Ends the application's use of its store as the end of its process does.
func relaunch() { IndexStore.relaunch(IndexLocation.current) }

func item(
  _ identifier: String?, _ title: String? = nil, domain: String? = nil, update: Bool = false,
  _ change: (CSSearchableItemAttributeSet) -> Void = { _ in }
) -> CSSearchableItem {
  let attributes = CSSearchableItemAttributeSet(contentType: .text)
  if let title { attributes.title = title }
  change(attributes)
  let item = CSSearchableItem(
    uniqueIdentifier: identifier, domainIdentifier: domain, attributeSet: attributes)
  item.isUpdate = update
  return item
}

/// What a query finds.
func found(
  _ query: String = "contentType == * || title == *", _ context: CSSearchQueryContext? = nil,
  protection: [FileProtectionType]? = nil
) async throws -> [CSSearchableItem] {
  let query = CSSearchQuery(queryString: query, queryContext: context)
  if let protection { query.protectionClasses = protection }
  var items: [CSSearchableItem] = []
  for try await result in query.results { items.append(result.item) }
  return items
}

/// The identifiers of what a query finds, in order of names.
func names(_ query: String = "contentType == * || title == *") async throws -> [String] {
  try await found(query).map(\.uniqueIdentifier).sorted()
}

/// What a search for words finds, best first.
func search(_ words: String, _ context: CSUserQueryContext? = nil) async throws -> [String] {
  let query = CSUserQuery(userQueryString: words, userQueryContext: context)
  var items: [String] = []
  for try await response in query.responses {
    if case .item(let item) = response { items.append(item.id) }
  }
  return items
}

func activity(
  _ title: String?, type: String = "com.example.view", related: String? = nil, weak: String? = nil,
  _ change: (NSUserActivity) -> Void = { _ in }
) -> NSUserActivity {
  let activity = NSUserActivity(activityType: type)
  activity.title = title
  activity.isEligibleForSearch = true
  if related != nil || weak != nil {
    let attributes = CSSearchableItemAttributeSet(contentType: .text)
    attributes.relatedUniqueIdentifier = related
    attributes.weakRelatedUniqueIdentifier = weak
    activity.contentAttributeSet = attributes
  }
  change(activity)
  return activity
}
