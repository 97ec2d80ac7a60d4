import Events

/// What is wrong with an event, by the words one of which its message has.
enum Fault: String, Sendable {
  case syntax = "JSON"
  case missing = "is missing|needs|takes"
  case kind = "`kind`|purge events"
  case size = "longer than"
  case number = "number|digits"
  case schema = "`schema`"
  case value = "must|empty|takes|base64|nest|only"

  /// Whether an error is that of an event with this fault.
  func matches(_ error: CairnError) -> Bool {
    error.code == .badEvent
      && rawValue.split(separator: "|").contains { error.message.contains($0) }
  }
}
