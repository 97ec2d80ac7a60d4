import Catalog
import EventLog
import Events
import LMDB
import Migrations
import Projections
import Ranking
import Text
import TextIndex
import Timeline

/// One generation of all projections, in one environment.
final class Generation: Sendable {
  static let tables =
    [SharedRows.tableName]
    + (Catalog.tables + TextIndex.tables + Ranking.tables + Timeline.tables).filter {
      $0 != SharedRows.tableName
    }

  let number: UInt64
  let environment: Environment
  let catalog: Catalog
  let text: TextIndex
  let ranking: Ranking
  let timeline: Timeline
  private let checkpoints: Table
  // SAFETY: used inside write transactions only, and those run one at a time on one thread.
  nonisolated(unsafe) let foldContext = FoldContext()

  /// Opens a generation's file.
  ///
  /// - Throws: `.missing` when it is not there and `create` is false.
  init(_ number: UInt64, files: GenerationFiles, writer: WriterThread?, create: Bool)
    throws(StorageError)
  {
    self.number = number
    environment = try Environment.open(
      files.path(of: number),
      Environment.Configuration(
        access: writer == nil ? .readOnly : .readWrite, durability: .deferred, tables: Self.tables,
        writer: writer, create: create))
    if !create { try environment.checkStructureIfSmall() }
    catalog = Catalog(environment)
    text = TextIndex(environment: environment, analyzer: Analyzer())
    ranking = Ranking(environment)
    timeline = Timeline(environment)
    checkpoints = environment[SharedRows.tableName]
  }

  /// How far the generation is; an empty one is at 0.
  func checkpoint(in txn: borrowing ReadTransaction) throws(StorageError) -> Checkpoint {
    guard let row = try txn.get(checkpoints, SharedRows.checkpointKey) else {
      // Earlier versions kept it elsewhere: what they folded must not be folded once more.
      guard try catalog.isEmpty(in: txn) else { throw Checkpoint.unsupported }
      return Checkpoint()
    }
    return try Checkpoint(decoding: row.array())
  }

  /// How far the generation is.
  func checkpoint() throws(StorageError) -> Checkpoint {
    try environment.read { (txn) throws(StorageError) in try self.checkpoint(in: txn) }
  }

  func setCheckpoint(_ checkpoint: Checkpoint, in txn: inout WriteTransaction) throws(StorageError)
  { try txn.put(checkpoints, SharedRows.checkpointKey, checkpoint.encoded()) }

  /// Digest of everything that decides what the rows look like.
  ///
  /// A generation whose digest differs was built by other definitions and is rebuilt.
  static let definition: RowDigest = {
    var hasher = RowHasher(kind: 0)
    hasher.add(Catalog.formatVersion)
    hasher.add(UInt64(TextIndex.formatVersion))
    hasher.add(Ranking.formatVersion)
    hasher.add(Timeline.formatVersion)
    let names = Array(
      (Analyzer.versionString
        + Migrations.upcasters.map { $0.name.description }.joined(separator: " ")).utf8)
    hasher.add(names, names.indices)
    var digest = RowDigest()
    digest.add(hasher)
    return digest
  }()
}

extension Checkpoint {
  /// Whether other definitions built the rows, where there are any.
  var isOutdated: Bool { applied > 0 && definition != Generation.definition }
}
