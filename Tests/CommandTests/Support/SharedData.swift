import Cryptography
import Foundation
import Testing

/// Real data with oracles that may stand next to the checkout; suites that need it are skipped
/// where it does not.
enum SharedData {
  static let folder = Checkout.root.deletingLastPathComponent().appending(path: "shared/data")

  /// Whether a folder of it is here, and what unpacks it.
  static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
      && ["/usr/bin/zstd", "/usr/local/bin/zstd", "/bin/zstd"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
      }
  }

  static func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The unpacked bytes of a `.zst` file.
  static func unpacked(_ name: String) throws -> Data {
    let result = try Shell.run("zstd", "-dcq", "--long=27", path(name))
    try #require(result.status == 0, "zstd: \(result.errors)")
    return result.output
  }

  /// The unpacked lines of a `.zst` file.
  static func lines(_ name: String) throws -> [Data] {
    try unpacked(name).split(separator: 0x0A).map { Data($0) }
  }

  /// Every fifth point of an oracle, the last one among them; all with `CAIRN_POINTS=all`.
  static func points<Point>(_ all: [Point]) -> [Point] {
    guard ProcessInfo.processInfo.environment["CAIRN_POINTS"] != "all" else { return all }
    return all.indices.filter { (all.count - 1 - $0) % 5 == 0 }.map { all[$0] }
  }

  static func json<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: name)))
  }
}

/// Lower-case SHA-256, as the oracles write it.
func sha256(_ text: String) -> String {
  SHA256.hash(Array(text.utf8)).bytes.map { String(format: "%02x", $0) }.joined()
}

/// The digest of the ids in byte order, a newline after each.
func digest(ofIDs ids: some Sequence<String>) -> String {
  sha256(inByteOrder(ids).map { $0 + "\n" }.joined())
}

/// Sorted by UTF-8 bytes (Swift's own order is another one).
func inByteOrder(_ strings: some Sequence<String>) -> [String] {
  strings.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}
