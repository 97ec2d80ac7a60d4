import Foundation
import LMDB

@testable import TextIndex

/// A directory of its own for one test, removed when the test lets go.
final class ScratchDirectory: Sendable {
  let path: String

  init() {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("text-index-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// A fresh environment with the table `rows` and, if wanted, others.
  func environment(
    _ name: String = "data.mdb",
    tables: [TableName] = TextIndex.tables,
    durability: Environment.Configuration.Durability = .deferred,
    mapByteCount: Int = 8 << 30
  ) throws(StorageError) -> Environment {
    try Environment.open(
      file(name),
      .init(
        durability: durability,
        tables: tables,
        mapByteCount: mapByteCount,
        create: true
      )
    )
  }
}

/// Repeatable randomness (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
