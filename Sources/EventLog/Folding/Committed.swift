/// A group that is on disk and waits for its events to be folded, and then for its answers.
struct Committed: Sendable {
  /// The sequences appended, if any were.
  var appended: ClosedRange<UInt64>?
  /// The events, or none where the hook is to read them.
  var events: [StoredEvent]
  var requests: [AppendRequest]
  var answers: [AppendRequest.Answer]
  /// Whether its appends were answered before it was folded.
  var isForLater = false

  /// Whether all of its events are here.
  var isAtHand: Bool { events.count == appended?.count ?? 0 }

  /// Bytes of the events' payloads.
  var byteCount: Int { events.reduce(0) { $0 + $1.payload.count } }

  /// Answers the appends that are not in the commit: they wait for no fold, and those that were
  /// handed over after them have to know before they are committed.
  mutating func answerFailures() {
    for (request, answer) in zip(requests, answers) {
      if case .failure = answer { request.complete(answer) }
    }
    requests.removeAll { $0.answer != nil }
    answers.removeAll { if case .failure = $0 { true } else { false } }
  }

  /// Answers the appends of the commit.
  func answer() { for (request, answer) in zip(requests, answers) { request.complete(answer) } }

  /// Adds the next commit, when both are small enough to be folded as one and wait for the same.
  mutating func join(_ next: Committed) -> Bool {
    guard isAtHand, next.isAtHand, isForLater == next.isForLater,
      events.count + next.events.count <= LogLimits.joinedEventCount
    else { return false }
    if let range = next.appended {
      appended = (appended?.lowerBound ?? range.lowerBound)...range.upperBound
    }
    events += next.events
    requests += next.requests
    answers += next.answers
    return true
  }
}
