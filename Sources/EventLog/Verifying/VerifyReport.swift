import LMDB

/// What a verification of the log found.
package struct VerifyReport: Sendable {
  /// The head that was verified against.
  package var head: EventLog.Head
  /// How many live events were looked at.
  package var events: UInt64 = 0
  /// How many erased events were looked at.
  package var erased: UInt64 = 0
  /// How many signed heads were compared with the tree.
  package var signedHeads: UInt64 = 0
  /// What is wrong, in the order found; at most ``problemCountMax``.
  package private(set) var problems: [Problem] = []

  /// Problems after which no more are kept.
  package static let problemCountMax = 100

  package struct Problem: Sendable, Equatable {
    /// The event concerned, when it is one.
    package var sequence: UInt64?
    /// File and table.
    package var place: String
    package var message: String
  }

  package var isSound: Bool { problems.isEmpty }

  mutating func append(_ next: VerifyReport) {
    events += next.events
    erased += next.erased
    // What is wrong with a node is met by every range that begins or ends with it.
    for problem in next.problems where problem.sequence != nil || !problems.contains(problem) {
      add(problem)
    }
  }

  mutating func add(_ message: String, sequence: UInt64) {
    add(Problem(sequence: sequence, place: EventReader.place(sequence), message: message))
  }

  mutating func add(_ message: String, table: String) {
    add(Problem(sequence: nil, place: "log.mdb, table \(table)", message: message))
  }

  private mutating func add(_ problem: Problem) {
    if problems.count < VerifyReport.problemCountMax { problems.append(problem) }
  }
}

extension CairnError {
  /// Whether it tells of bytes that are not what was written.
  var isDamage: Bool { code == .corrupt || code == .unsupportedFormat }
}
