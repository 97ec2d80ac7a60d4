package import Events

/// Decides, event by event in their order, which ones a transaction takes.
package protocol EventAdmission: Sendable {
  /// Why an event is not taken that would be recorded at a time, `KEY: RULE: words`; nil when it
  /// is, and then it counts for those after it.
  /// - Throws: what the disk says; nothing of the transaction is in the log then.
  mutating func refusal(of event: EncodedEvent, at recorded: Timestamp) throws(CairnError)
    -> String?
}
