import LMDB
import TestSupport

@testable import TextIndex

extension TestDirectory {
  /// A fresh environment with the table `rows` and, if wanted, others.
  func environment(
    _ name: String = "data.mdb", tables: [TableName] = TextIndex.tables,
    durability: Environment.Configuration.Durability = .deferred, mapByteCount: Int = 8 << 30
  ) throws(CairnError) -> Environment {
    try Environment.open(
      file(name),
      .init(durability: durability, tables: tables, mapByteCount: mapByteCount, create: true))
  }
}
