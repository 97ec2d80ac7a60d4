// What can be done with an item, what holds it, and what it can give away.

extension CSSearchableItemAttributeSet {
  /// Whether its telephone numbers may be called; needs `phoneNumbers`.
  public var supportsPhoneCall: NSNumber? {
    get { self[flag: "supportsPhoneCall"] }
    set { self[flag: "supportsPhoneCall"] = newValue }
  }

  /// Whether a way there may be shown; needs `latitude` and `longitude`.
  public var supportsNavigation: NSNumber? {
    get { self[flag: "supportsNavigation"] }
    set { self[flag: "supportsNavigation"] = newValue }
  }

  /// The type of file that may be shared.
  public var sharedItemContentType: UTType? {
    get { self[type: "sharedItemContentType"] }
    set { self[type: "sharedItemContentType"] = newValue }
  }

  /// The title of what holds it.
  public var containerTitle: String? {
    get { self[text: "containerTitle"] }
    set { self[text: "containerTitle"] = newValue }
  }

  /// What the thing that holds it is called on screen.
  public var containerDisplayName: String? {
    get { self[text: "containerDisplayName"] }
    set { self[text: "containerDisplayName"] = newValue }
  }

  /// The identifier of what holds it.
  public var containerIdentifier: String? {
    get { self[text: "containerIdentifier"] }
    set { self[text: "containerIdentifier"] = newValue }
  }

  /// Its place in what holds it.
  public var containerOrder: NSNumber? {
    get { self[number: "containerOrder"] }
    set { self[number: "containerOrder"] = newValue }
  }

  /// Types in which its data can be had, best first.
  public var providerDataTypeIdentifiers: [String]? {
    get { self[texts: "providerDataTypeIdentifiers"] }
    set { self[texts: "providerDataTypeIdentifiers"] = newValue }
  }

  /// Types in which it can be had as a file, best first.
  public var providerFileTypeIdentifiers: [String]? {
    get { self[texts: "providerFileTypeIdentifiers"] }
    set { self[texts: "providerFileTypeIdentifiers"] = newValue }
  }

  /// Types in which its file can be opened where it lies, best first.
  public var providerInPlaceFileTypeIdentifiers: [String]? {
    get { self[texts: "providerInPlaceFileTypeIdentifiers"] }
    set { self[texts: "providerInPlaceFileTypeIdentifiers"] = newValue }
  }
}
