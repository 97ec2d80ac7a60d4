// Documents and dates.

extension CSSearchableItemAttributeSet {
  /// What it is about.
  public var subject: String? {
    get { self[text: "subject"] }
    set { self[text: "subject"] = newValue }
  }

  /// Its theme.
  public var theme: String? {
    get { self[text: "theme"] }
    set { self[text: "theme"] = newValue }
  }

  /// What a result says below the title.
  public var contentDescription: String? {
    get { self[text: "contentDescription"] }
    set { self[text: "contentDescription"] = newValue }
  }

  /// What identifies it in its own world.
  public var identifier: String? {
    get { self[text: "identifier"] }
    set { self[text: "identifier"] = newValue }
  }

  /// For whom it is made.
  public var audiences: [String]? {
    get { self[texts: "audiences"] }
    set { self[texts: "audiences"] = newValue }
  }

  /// Its size in megabytes.
  public var fileSize: NSNumber? {
    get { self[number: "fileSize"] }
    set { self[number: "fileSize"] = newValue }
  }

  /// How many pages it has.
  public var pageCount: NSNumber? {
    get { self[number: "pageCount"] }
    set { self[number: "pageCount"] = newValue }
  }

  /// Width of a page in points.
  public var pageWidth: NSNumber? {
    get { self[number: "pageWidth"] }
    set { self[number: "pageWidth"] = newValue }
  }

  /// Height of a page in points.
  public var pageHeight: NSNumber? {
    get { self[number: "pageHeight"] }
    set { self[number: "pageHeight"] = newValue }
  }

  /// How it is secured.
  public var securityMethod: String? {
    get { self[text: "securityMethod"] }
    set { self[text: "securityMethod"] = newValue }
  }

  /// The application that made it.
  public var creator: String? {
    get { self[text: "creator"] }
    set { self[text: "creator"] = newValue }
  }

  /// The applications that encoded it.
  public var encodingApplications: [String]? {
    get { self[texts: "encodingApplications"] }
    set { self[texts: "encodingApplications"] = newValue }
  }

  /// What kind of thing it is.
  public var kind: String? {
    get { self[text: "kind"] }
    set { self[text: "kind"] = newValue }
  }

  /// The fonts it uses.
  public var fontNames: [String]? {
    get { self[texts: "fontNames"] }
    set { self[texts: "fontNames"] = newValue }
  }

  /// When it is due.
  public var dueDate: Date? {
    get { self[date: "dueDate"] }
    set { self[date: "dueDate"] = newValue }
  }

  /// When it was completed.
  public var completionDate: Date? {
    get { self[date: "completionDate"] }
    set { self[date: "completionDate"] = newValue }
  }

  /// When it begins.
  public var startDate: Date? {
    get { self[date: "startDate"] }
    set { self[date: "startDate"] = newValue }
  }

  /// When it ends.
  public var endDate: Date? {
    get { self[date: "endDate"] }
    set { self[date: "endDate"] = newValue }
  }

  /// Dates that matter to it.
  public var importantDates: [Date]? {
    get { self[dates: "importantDates"] }
    set { self[dates: "importantDates"] = newValue }
  }

  /// Whether it takes whole days.
  public var allDay: NSNumber? {
    get { self[flag: "allDay"] }
    set { self[flag: "allDay"] = newValue }
  }
}
