import Foundation
import LMDB

/// A directory of its own for one test, removed when the test lets go.
final class ScratchDirectory: Sendable {
  let path: String

  init() {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent("lmdb-\(UUID().uuidString)")
      .path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// A fresh environment with the table `rows` and, if wanted, others.
  func environment(
    _ name: String = "data.mdb", tables: [TableName] = ["rows"],
    durability: Environment.Configuration.Durability = .deferred, mapByteCount: Int = 1 << 30
  ) throws(StorageError) -> Environment {
    try Environment.open(
      file(name),
      .init(durability: durability, tables: tables, mapByteCount: mapByteCount, create: true))
  }
}
