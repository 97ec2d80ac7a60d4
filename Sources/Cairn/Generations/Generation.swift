import Catalog
import EventLog
import LMDB
import Migrations
import Projections
import Ranking
import Synchronization
import TextIndex
import Timeline

final class Generation: Sendable {
  let number: UInt64
  let environment: Environment
  /// The projections that fold what the catalog resolves, as ``derived`` lists them.
  let projections: [any DerivedProjection]
  /// Those that are asked, by their types.
  let catalog: Catalog
  let textProjection: TextProjection
  let ranking: Ranking
  let timeline: Timeline
  let columnProjection: ColumnProjection
  /// Projections that a build does not fold: their rows are copied in the end.
  let leftOut: Set<ProjectionName>
  /// Whether old versions stay whatever the log's horizon is, to look at points before it.
  let keepsPast: Bool
  /// What was last compared with the log, which spares each fold a look into the tree.
  private let compared = Mutex<Checkpoint?>(nil)
  let schemas = SchemaCache()
  let pastQueries = PastQueries()
  /// What makes events those of a schema that is to be recorded.
  private let proposed = Mutex<SchemaLens?>(nil)
  var text: TextIndex { textProjection.index }

  /// Opens a generation's file.
  /// - Throws: `.missing` when it is not there and `create` is false.
  init(
    _ number: UInt64, files: GenerationFiles, writer: WriterThread?, create: Bool,
    leavingOut leftOut: Set<ProjectionName> = [], keepingPast keepsPast: Bool = false
  ) throws(CairnError) {
    self.number = number
    self.leftOut = leftOut
    self.keepsPast = keepsPast
    environment = try Environment.open(
      files.path(of: number),
      Environment.Configuration(
        access: writer == nil ? .readOnly : .readWrite, durability: .deferred, tables: Self.tables,
        writer: writer, create: create))
    if !create { try environment.checkStructureIfSmall() }
    let environment = self.environment
    catalog = Catalog(environment)
    projections = Self.derived.map { $0.init(environment) }
    textProjection = Self.one(of: projections) ?? TextProjection(environment)
    ranking = Self.one(of: projections) ?? Ranking(environment)
    timeline = Self.one(of: projections) ?? Timeline(environment)
    columnProjection = Self.one(of: projections) ?? ColumnProjection(environment)
  }

  private static func one<Asked>(of projections: [any DerivedProjection]) -> Asked? {
    projections.lazy.compactMap { $0 as? Asked }.first
  }

  /// How far the generation is; an empty one is at 0.
  func checkpoint(in txn: borrowing ReadTransaction) throws(CairnError) -> Checkpoint {
    if let checkpoint = try SharedRows.checkpoint(environment, in: txn) { return checkpoint }
    // Earlier versions kept it elsewhere: what they folded must not be folded once more.
    guard try catalog.isEmpty(in: txn) else { throw Checkpoint.unsupported }
    return Checkpoint()
  }

  func checkpoint() throws(CairnError) -> Checkpoint {
    try environment.read { (txn) throws(CairnError) in try self.checkpoint(in: txn) }
  }

  /// The format of its checkpoint, whichever version wrote it; 0 where there is none.
  func checkpointFormat() throws(CairnError) -> UInt8 {
    try environment.read { (txn) throws(CairnError) in
      try SharedRows.checkpointFormat(environment, in: txn)
    }
  }

  func setCheckpoint(_ checkpoint: Checkpoint, in txn: inout WriteTransaction) throws(CairnError) {
    try txn.put(environment[SharedRows.tableName], SharedRows.checkpointKey, checkpoint.encoded())
  }

  /// Whether the rows were made of a log: of its events up to where they are, without what its last
  /// purge erased.
  /// - Complexity: O(log events).
  func isMade(of log: EventLog, at checkpoint: Checkpoint) throws(CairnError) -> Bool {
    guard checkpoint.applied > 0 else { return true }
    guard checkpoint.applied <= (try log.head().sequence) else { return false }
    guard let state = checkpoint.log else { return true }
    do throws(CairnError) {
      guard try log.root(at: checkpoint.applied) == state.root else { return false }
    } catch  where error.code == .corrupt {
      // A damaged log is told by whoever reads it.
      return true
    }
    guard try log.lastErasure() == state.erasure else { return false }
    note(checkpoint)
    return true
  }

  /// Shapes events by a schema that is yet to be recorded; nil: by the one in force.
  func propose(_ lens: SchemaLens?) { proposed.withLock { $0 = lens } }

  /// What makes events those of the schema that rows are made by.
  func lens(of log: EventLog) throws(CairnError) -> SchemaLens? {
    if let lens = proposed.withLock({ $0 }) { return lens }
    return try schemas.lens(of: log)
  }

  /// Whether it is the generation of a number, and not one that was deleted and made anew.
  func serves(as number: UInt64) -> Bool { self.number == number && !environment.isReplaced }

  /// Whether that was found out before.
  func isCompared(_ checkpoint: Checkpoint) -> Bool {
    compared.withLock { $0?.applied == checkpoint.applied && $0?.log == checkpoint.log }
  }

  /// Notes that the rows were made of the log.
  func note(_ checkpoint: Checkpoint) { compared.withLock { $0 = checkpoint } }

  /// What is thrown for rows that were not.
  var isOfAnotherLog: CairnError {
    CairnError(
      .corrupt, "was made of another log, or of another state of this one",
      place: "view-\(number).mdb", remedy: .rebuild)
  }

  /// The definition that a fold into this generation writes: that of another one while it lacks
  /// projections, so that nothing takes it for complete.
  func foldedDefinition(by lens: SchemaLens?) -> RowDigest {
    guard !leftOut.isEmpty else { return Self.definition(by: lens) }
    var hasher = RowHasher(kind: 1)
    for name in Self.names where leftOut.contains(name) { hasher.add(name.text) }
    var digest = Self.definition(by: lens)
    digest.add(hasher)
    return digest
  }

  /// Digest of everything that decides what the rows look like.
  ///
  /// A generation whose digest differs was built by other definitions and is rebuilt.
  static func definition(by lens: SchemaLens?) -> RowDigest {
    guard let lens, !lens.shapeName.isEmpty else { return definition }
    var digest = definition
    var hasher = RowHasher(kind: 3)
    hasher.add(lens.shapeName)
    digest.add(hasher)
    return digest
  }

  /// The part of it that no schema changes.
  private static let definition: RowDigest = {
    var hasher = RowHasher(kind: 0)
    for projection in projections {
      hasher.add(projection.name.text)
      projection.addVersion(to: &hasher)
    }
    hasher.add(Migrations.upcasters.map { $0.name.description }.joined(separator: " "))
    var digest = RowDigest()
    digest.add(hasher)
    return digest
  }()
}

extension Checkpoint {
  /// Whether other definitions built the rows, where there are any.
  func isOutdated(by lens: SchemaLens?) -> Bool {
    applied > 0 && (definition != Generation.definition(by: lens) || log == nil)
  }
}
