package import LMDB

/// What became of the events of one append, in their order.
package struct AppendReceipt: Sendable, Equatable {
  /// One outcome per event.
  package var outcomes: [Outcome]
  /// The sequence of the first event that was appended, or `nil` when none was.
  package var first: UInt64?
  /// The sequence of the last event that was appended, or `nil` when none was.
  package var last: UInt64?
  /// Why what was appended is not in the projections yet, or `nil` when it is.
  package var projectionFailure: CairnError?
  /// What was appended, of an append of one event to a log with an ``EventLog/afterCommit``.
  package var stored: StoredEvent?

  package init(outcomes: [Outcome] = [], first: UInt64? = nil, last: UInt64? = nil) {
    self.outcomes = outcomes
    self.first = first
    self.last = last
  }

  package enum Outcome: Sendable, Equatable {
    /// It is in the log, durable, under this sequence.
    case appended(UInt64)
    /// The same event, by id and content, was in the log already.
    case duplicate(UInt64)
    case rejected(Rejection)
  }

  /// Why an event was not taken.
  package enum Rejection: Sendable, Equatable {
    /// Its id belongs to an event with other content, whose sequence this is.
    case otherContent(UInt64)
    /// Its payload exceeds ``LogLimits/payloadByteCount``.
    case tooLarge
    /// A purge refuses its domain, its item or its id from then on.
    case blocked
    /// It breaks a rule of the schema in force, which this names: `KEY: RULE: words`.
    case invalid(String)

    package var reason: String {
      switch self {
      case .otherContent(let sequence):
        "its id belongs to event \(sequence), which has other content"
      case .tooLarge: "it is larger than an event may be"
      case .blocked: "a purge refuses this event"
      case .invalid(let reason): reason
      }
    }
  }

  /// Fails where an event was refused, other than by a purge: what a person wants no more of leaves
  /// no gap.
  func checkWhole() throws(CairnError) {
    for (index, outcome) in outcomes.enumerated() {
      guard case .rejected(let rejection) = outcome, rejection != .blocked else { continue }
      throw CairnError(.badEvent, rejection.reason, place: "event \(index + 1)")
    }
  }
}

/// What becomes of an event whose id is in the log already.
package enum KnownIDs: Sendable {
  /// A duplicate when its content is the same, rejected otherwise.
  case compared
  /// A duplicate, whatever its content: the first one stays. For importers, whose sources go on
  /// writing what they have told once (titles change, a window's time grows).
  case firstWins
}

/// The optimistic check of an append.
package enum ExpectedSequence: Sendable, Equatable {
  case any
  /// Append only if this is the last sequence of the log; 0 = the log is empty.
  case exactly(UInt64)

  func check(_ last: UInt64) throws(CairnError) {
    guard case .exactly(let expected) = self, expected != last else { return }
    throw CairnError(
      .conflict,
      "the log is at sequence \(last), not \(expected); read the events since and try again")
  }
}
