// What can be done with an item, what holds it, and what it can give away.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// Whether its telephone numbers may be called; needs `phoneNumbers`.
  public var supportsPhoneCall: Attribute<NSNumber> { .flag("supportsPhoneCall") }
  /// Whether a way there may be shown; needs `latitude` and `longitude`.
  public var supportsNavigation: Attribute<NSNumber> { .flag("supportsNavigation") }
  /// The type of file that may be shared.
  public var sharedItemContentType: Attribute<UTType> { .type("sharedItemContentType") }
  /// The title of what holds it.
  public var containerTitle: Attribute<String> { .text("containerTitle") }
  /// What the thing that holds it is called on screen.
  public var containerDisplayName: Attribute<String> { .text("containerDisplayName") }
  /// The identifier of what holds it.
  public var containerIdentifier: Attribute<String> { .text("containerIdentifier") }
  /// Its place in what holds it.
  public var containerOrder: Attribute<NSNumber> { .number("containerOrder") }
  /// Types in which its data can be had, best first.
  public var providerDataTypeIdentifiers: Attribute<[String]> {
    .texts("providerDataTypeIdentifiers")
  }
  /// Types in which it can be had as a file, best first.
  public var providerFileTypeIdentifiers: Attribute<[String]> {
    .texts("providerFileTypeIdentifiers")
  }
  /// Types in which its file can be opened where it lies, best first.
  public var providerInPlaceFileTypeIdentifiers: Attribute<[String]> {
    .texts("providerInPlaceFileTypeIdentifiers")
  }
}
