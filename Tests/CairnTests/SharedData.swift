import Foundation

/// Collections with judgements that may stand next to the checkout; tests that need them are
/// skipped where they do not.
enum SharedData {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/data")

  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: path).path)
  }

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: path))
  }

  static func rows<Row: Decodable>(_ data: Data, _ type: Row.Type) throws -> [Row] {
    let decoder = JSONDecoder()
    return try data.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(type, from: $0) }
  }

  /// The content of a .zst file, or nil when `zstd` cannot be run.
  static func decompressed(_ path: String) -> Data? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["zstd", "-dcq", folder.appending(path: path).path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }
}
