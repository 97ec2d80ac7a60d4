import EventLog
import Files
import Glibc
import LMDB
import Projections

/// What a verification found.
public struct Verification: Sendable, Hashable {
  /// One thing that is wrong.
  public struct Problem: Sendable, Hashable {
    /// The event concerned, when it is one.
    public var sequence: UInt64?
    /// File and table.
    public var place: String
    /// What is wrong.
    public var message: String
    /// What mends it, where that is known.
    public var remedy: CairnError.Remedy?
  }

  /// State of one projection.
  public struct Projection: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The digest kept with the rows.
    public var stored: String
    /// The digest of the rows as they are.
    public var found: String
    /// Whether they are equal.
    public var isEqual: Bool { stored == found }
  }

  /// Events in the tree.
  public var treeSize: UInt64
  /// Root of the hash tree, 32 bytes.
  public var rootHash: Hash32?
  /// Live events looked at.
  public var eventCount: Int
  /// Checkpoints that were signed and compared with the tree.
  public var checkpointCount = 0
  /// Every projection.
  public var projections: [Projection]
  /// The sequence of a purge event whose purge is not complete yet; no problem in itself.
  public var pendingPurge: UInt64?
  /// Whether the projections are of another version or schema, so that their rows were compared
  /// with nothing; no problem in itself.
  public var projectionsAreOutdated = false
  /// What is wrong; empty when all is well.
  public var problems: [Problem]
  /// Whether all is well.
  public var isSound: Bool { problems.isEmpty }
}

extension Verification {
  /// What there is to say of a store that is too damaged to be opened.
  /// - Parameter damage: What opening it threw.
  package init(damage: CairnError) {
    self.init(
      treeSize: 0, rootHash: nil, eventCount: 0, projections: [],
      problems: [Problem(damage, in: "store")])
  }
}

extension Verification.Problem {
  /// What an error tells of a file or of the place that it names itself.
  package init(_ error: CairnError, in file: String) {
    self.init(place: error.place ?? file, message: error.message, remedy: error.remedy)
  }
}

extension Store {
  /// Checks the log against its hash tree and the projections against their digests.
  ///
  /// Every event's header and content, every node and root of the tree, every checkpoint that
  /// was signed and every snapshot's root, ids, and each projection's rows against the digest
  /// kept with them. What looks wrong because a purge came in between is looked at again, from the
  /// beginning.
  /// - Parameters:
  ///   - deep: Also folds the whole log into a scratch generation and compares.
  ///   - checkpoint: A signed checkpoint of this store, kept elsewhere, that the log must continue.
  ///   - progress: Called with the last sequence looked at; returning false stops.
  /// - Returns: What was looked at and what is wrong.
  /// - Complexity: O(events + rows); deep as much again as a rebuild.
  /// - Throws: `io` and the like; damage is reported, not thrown. `malformed`, `notVerified` when
  ///   the checkpoint is none of this store. `busy` when purges keep coming in between.
  public func verify(
    deep: Bool = false, against checkpoint: String? = nil,
    progress: (UInt64) -> Bool = { _ in true }
  ) throws(CairnError) -> Verification {
    let isContinued = try checkpoint.map { (text) throws(CairnError) in try continues(text) }
    return try askBetweenPurges(accepting: \.isSound) { () throws(CairnError) in
      try withBoundedMemory { () throws(CairnError) in
        try verifyOnce(deep: deep, isContinued: isContinued, progress)
      }
    }
  }

  private func verifyOnce(deep: Bool, isContinued: Bool?, _ progress: (UInt64) -> Bool)
    throws(CairnError) -> Verification
  {
    let serving = Result { () throws(CairnError) in try generation() }
    // Why none serves is told below.
    let audit = (try? serving.get()).flatMap { $0 }.map { ProjectionAudit($0) }
    let report = try VerificationThreads.look(at: log, audit, progress: progress)
    var result = Verification(
      treeSize: report.head.sequence, rootHash: report.head.root,
      eventCount: Int(clamping: report.events),
      checkpointCount: Int(clamping: report.signedHeads), projections: [],
      pendingPurge: try pendingPurge()?.sequence,
      problems: report.problems.map {
        .init(sequence: $0.sequence, place: $0.place, message: $0.message)
      })
    if isContinued == false {
      result.problems.append(
        .init(place: "log.mdb", message: "the log does not continue the given checkpoint"))
    }
    result.problems += try runProblems() + copyProblems()
    try verifyProjections(&result, serving, audit)
    // A fold makes rows of this version; those of another one are no damage.
    if deep, result.isSound, !result.projectionsAreOutdated { try verifyDeep(&result) }
    return result
  }

  private func verifyProjections(
    _ result: inout Verification, _ serving: Result<Generation?, CairnError>,
    _ audit: ProjectionAudit?
  ) throws(CairnError) {
    let generation: Generation?
    do throws(CairnError) { generation = try serving.get() } catch
      where Self.isDamageOfProjections(error)
    {
      return result.problems.append(.init(error, in: "CURRENT"))
    } catch {
      // Why none could be made, for want of room or permission say, is no damage of the log.
      return result.problems.append(
        .init(place: "CURRENT", message: "no projections serve, since none can be made: \(error)"))
    }
    guard let generation, let audit else {
      if result.treeSize > 0 {
        result.problems.append(
          .init(place: "CURRENT", message: "no projections serve", remedy: .rebuild))
      }
      return
    }
    let file = "view-\(generation.number).mdb"
    do throws(CairnError) { try audit.checkPages() } catch {
      return result.problems.append(.init(error, in: file))
    }
    let checkpoint = try generation.checkpoint()
    // Rows of another version have other rules; whoever next writes makes them anew from the log.
    result.projectionsAreOutdated = try checkpoint.isOutdated(by: schemas.lens(of: log))
    if result.projectionsAreOutdated { return }
    if try !generation.isMade(of: log, at: checkpoint) {
      result.problems.append(
        .init(place: file, message: generation.isOfAnotherLog.message, remedy: .rebuild))
    }
    for finding in audit.findings() {
      switch finding {
      case .digests(let name, let (stored, found)):
        result.projections.append(
          .init(name: name.text, stored: stored.hexadecimal, found: found.hexadecimal))
        guard stored != found else { continue }
        result.problems.append(
          .init(
            place: file,
            message: "projection \(name.text) differs from its digest", remedy: .rebuild))
      case .failed(let parts, let error):
        guard error.code == .corrupt || error.code == .unsupportedFormat else { throw error }
        var problem = Verification.Problem(error, in: file)
        problem.message = "projection \(parts): \(error.message)"
        result.problems.append(problem)
      }
    }
  }

  private func verifyDeep(_ result: inout Verification) throws(CairnError) {
    for comparison in try compareWithScratch().map(\.result) where !comparison.isEqual {
      result.problems.append(
        .init(
          place: "projection \(comparison.projection)",
          message: "differs from a fold of the log", remedy: .rebuild))
    }
  }

  /// Folds the log into a scratch generation and compares it with the serving one.
  /// - Returns: One result for each projection; `digestBefore` is the serving one's.
  /// - Complexity: that of a rebuild; the scratch files are deleted. Again when a purge came in
  ///   between and they differ.
  /// - Throws: `corrupt` for an event that cannot be read; `busy` when purges keep coming in
  ///   between.
  package func replayVerify() throws(CairnError) -> [ReplayComparison] {
    try askBetweenPurges(accepting: { $0.allSatisfy(\.result.isEqual) }) { () throws(CairnError) in
      try compareWithScratch()
    }
  }

  private func compareWithScratch() throws(CairnError) -> [ReplayComparison] {
    let start = ContinuousClock.now
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let builder = WriterThread(name: "cairn-scratch")
    let files = GenerationFiles(directory: scratch.path)
    let generation = try Generation(1, files: files, writer: builder, create: true)
    defer { generation.environment.close() }
    guard let serving = try self.generation() else { return [] }
    guard try serving.isCut(as: log) else {
      throw CairnError(.busy, "old versions are being let go; try again when that is done")
    }
    let live = try serving.checkpoint()
    _ = try generation.build(
      log, through: live.applied, files: files,
      memory: Generation.BuildMemory(Self.rebuildMemory))
    let folded = try generation.checkpoint()
    let results = Self.results(live, folded, since: start)
    var comparisons: [ReplayComparison] = []
    for result in results {
      let name = ProjectionName(result.projection)
      let first =
        result.isEqual ? nil : try FirstDifference(serving, generation, live).find(name, result)
      comparisons.append(ReplayComparison(result: result, first: first))
    }
    return comparisons
  }
}

/// A directory of its own that is deleted after use.
struct ScratchDirectory {
  let path: String

  init() throws(CairnError) {
    let parent = Variables.get("TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/cairn-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      // SAFETY: the buffer is NUL-terminated and is only rewritten in place.
      guard let text = buffer.baseAddress else { return false }
      return unsafe mkdtemp(text) != nil
    }
    guard made else {
      throw CairnError.system(errno, "no scratch directory can be made", path: parent)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Deletes the directory; what cannot be deleted is left to the system's own cleaning.
  func remove() { try? SmallFile.removeTree(path) }
}
