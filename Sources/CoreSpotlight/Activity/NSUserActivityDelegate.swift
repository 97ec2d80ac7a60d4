/// What an application does when an activity is remembered or continued.
public protocol NSUserActivityDelegate: NSObjectProtocol {
  /// Bring the activity up to date now.
  func userActivityWillSave(_ userActivity: NSUserActivity)
  /// The activity was continued elsewhere.
  func userActivityWasContinued(_ userActivity: NSUserActivity)
  /// The device that continues the activity wants to talk.
  func userActivity(
    _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream)
}

extension NSUserActivityDelegate {
  /// Does nothing.
  public func userActivityWillSave(_ userActivity: NSUserActivity) {}
  /// Does nothing.
  public func userActivityWasContinued(_ userActivity: NSUserActivity) {}
  /// Does nothing.
  public func userActivity(
    _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
  ) {}
}
