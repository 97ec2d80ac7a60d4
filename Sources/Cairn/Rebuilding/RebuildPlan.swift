import EventLog
import Files
import LMDB
import Projections

/// Why projections are made anew.
public enum RebuildReason: String, Sendable {
  /// Somebody asked for it.
  case manual
  /// A schema changed.
  case schema
  /// Another version of Cairn made them.
  case version
}

struct RebuildPlan {
  var reason = RebuildReason.manual
  /// The projections to make anew; nil for all.
  var chosen: Set<ProjectionName>?
  /// Whether the generation that served until then stays, for going back.
  var keepsOld = false
  var memory = Generation.BuildMemory(Store.rebuildMemory)
  /// Bytes of projections from which on the gaps that a build leaves are taken out of them.
  var compactedByteCount = Store.worthwhileByteCount

  /// Projections that may be copied: the others resolve events for all.
  var copied: Set<ProjectionName> {
    guard let chosen else { return [] }
    return Generation.copiedNames.subtracting(chosen)
  }
}

/// What a build notes of itself for other processes: why, what, and events a second.
///
/// Lines of `view-N.plan`; one that cannot be read is as good as none.
struct RebuildNote: Equatable {
  var reason: RebuildReason
  var projections: [String]
  var rate: Double?

  var text: String {
    "\(reason.rawValue)\n\(projections.joined(separator: ","))\n\(rate.map { "\($0)" } ?? "")\n"
  }
}

extension RebuildNote {
  init?(_ text: String?) {
    let lines = text?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    guard lines.count >= 3, let reason = RebuildReason(rawValue: String(lines[0])) else {
      return nil
    }
    self.reason = reason
    projections = lines[1].split(separator: ",").map(String.init)
    rate = Double(lines[2])
  }
}

/// One process at work on a generation, measured.
struct RebuildPace {
  private let path: String
  private var note: RebuildNote
  private var start = ContinuousClock.now
  private var written: ContinuousClock.Instant?
  private var first: UInt64 = 0

  init(_ plan: RebuildPlan, path: String) throws(CairnError) {
    self.path = path
    let projections = Generation.names.filter { plan.chosen?.contains($0) ?? true }.map(\.text)
    note = RebuildNote(reason: plan.reason, projections: projections)
    // What an earlier process measured stands until this one has.
    note.rate = RebuildNote(try SmallFile.read(path))?.rate
    try SmallFile.replace(path, with: note.text)
  }

  /// Measures from here, where the build goes on.
  mutating func begin(at sequence: UInt64) { (first, start) = (sequence, ContinuousClock.now) }

  /// Notes how far the build is, now and then.
  mutating func reach(_ sequence: UInt64) throws(CairnError) {
    let now = ContinuousClock.now
    if let written, now - written < .seconds(1) { return }
    written = now
    let seconds = (now - start) / .seconds(1)
    if sequence > first, seconds > 0 { note.rate = Double(sequence - first) / seconds }
    try SmallFile.replace(path, with: note.text)
  }
}

/// The file by which one process asks another to give its rebuild up.
struct CancelRequest {
  private let path: String

  init(_ directory: String) { path = directory + "/rebuild.cancel" }

  /// A file that cannot be looked at asks for nothing.
  var isMade: Bool { (try? SmallFile.byteCount(path)).flatMap { $0 } != nil }

  /// Ends what is asked to end.
  /// - Throws: `.aborted` where the request is made.
  func check() throws(CairnError) {
    guard !isMade else {
      throw CairnError(.aborted, "another process cancelled the rebuild; nothing changed")
    }
  }

  func make() throws(CairnError) { if !isMade { try SmallFile.replace(path, with: "") } }

  func withdraw() throws(CairnError) { try SmallFile.remove(path) }
}

extension Generation {
  /// Folds the log up to `head`, and notes how fast that goes; false when it was stopped.
  /// - Throws: `.aborted` where another process cancels it; `.diskFull` and the like; `.corrupt`.
  func build(
    _ log: EventLog, through head: UInt64, files: GenerationFiles, memory: BuildMemory,
    pace: inout RebuildPace, request: CancelRequest, progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> Bool {
    var failure: CairnError?
    let isWanted = try build(log, through: head, files: files, memory: memory) { sequence in
      do throws(CairnError) { try pace.reach(sequence) } catch { failure = error }
      guard failure == nil, !request.isMade else { return false }
      return progress(RebuildProgress(sequence: sequence, head: head))
    }
    if let failure { throw failure }
    try request.check()
    return isWanted
  }
}
