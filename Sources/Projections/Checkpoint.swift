package import Values

/// How far a generation has folded the log, and digests of what it holds: one row.
///
/// Written in the same transaction as the rows it speaks of, so that after a crash both are old
/// or both are new.
package struct Checkpoint: Equatable, Sendable {
  /// The log that rows were made of.
  package struct LogState: Equatable, Sendable {
    /// Root of the hash tree over the events folded.
    package var root: Hash32
    /// Sequence of the purge event that erased last; 0 for none.
    package var erasure: UInt64

    package init(root: Hash32, erasure: UInt64) {
      self.root = root
      self.erasure = erasure
    }
  }

  /// Sequence of the last event folded; 0 for none.
  package var applied: UInt64 = 0
  /// The log as it was then; nil before anything was folded.
  package var log: LogState?
  /// Digest of the definitions that built the rows (schemas, analyzer, parameters, upcasters).
  package var definition = RowDigest()
  /// Number of items ever named; the next item's ordinal.
  package var itemCount: UInt32 = 0
  /// Number of domains ever named; the next domain's ordinal.
  package var domainCount: UInt32 = 0
  package var presentCount: UInt32 = 0
  /// Whether any version could ever expire; without, no search has to ask.
  package var hasExpiry = false
  /// Whether any item ever had a part that ends before it does; without, every text is that of the
  /// item under which it stands.
  package var hasEndingParts = false
  /// Whether any item ever had a date or a hint of its own, which decide between hits of one score.
  package var hasTieBreaks = false
  /// The greatest slowest-scale sum of use that any item ever had; bounds every frecency.
  package var greatestUse = 0.0
  /// The latest use of any item, microseconds since 1970; 0 before the first.
  package var latestUseMicroseconds: Int64 = 0
  /// The digests of projections, in the order of their names.
  var digests: [(name: ProjectionName, digest: RowDigest)] = []

  package init() {}

  package static func == (one: Checkpoint, other: Checkpoint) -> Bool {
    one.encoded() == other.encoded()
  }

  /// The digest of one projection; that of no rows for one that is not there.
  package subscript(name: ProjectionName) -> RowDigest {
    get { digests.first { $0.name == name }?.digest ?? RowDigest() }
    set {
      if let place = digests.firstIndex(where: { $0.name == name }) {
        digests[place].digest = newValue
      } else {
        let place = digests.firstIndex { name.text < $0.name.text } ?? digests.endIndex
        digests.insert((name, newValue), at: place)
      }
    }
  }

  /// What is thrown for rows of another version.
  package static let unsupported = CairnError(
    .unsupportedFormat, "this generation was built by another version", remedy: .rebuild)
}
