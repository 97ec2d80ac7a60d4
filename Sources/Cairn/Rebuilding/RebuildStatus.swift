import EventLog
import Files
import LMDB
import Projections

/// What is being rebuilt, and which generations of the projections there are.
public struct RebuildStatus: Sendable, Hashable {
  /// One set of all projections.
  public struct Generation: Sendable, Hashable {
    /// What a generation is there for.
    public enum State: String, Sendable {
      /// It answers.
      case serving
      /// It is to answer when it is complete.
      case building
      /// It answered before, and can again; see ``Store/rollBack(progress:)``.
      case kept
    }

    /// Its number; later ones have greater numbers.
    public var number: UInt64
    /// What it is there for.
    public var state: State
    /// Version of the schema it was made by, or is being made by; 0 for none.
    public var schema: UInt64
    /// Last event it knows.
    public var sequence: UInt64
    /// Bytes that its files take on disk.
    public var byteCount: Int
  }

  /// Whether a rebuild is unfinished, whether or not a process is at it.
  public var isRunning: Bool
  /// Last event the unfinished rebuild has folded.
  public var sequence: UInt64?
  /// Last event of the log.
  public var head: UInt64
  /// Why it was begun.
  public var reason: RebuildReason?
  /// What it makes anew.
  public var projections: [String] = []
  /// Events a second that it was last seen to fold; nil before it was measured.
  public var rate: Double?
  /// Seconds it has left at that rate.
  public var secondsLeft: Double?
  /// All generations, by number.
  public var generations: [Generation] = []
}

extension Store {
  /// What is being rebuilt, here or in another process, and what a rebuild that was killed left.
  /// - Complexity: O(generations).
  /// - Throws: what the disk says.
  /// - Note: Blocks the calling thread.
  public func rebuildStatus() throws(CairnError) -> RebuildStatus {
    let serving = try servingNumber() ?? 0
    var status = RebuildStatus(isRunning: false, head: try log.head().sequence)
    for number in try files.all() {
      let isBuilt = number > serving
      // One that a purge builds is no rebuild.
      if isBuilt, try files.isCandidate(number) { continue }
      guard let known = try known(number) else { continue }
      let note = try isBuilt ? RebuildNote(SmallFile.read(files.planPath(of: number))) : nil
      let version = try isBuilt ? schemaVersion(of: known, note) : known.schema ?? 0
      let state: RebuildStatus.Generation.State =
        isBuilt ? .building : number == serving ? .serving : .kept
      status.generations.append(
        .init(
          number: number, state: state, schema: UInt64(version), sequence: known.applied,
          byteCount: [files.path(of: number), files.buildPath(of: number)]
            .reduce(0) { $0 + (FileStatus($1)?.diskByteCount ?? 0) }))
      guard isBuilt else { continue }
      status.isRunning = true
      status.sequence = known.applied
      status.reason = note?.reason ?? .manual
      status.projections = note?.projections ?? Generation.names.map(\.text)
      status.rate = note?.rate
      if let rate = note?.rate, rate > 0 {
        status.secondsLeft = Double(status.head - min(status.head, known.applied)) / rate
      }
    }
    return status
  }

  /// The version of the schema that a generation under construction is for.
  ///
  /// Its rows do not tell before there are any, nor while some projections lack.
  private func schemaVersion(of known: (applied: UInt64, schema: Int?), _ note: RebuildNote?)
    throws(CairnError) -> Int
  {
    let inForce = try schemas.history(of: log).current
    // A change of schema is a version of its own also where it returns to an older one.
    return note?.reason == .schema ? inForce + 1 : known.schema ?? inForce
  }

  /// How far a generation is and by which schema; nil when it went away meanwhile.
  private func known(_ number: UInt64) throws(CairnError) -> (applied: UInt64, schema: Int?)? {
    do throws(CairnError) {
      let generation = try Generation(number, files: files, writer: nil, create: false)
      defer { generation.environment.close() }
      let checkpoint = try generation.checkpoint()
      return (checkpoint.applied, try schemas.version(of: log, definedAs: checkpoint.definition))
    } catch  where [.missing, .notAStore, .corrupt, .unsupportedFormat].contains(error.code) {
      // Just being made, or just gone; what is damaged is told by: cairn verify.
      return nil
    }
  }
}
