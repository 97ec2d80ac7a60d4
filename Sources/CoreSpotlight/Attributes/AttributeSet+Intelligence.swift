// What the system may find out by itself.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// What is said in it.
  public var transcribedTextContent: Attribute<String> { .text("transcribedTextContent") }
}

extension CSSearchableItemAttributeSet {
  /// Whether the system thinks it matters.
  public var isPriority: NSNumber? { self[.flag("isPriority")] }

  /// The system's summary of its text.
  public var textContentSummary: String? { self[.text("textContentSummary")] }
}
