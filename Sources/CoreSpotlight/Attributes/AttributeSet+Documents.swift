// Documents and dates.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// What it is about.
  public var subject: Attribute<String> { .text("subject") }
  /// Its theme.
  public var theme: Attribute<String> { .text("theme") }
  /// What a result says below the title.
  public var contentDescription: Attribute<String> { .text("contentDescription") }
  /// What identifies it in its own world.
  public var identifier: Attribute<String> { .text("identifier") }
  /// For whom it is made.
  public var audiences: Attribute<[String]> { .texts("audiences") }
  /// Its size in megabytes.
  public var fileSize: Attribute<NSNumber> { .number("fileSize") }
  /// How many pages it has.
  public var pageCount: Attribute<NSNumber> { .number("pageCount") }
  /// Width of a page in points.
  public var pageWidth: Attribute<NSNumber> { .number("pageWidth") }
  /// Height of a page in points.
  public var pageHeight: Attribute<NSNumber> { .number("pageHeight") }
  /// How it is secured.
  public var securityMethod: Attribute<String> { .text("securityMethod") }
  /// The application that made it.
  public var creator: Attribute<String> { .text("creator") }
  /// The applications that encoded it.
  public var encodingApplications: Attribute<[String]> { .texts("encodingApplications") }
  /// What kind of thing it is.
  public var kind: Attribute<String> { .text("kind") }
  /// The fonts it uses.
  public var fontNames: Attribute<[String]> { .texts("fontNames") }
  /// When it is due.
  public var dueDate: Attribute<Date> { .date("dueDate") }
  /// When it was completed.
  public var completionDate: Attribute<Date> { .date("completionDate") }
  /// When it begins.
  public var startDate: Attribute<Date> { .date("startDate") }
  /// When it ends.
  public var endDate: Attribute<Date> { .date("endDate") }
  /// Dates that matter to it.
  public var importantDates: Attribute<[Date]> { .dates("importantDates") }
  /// Whether it takes whole days.
  public var allDay: Attribute<NSNumber> { .flag("allDay") }
}
