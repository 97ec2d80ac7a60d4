import LMDB
import TestSupport

extension TestDirectory {
  /// A fresh environment with the table `rows` and, if wanted, others.
  func environment(
    _ name: String = "data.mdb", tables: [TableName] = ["rows"],
    durability: Environment.Configuration.Durability = .deferred, mapByteCount: Int = 1 << 30
  ) throws(CairnError) -> Environment {
    try Environment.open(
      file(name),
      .init(durability: durability, tables: tables, mapByteCount: mapByteCount, create: true))
  }
}
