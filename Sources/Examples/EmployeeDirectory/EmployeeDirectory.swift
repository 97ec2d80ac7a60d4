import CoreSpotlight

/// A directory of employees whose records can be found, as far as the person who uses it allows.
///
/// `policy WORD` sets what may be found, `browse ID` looks at a record, `search WORDS` finds, and
/// `open WORDS` chooses the first result and goes on as the application would.
@main struct EmployeeDirectory {
  static let activityType = "com.example.employees"

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    let index = CSSearchableIndex.default()
    try await indexAllIfAllowed(index)
    switch (words.first, words.dropFirst().joined(separator: " ")) {
    case ("policy", let name):
      guard let policy = CSIndexingPolicy(rawValue: name) else { return usage() }
      try await index.setIndexingPolicy(policy)
      print("policy: \(policy.rawValue)")
    case ("browse", let id): try await browse(id)
    case ("search", let text):
      for item in try await find(text) { print(item.attributeSet.title ?? "") }
    case ("open", let text): try await open(text, index)
    default: usage()
    }
  }

  private static func usage() {
    let policies = CSIndexingPolicy.allCases.map(\.rawValue).joined(separator: "|")
    print("usage: EmployeeDirectory policy \(policies) | browse ID | search WORDS | open WORDS")
  }

  /// At each launch, as an application does: the same items again are the same items.
  private static func indexAllIfAllowed(_ index: CSSearchableIndex) async throws {
    guard index.indexingPolicy == .allRecords else { return }
    let items = Employee.all.map { employee in
      CSSearchableItem(
        uniqueIdentifier: employee.id, domainIdentifier: activityType,
        attributeSet: attributes(of: employee))
    }
    try await index.indexSearchableItems(items)
  }

  private static func attributes(of employee: Employee) -> CSSearchableItemAttributeSet {
    let attributes = CSSearchableItemAttributeSet(contentType: .contact)
    attributes.title = employee.name
    attributes.contentDescription = "\(employee.department), \(employee.title)"
    attributes.phoneNumbers = [employee.phone]
    attributes.emailAddresses = [employee.email]
    attributes.keywords = employee.skills
    attributes.supportsPhoneCall = true
    return attributes
  }

  private static func browse(_ id: String) async throws {
    guard let employee = Employee.with(id: id) else { return print("no employee \(id)") }
    show(employee)
    let activity = NSUserActivity(activityType: activityType)
    activity.title = employee.name
    activity.userInfo = ["id": employee.id]
    activity.requiredUserInfoKeys = ["id"]
    activity.isEligibleForSearch = true
    activity.contentAttributeSet = attributes(of: employee)
    activity.contentAttributeSet?.relatedUniqueIdentifier = employee.id
    activity.becomeCurrent()
    // A query waits for the visit to be remembered, which an application's life does elsewhere.
    _ = try await find(employee.name)
  }

  private static func find(_ text: String) async throws -> [CSSearchableItem] {
    var items: [CSSearchableItem] = []
    for try await response in CSUserQuery(userQueryString: text).responses {
      if case .item(let result) = response { items.append(result.item) }
    }
    return items
  }

  private static func open(_ text: String, _ index: CSSearchableIndex) async throws {
    let items = try await find(text)
    guard let first = items.first else { return print("nothing found") }
    let activity = try await index.continuation(for: first, query: text, visibleItems: items)
    if !continueUserActivity(activity) { print("not ours") }
  }

  /// What an application's delegate does when a person comes from a search result.
  private static func continueUserActivity(_ activity: NSUserActivity) -> Bool {
    let key =
      activity.activityType == CSSearchableItemActionType
      ? CSSearchableItemActivityIdentifier : "id"
    guard [CSSearchableItemActionType, activityType].contains(activity.activityType),
      let id = activity.userInfo?[key] as? String, let employee = Employee.with(id: id)
    else { return false }
    show(employee)
    return true
  }

  private static func show(_ employee: Employee) {
    print("\(employee.name) | \(employee.department) | \(employee.title) | \(employee.phone)")
  }
}
