/// One step between what an older version wrote and what this one reads.
///
/// Steps are append-only: a change of a file that `DIGESTS` lists fails the build.
package struct MigrationStep: Sendable {
  /// What a step brings up to date.
  package enum Kind: String, Sendable, CaseIterable {
    /// The shape of events, on reading: stored bytes never change.
    case upcaster
    /// The definition of projections: they are made anew from the log.
    case projection
    /// The bytes of the log's own file.
    case format
    /// Rows that an older version wrote wrongly.
    case repair
  }

  /// Its number and name, those of its file.
  package let id: StaticString
  /// What it brings up to date.
  package let kind: Kind
  /// The first version that has it.
  package let since: StaticString
  /// What changed.
  package let what: StaticString
  /// Why it had to.
  package let why: StaticString
  /// Whether this program can take it back.
  package let isReversible: Bool
  /// What is lost when an older program takes over; empty for nothing.
  package let lost: [String]
  /// For `format`: the number that the log names once it is applied.
  package let logFormat: UInt16?
  /// Files in the repository, from its root, that hold what was there before and what came of it.
  package let fixtures: [String]

  /// A step.
  package init(
    id: StaticString, kind: Kind, since: StaticString, what: StaticString, why: StaticString,
    isReversible: Bool, lost: [String], logFormat: UInt16? = nil, fixtures: [String]
  ) {
    self.id = id
    self.kind = kind
    self.since = since
    self.what = what
    self.why = why
    self.isReversible = isReversible
    self.lost = lost
    self.logFormat = logFormat
    self.fixtures = fixtures
  }
}
