import Catalog
import EventLog
import Events
import LMDB
import Projections
import TestSupport

/// A log and a catalog of it in a directory of their own, deleted afterwards.
final class CatalogStore {
  let log: EventLog
  let environment: Environment
  let catalog: Catalog
  private(set) var checkpoint = Checkpoint()
  private let directory = TestDirectory()

  init() throws {
    log = try EventLog.open(
      directory: directory.file("log"), access: .readWrite, create: true,
      writer: WriterThread(name: "log-test"))
    environment = try Environment.open(
      directory.file("catalog.mdb"),
      Environment.Configuration(
        access: .readWrite, durability: .deferred, tables: Catalog.tables,
        writer: WriterThread(name: "catalog-test"), create: true))
    catalog = Catalog(environment)
  }

  deinit {
    environment.close()
    log.close()
  }

  /// Appends events without folding them.
  func append(_ events: [Event]) throws {
    for event in events { _ = try log.append([try event.encoded()]) }
  }

  /// Folds what another store's log, or this one's, has, in batches; gives what was resolved.
  @discardableResult func fold(
    of log: EventLog? = nil, batchCount: Int = .max, without erased: Set<UInt64> = []
  ) throws -> [ResolvedEvent] {
    let log = log ?? self.log
    var events: [StoredEvent] = []
    try log.read(from: checkpoint.applied + 1) { (event) throws(CairnError) in
      if !erased.contains(event.sequence) { events.append(copy event) }
      return true
    }
    var resolved: [ResolvedEvent] = []
    var place = 0
    while place < events.count {
      let batch = events[place..<events.count].prefix(batchCount)
      place += batch.count
      resolved += try fold(Array(batch), log)
    }
    checkpoint.applied = try log.head().sequence
    return resolved
  }

  private func fold(_ events: [StoredEvent], _ log: EventLog) throws -> [ResolvedEvent] {
    let layouts = try events.map { try EventLayout($0.payload) }
    let (catalog, before) = (catalog, checkpoint)
    let folded = try environment.write { (txn) throws(CairnError) in
      var fold = CatalogFold(catalog: catalog, log: log, checkpoint: before)
      try fold.lookUp(events, layouts, in: txn.reader)
      for (index, event) in events.enumerated() {
        try fold.fold(event, layouts[index], index: index, in: &txn)
      }
      try fold.flush(in: &txn)
      return (fold.checkpoint, fold.resolved)
    }
    checkpoint = folded.0
    return folded.1
  }

  /// What is there as of a sequence: domains by item, the empty name for none.
  func present(asOf sequence: UInt64 = .max) throws -> [String: String] {
    try environment.read { (txn) throws(CairnError) in
      var found: [String: String] = [:]
      try catalog.forEachState(asOf: sequence, in: txn) { (item, _, state) throws(CairnError) in
        guard state.isPresent else { return }
        let name = String(decoding: try catalog.name(of: item, in: txn), as: UTF8.self)
        found[name] = try catalog.domainText(state.domain, in: txn) ?? ""
      }
      return found
    }
  }

  func audit() throws -> RowDigest {
    try environment.read { (txn) throws(CairnError) in
      try CatalogAudit(catalog, in: txn).digest
    }
  }

  /// Fills this catalog with another's, without events; false where only a fold can tell.
  func fill(from source: CatalogStore, without erased: [UInt64], kept: [ResolvedEvent]) throws
    -> Bool
  {
    var erasure = Erasure(erased, source.checkpoint)
    for event in kept { erasure.keep(item: event.item, domain: event.domain) }
    let (target, before, without) = (catalog, source.checkpoint, erasure)
    let writer = RowWriter(environment)
    let filled = try source.environment.read { (txn) throws(CairnError) in
      var after = before
      let names = try CatalogNames(source.catalog, in: txn)
      let isWhole = try source.catalog.copy(
        to: target, through: writer, without: without, names, &after, from: txn)
      return (isWhole, after)
    }
    try writer.finish()
    checkpoint = filled.1
    return filled.0
  }
}
