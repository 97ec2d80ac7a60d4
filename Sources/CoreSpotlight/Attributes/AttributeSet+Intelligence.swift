// What the system may find out by itself.

extension CSSearchableItemAttributeSet {
  /// What is said in it.
  public var transcribedTextContent: String? {
    get { self[text: "transcribedTextContent"] }
    set { self[text: "transcribedTextContent"] = newValue }
  }

  /// Whether the system thinks it matters.
  public var isPriority: NSNumber? { self[number: "isPriority"] }

  /// The system's summary of its text.
  public var textContentSummary: String? { self[text: "textContentSummary"] }
}
