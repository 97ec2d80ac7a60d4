package import LMDB
package import Projections
import TestSupport

/// A projection alone in a file of its own, deleted afterwards.
package final class ProjectionStore<Folded: DerivedProjection> {
  package let environment: Environment
  package let projection: Folded
  private let directory = TestDirectory()
  private var checkpoint = Checkpoint()

  package init() throws {
    environment = try Environment.open(
      directory.file("projection.mdb"),
      Environment.Configuration(
        access: .readWrite, durability: .deferred, tables: [SharedRows.tableName] + Folded.tables,
        writer: WriterThread(name: "projection-test"), create: true))
    projection = Folded(environment)
  }

  deinit { environment.close() }

  /// The digest that the folds kept.
  package var digest: RowDigest { checkpoint[Folded.name] }

  package func fold(_ events: [ResolvedEvent]) throws {
    let (projection, before) = (projection, checkpoint)
    let batch = Self.batch(events, through: events.last?.sequence ?? before.applied)
    checkpoint = try environment.write { (txn) throws(CairnError) in
      var after = before
      after.applied = batch.through
      try projection.fold(batch, &after, in: &txn)
      return after
    }
  }

  /// Fills this one from another; `kept` are the events that are not erased.
  package func fill(
    from source: ProjectionStore, without erased: [UInt64], kept: [ResolvedEvent]
  ) throws {
    var bounds = source.checkpoint
    (bounds.itemCount, bounds.domainCount) = (MadeUpEvents.itemCount, MadeUpEvents.itemCount)
    var erasure = Erasure(erased, bounds)
    for event in kept { erasure.keep(item: event.item, domain: event.domain) }
    let left = Self.batch(kept, through: bounds.applied)
    let copy = GenerationCopy(
      of: source.environment, through: RowWriter(environment), without: erasure,
      erasesUse: !erased.isEmpty, names: MadeUpNames(),
      replay: { (_, body) throws(CairnError) in try body(left) })
    let (projection, before) = (projection, source.checkpoint)
    checkpoint = try source.environment.read { (txn) throws(CairnError) in
      var after = before
      let rest = try projection.fill(copy, &after, from: txn)
      try copy.writer.finish()
      if let rest { after[Folded.name] = try rest.finish(txn) }
      return after
    }
  }

  package func audit() throws -> RowDigest {
    let projection = projection
    return try environment.read { (txn) throws(CairnError) in
      try projection.audit(MadeUpNames(), in: txn)
    }
  }

  private static func batch(_ events: [ResolvedEvent], through last: UInt64) -> ResolvedBatch {
    ResolvedBatch(
      through: last, events: [], layouts: [], resolved: events, learning: [], contents: [],
      past: NoPast())
  }
}

/// Nothing is known of earlier batches.
struct NoPast: FoldedPast {
  func since(of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction) -> UInt64 {
    0
  }
  func forEachUse(
    from first: UInt64, through last: UInt64, in txn: borrowing ReadTransaction,
    _ body: (ResolvedEvent) -> Void
  ) {}
}
