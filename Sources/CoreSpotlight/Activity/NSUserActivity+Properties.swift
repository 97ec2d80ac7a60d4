extension NSUserActivity {
  /// Its name, which search finds and results show first.
  public var title: String? {
    get { state { $0.title } }
    set { state { $0.title = newValue } }
  }

  /// What the application needs to restore it.
  ///
  /// Arrays, data, dates, dictionaries, null, numbers, sets, strings, URLs and UUIDs are
  /// remembered, anything else is left out.
  public var userInfo: [AnyHashable: Any]? {
    get { state { $0.userInfo } }
    set { state { $0.userInfo = newValue } }
  }

  /// The keys of `userInfo` that are remembered; nil for all, or none when there is a `webpageURL`.
  public var requiredUserInfoKeys: Set<String>? {
    get { state { $0.requiredUserInfoKeys } }
    set { state { $0.requiredUserInfoKeys = newValue } }
  }

  /// Words that find it besides its title.
  public var keywords: Set<String> {
    get { state { $0.keywords } }
    set { state { $0.keywords = newValue } }
  }

  /// What else is known of it.
  public var contentAttributeSet: CSSearchableItemAttributeSet? {
    get { state { $0.contentAttributeSet } }
    set { state { $0.contentAttributeSet = newValue } }
  }

  /// When it is to be forgotten; nil for the default of items.
  public var expirationDate: Date? {
    get { state { $0.expirationDate } }
    set { state { $0.expirationDate = newValue } }
  }

  /// Whether it may be continued elsewhere; kept, and of no effect on Linux.
  public var isEligibleForHandoff: Bool {
    get { state { $0.isEligibleForHandoff } }
    set { state { $0.isEligibleForHandoff = newValue } }
  }

  /// Whether it is remembered and found when it becomes current.
  public var isEligibleForSearch: Bool {
    get { state { $0.isEligibleForSearch } }
    set { state { $0.isEligibleForSearch = newValue } }
  }

  /// Whether everyone may find it; kept, and nothing is published.
  public var isEligibleForPublicIndexing: Bool {
    get { state { $0.isEligibleForPublicIndexing } }
    set { state { $0.isEligibleForPublicIndexing = newValue } }
  }

  /// Whether it may be proposed; kept, and of no effect on Linux.
  public var isEligibleForPrediction: Bool {
    get { state { $0.isEligibleForPrediction } }
    set { state { $0.isEligibleForPrediction = newValue } }
  }

  /// The name it can be deleted by.
  public var persistentIdentifier: NSUserActivityPersistentIdentifier? {
    get { state { $0.persistentIdentifier } }
    set { state { $0.persistentIdentifier = newValue } }
  }

  /// What scene it belongs to; does not set `needsSave`.
  public var targetContentIdentifier: String? {
    get { state { $0.targetContentIdentifier } }
    set { state { $0.targetContentIdentifier = newValue } }
  }

  /// The page of the web with the same content.
  public var webpageURL: URL? {
    get { state { $0.webpageURL } }
    set { state { $0.webpageURL = newValue } }
  }

  /// The page that led to `webpageURL`.
  public var referrerURL: URL? {
    get { state { $0.referrerURL } }
    set { state { $0.referrerURL = newValue } }
  }

  /// Whether the delegate is to bring it up to date before it is remembered.
  public var needsSave: Bool {
    get { state { $0.needsSave } }
    set { state { $0.needsSave = newValue } }
  }

  /// Whether streams could go on elsewhere; kept, and of no effect on Linux.
  public var supportsContinuationStreams: Bool {
    get { state { $0.supportsContinuationStreams } }
    set { state { $0.supportsContinuationStreams = newValue } }
  }

  /// What a person may say to start it; kept, and of no effect on Linux.
  public var suggestedInvocationPhrase: String? {
    get { state { $0.suggestedInvocationPhrase } }
    set { state { $0.suggestedInvocationPhrase = newValue } }
  }

  /// Who is told before it is remembered and when it was continued.
  public weak var delegate: (any NSUserActivityDelegate)? {
    get { state { $0.delegate } }
    set { state { $0.delegate = newValue } }
  }
}

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
