import Foundation
import TestSupport

/// Published vectors beside the checkout; tests that need them are skipped where they are absent.
enum MerkleVectors {
  static let merkle = SharedData.folder.appending(path: "merkle-notes")
  static let isPresent = SharedData.has("merkle-notes")

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try SharedData.data("merkle-notes/" + path))
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// Paths of all JSON files below a folder of `merkle-notes`, in a fixed order.
  static func vectors(_ path: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: merkle.appending(path: path).path())
    return (names?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".json") }.sorted().map
    { path + "/" + $0 }
  }

  static func decode<T: Decodable>(_ type: T.Type, _ path: String) throws -> T {
    try SharedData.json("merkle-notes/" + path, as: type)
  }
}
