package import Foundation
import Testing

/// Real data with oracles that may stand next to the checkout; tests that need it are skipped
/// where it does not.
package enum SharedData {
  package static let folder = Checkout.root.deletingLastPathComponent().appending(
    path: "shared/data")
  private static let canUnpack = Program.output(of: ["zstd", "--version"]) != nil

  /// Whether a file or folder of it is here, and what unpacks it.
  package static func has(_ path: String) -> Bool {
    canUnpack && FileManager.default.fileExists(atPath: folder.appending(path: path).path)
  }

  /// The content of a file, unpacked where its name ends in `.zst`.
  package static func data(_ path: String) throws -> Data {
    let file = folder.appending(path: path)
    guard path.hasSuffix(".zst") else { return try Data(contentsOf: file) }
    return try #require(Program.output(of: ["zstd", "-dcq", "--long=27", file.path]))
  }

  package static func lines(_ path: String) throws -> [String] {
    String(decoding: try data(path), as: UTF8.self).split(whereSeparator: \.isNewline).map(
      String.init)
  }

  package static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: data(path))
  }

  /// One value a line.
  package static func rows<Row: Decodable>(_ path: String, as type: Row.Type) throws -> [Row] {
    let decoder = JSONDecoder()
    return try data(path).split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(type, from: $0)
    }
  }
}
