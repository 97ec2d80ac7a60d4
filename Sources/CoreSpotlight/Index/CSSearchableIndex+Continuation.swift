import Cairn

/// What the part of an application does that is started from a search result.
public protocol CSContinuationHandler: AnyObject {
  /// Something of this type is about to be continued.
  func willContinueUserActivity(withType activityType: String)
  /// Continue it; false when it is none of the application's.
  func continueUserActivity(_ userActivity: NSUserActivity) -> Bool
}

extension CSContinuationHandler {
  /// Does nothing.
  public func willContinueUserActivity(withType activityType: String) {}
}

// The part of the system's search window: Linux has none, so a program plays it.
extension CSSearchableIndex {
  /// Notes that a person chose a result, and gives what the application is handed for it.
  /// - Parameters:
  ///   - item: The result.
  ///   - query: What was typed.
  ///   - visibleItems: The results that could be seen, in order.
  ///   - actionIdentifier: The action chosen on the result, if one was.
  /// - Returns: For an item an activity of type `CSSearchableItemActionType` that names it; for a
  ///   remembered activity that activity, with its own type and `userInfo`.
  /// - Throws: `CSIndexError` when the choice cannot be stored.
  public func continuation(
    for item: CSSearchableItem, query: String? = nil, visibleItems: [CSSearchableItem] = [],
    actionIdentifier: String? = nil
  ) async throws -> NSUserActivity {
    let event = Engagement(item, query: query, shown: visibleItems).selection()
    try await store.make([event])
    if let record = item.state({ $0.record }), let stored = try await stored(record) {
      return stored
    }
    return Self.activity(for: item, query, actionIdentifier)
  }

  /// What an application is handed when a person goes on searching in it.
  public class func continuation(forQuery text: String) -> NSUserActivity {
    let activity = NSUserActivity(activityType: CSQueryContinuationActionType)
    activity.userInfo = [CSSearchQueryString: text]
    return activity
  }

  /// What an application is handed for a page of the web that it claims.
  public class func continuation(forWebpage url: URL) -> NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = url
    return activity
  }

  /// Announces an activity to an application and hands it over.
  /// - Returns: Whether the application took it; if not, it shows where it begins.
  public class func hand(_ activity: NSUserActivity, to handler: any CSContinuationHandler) -> Bool
  {
    handler.willContinueUserActivity(withType: activity.activityType)
    return handler.continueUserActivity(activity)
  }

  private static func activity(for item: CSSearchableItem, _ query: String?, _ action: String?)
    -> NSUserActivity
  {
    let activity = NSUserActivity(activityType: CSSearchableItemActionType)
    var userInfo: [AnyHashable: Any] = [CSSearchableItemActivityIdentifier: item.uniqueIdentifier]
    if let query { userInfo[CSSearchQueryString] = query }
    if let action { userInfo[CSActionIdentifier] = action }
    activity.userInfo = userInfo
    return activity
  }

  private func stored(_ record: String) async throws -> NSUserActivity? {
    try await withCheckedThrowingContinuation { done in
      store.read { result in
        do {
          let attributes = try result.get().item(record)?.attributes ?? [:]
          done.resume(returning: ActivityRecord(attributes)?.activity(attributes))
        } catch { done.resume(throwing: CSIndexError.of(error)) }
      }
    }
  }
}
