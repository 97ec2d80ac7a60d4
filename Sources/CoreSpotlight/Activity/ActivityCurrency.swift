/// Which activity of an application is the current one: one at most.
final class ActivityCurrency: Sendable {
  private struct Holder { weak var activity: NSUserActivity? }

  private let holder = Guarded(Holder())

  /// The current activity, while the application keeps it.
  var activity: NSUserActivity? { holder { $0.activity } }

  /// Makes an activity the current one.
  /// - Returns: The one that was it before, if another.
  func replace(with activity: NSUserActivity) -> NSUserActivity? {
    holder { holder in
      let previous = holder.activity
      holder.activity = activity
      return previous === activity ? nil : previous
    }
  }

  /// Ends an activity's being current; false when it was not.
  @discardableResult func resign(_ activity: NSUserActivity) -> Bool {
    holder { holder in
      guard holder.activity === activity else { return false }
      holder.activity = nil
      return true
    }
  }
}
