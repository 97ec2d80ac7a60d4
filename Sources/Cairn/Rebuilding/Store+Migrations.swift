import EventLog
import Files
import Glibc
import LMDB
import Migrations
import Projections

/// One step between what an older version wrote and what this one reads.
public struct Migration: Sendable, Hashable {
  /// What a migration brings up to date.
  public enum Kind: String, Sendable {
    /// The shape of events, on reading: stored bytes never change.
    case upcaster
    /// The definition of projections, made anew from the log.
    case projection
    /// The bytes of the log's own file.
    case format
    /// Rows that an older version wrote wrongly.
    case repair
    /// A schema of the application.
    case schema
  }

  /// Whether anything is left to do.
  public enum State: String, Sendable {
    /// Everything read is of today's shape.
    case applied
    /// The next process that opens the store for writing does it.
    case pending
    /// It was taken back.
    case undone
  }

  /// The migration's name, unique among all.
  public var id: String
  /// What it brings up to date.
  public var kind: Kind
  /// Whether anything is left to do.
  public var state: State
  /// Whether this program can take it back.
  public var isReversible: Bool
  /// The first version of Cairn that has it; of a schema, when it was recorded.
  public var since: String
  /// What an older program, or an undo, would lose.
  public var lost: [String]
  /// What doing it takes, where it is pending.
  public var cost: Cost?

  /// What doing a migration takes.
  public struct Cost: Sendable, Hashable {
    /// Events that are folded.
    public var eventCount: UInt64
    /// Seconds, estimated.
    public var seconds: Double
    /// Bytes of disk that are needed meanwhile, about.
    public var byteCount: Int
  }
}

extension Store {
  /// Every migration there is, oldest first.
  /// - Complexity: O(1).
  /// - Throws: what the disk says; projections that cannot be read are pending, not an error.
  /// - Note: Blocks the calling thread.
  public func migrations() throws(CairnError) -> [Migration] {
    let lacking = try lackingSteps()
    let logFormat = try log.storedFormat()
    let steps = try Migrations.steps.map { (step) throws(CairnError) in
      let isPending =
        switch step.kind {
        // An event is brought up whenever it is read, so that none is ever left to do.
        case .upcaster, .repair: false
        case .projection: lacking.contains(step.id.description)
        case .format: logFormat < step.logFormat ?? 0
        }
      return Migration(
        id: step.id.description, kind: Migration.Kind(step.kind),
        state: isPending ? .pending : .applied, isReversible: step.isReversible,
        since: step.since.description, lost: step.lost,
        cost: isPending ? try cost(of: step.kind) : nil)
    }
    return try steps + schemaMigrations()
  }

  /// The changes of schema; an undo is the state of what it undid.
  private func schemaMigrations() throws(CairnError) -> [Migration] {
    let tree = try schemas.history(of: log)
    var inForce: Set<Int> = []
    var node = tree.node(tree.current)
    while node != 0 {
      inForce.insert(node)
      node = tree.parent(ofNode: node)
    }
    return tree.versions.filter { $0.reverts == nil }.map { version in
      let isInForce = inForce.contains(version.version)
      return Migration(
        id: "schema/\(version.version)", kind: .schema, state: isInForce ? .applied : .undone,
        isReversible: isInForce, since: version.recorded.rfc3339, lost: [])
    }
  }

  /// What making projections anew was measured to do on one core of an ordinary machine.
  private static let eventsPerSecond = 60_000.0

  private func cost(of kind: MigrationStep.Kind) throws(CairnError) -> Migration.Cost {
    guard kind == .projection else {
      return Migration.Cost(eventCount: 0, seconds: 0, byteCount: 0)
    }
    let head = try log.head().sequence
    var byteCount = 0
    if let number = try servingNumber() {
      byteCount = try SmallFile.byteCount(files.path(of: number)) ?? 0
    }
    return Migration.Cost(
      eventCount: head, seconds: Double(head) / Self.eventsPerSecond, byteCount: byteCount)
  }

  /// The steps by which the rows that there are differ from today's; all where they tell nothing.
  private func lackingSteps() throws(CairnError) -> Set<String> {
    let format: UInt8
    do throws(CairnError) {
      if let generation = try generation() {
        guard try generation.checkpoint().isOutdated(by: schemas.lens(of: log)) else { return [] }
        format = try generation.checkpointFormat()
      } else {
        guard try log.head().sequence > 0 else { return [] }
        format = 0
      }
    } catch  where Self.isDamageOfProjections(error) { format = try unservedFormat() }
    return Set(Migrations.projectionSteps(after: format).map(\.id.description))
  }

  /// The format of the checkpoint in projections that cannot serve; 0 where none can be read.
  private func unservedFormat() throws(CairnError) -> UInt8 {
    guard let number = try servingNumber() else { return 0 }
    do throws(CairnError) {
      let generation = try Generation(number, files: files, writer: nil, create: false)
      defer { generation.environment.close() }
      return try generation.checkpointFormat()
    } catch  where error.code == .missing || Self.isDamageOfProjections(error) { return 0 }
  }

  /// Does the migrations that are pending.
  ///
  /// Opening a store for writing begins with them; this waits until they are done, here or in
  /// another process.
  /// - Parameter progress: Called after each batch of events; returning false stops the work, which
  ///   keeps what it has.
  /// - Throws: `diskFull`, `readOnly`; `aborted` when ``cancelRebuild()`` ended it.
  /// - Complexity: O(events) where a projection is pending, else O(1).
  /// - Note: Blocks the calling thread.
  public func migrate(progress: (RebuildProgress) -> Bool = { _ in true }) throws(CairnError) {
    while true {
      let pending = try migrations().filter { $0.state == .pending }
      guard !pending.isEmpty else { return }
      if pending.contains(where: { $0.kind == .format }) { try log.raiseFormat(wait: patience) }
      guard pending.contains(where: { $0.kind == .projection }) else { continue }
      do throws(CairnError) {
        guard try rebuild(RebuildPlan(reason: .version), progress) != nil else { return }
      } catch  where error.code == .busy { usleep(100_000) }
    }
  }

  /// Finds what is to be taken back: the last migration that is applied.
  /// - Parameter id: Its name; nil for whichever it is.
  /// - Returns: The migration.
  /// - Throws: `conflict` for one that is not the last or cannot be taken back; nothing changes.
  /// - Note: Blocks the calling thread.
  public func migrationToRollBack(_ id: String? = nil) throws(CairnError) -> Migration {
    let all = try migrations()
    if let id, !all.contains(where: { $0.id == id }) {
      throw CairnError(.conflict, "no migration has that name", remedy: .migrations)
    }
    guard let last = all.last(where: { $0.state == .applied }), id == nil || id == last.id else {
      throw CairnError(.conflict, "is not the last one applied", place: id, remedy: .migrations)
    }
    guard last.isReversible else {
      let loss = last.lost.isEmpty ? "nothing would be lost" : last.lost.joined(separator: "; ")
      throw CairnError(
        .conflict, "cannot be taken back by this program; with an older one: \(loss)",
        place: last.id)
    }
    return last
  }
}

extension Migration.Kind {
  init(_ kind: MigrationStep.Kind) {
    switch kind {
    case .upcaster: self = .upcaster
    case .projection: self = .projection
    case .format: self = .format
    case .repair: self = .repair
    }
  }
}
