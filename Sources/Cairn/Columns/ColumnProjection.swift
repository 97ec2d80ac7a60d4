import Columns
import EventLog
import LMDB
import Projections
import Synchronization

/// The columns of declared attributes as a projection: turns changes of content into values.
///
/// A store without a schema has none.
final class ColumnProjection: DerivedProjection {
  static let name = ProjectionName("columns")
  static let formatVersion = Columns.formatVersion
  static let isCopiedByRebuild = true
  static let tables = Columns.tables
  static let auditedTables = Columns.tables

  let columns: Columns
  /// What the present fold makes older events with.
  let lens = Mutex<SchemaLens?>(nil)
  private let lastLayout = Mutex<(lens: SchemaLens, layout: ColumnLayout)?>(nil)

  init(_ environment: Environment) { columns = Columns(environment) }

  static func addVersion(to hasher: inout RowHasher) { hasher.add(formatVersion) }

  func layout(_ lens: SchemaLens) -> ColumnLayout {
    if let last = lastLayout.withLock({ $0 }), last.lens === lens { return last.layout }
    let layout = ColumnLayout(lens.definition)
    lastLayout.withLock { $0 = (lens, layout) }
    return layout
  }

  func fold(
    _ batch: ResolvedBatch, _ checkpoint: inout Checkpoint, in txn: inout WriteTransaction
  ) throws(CairnError) {
    guard let lens = lens.withLock({ $0 }), !batch.contents.isEmpty else { return }
    let layout = layout(lens)
    guard !layout.columns.isEmpty else { return }
    var changes: [ColumnChange] = []
    changes.reserveCapacity(batch.contents.count)
    // What items show until parts of them end.
    var earlier: [UInt32: [[ColumnContent]]] = [:]
    for change in batch.contents {
      var contents: [ColumnContent] = []
      switch change.content {
      case .removed: break
      case .replaced(let index):
        let payload = batch.events[index].payload
        contents = try layout.contents(
          payload, batch.layouts[index].attributes ?? 0..<0, domain: change.domain, lens)
      case .merged(let map):
        contents = try layout.contents(map, map.indices, domain: change.domain, lens)
        // What changes by itself has to be looked at.
        for other in earlier.removeValue(forKey: change.item) ?? [] {
          for column in contents.indices where other[column] != contents[column] {
            contents[column] = .elsewhere
          }
        }
      case .until(let map, let whole):
        earlier[whole, default: []].append(
          try layout.contents(map, map.indices, domain: change.domain, lens))
        continue
      }
      changes.append(ColumnChange(item: change.item, itemKey: change.itemKey, contents: contents))
    }
    var digest = checkpoint[Self.name]
    try columns.apply(changes, names: layout.columns.map(\.name), &digest, in: &txn)
    checkpoint[Self.name] = digest
  }

  func audit(_ names: any NameKeys, in txn: borrowing ReadTransaction) throws(CairnError)
    -> RowDigest
  { try columns.digest(names, in: txn) }

  func fill(
    _ copy: GenerationCopy, _ checkpoint: inout Checkpoint, from txn: borrowing ReadTransaction
  ) throws(CairnError) -> PendingFill? {
    checkpoint[Self.name] = try columns.fill(copy, checkpoint[Self.name], from: txn)
    return nil
  }
}
