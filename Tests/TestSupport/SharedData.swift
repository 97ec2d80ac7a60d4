package import Foundation

/// Real data that may stand next to the checkout; tests that need it are skipped where it does not.
package enum SharedData {
  package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "shared/data")

  package static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: path).path)
  }

  package static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: path))
  }

  package static func lines(_ path: String) throws -> [String] {
    String(decoding: try data(path), as: UTF8.self).split(whereSeparator: \.isNewline).map(
      String.init)
  }

  /// One value a line.
  package static func rows<Row: Decodable>(_ data: Data, _ type: Row.Type) throws -> [Row] {
    let decoder = JSONDecoder()
    return try data.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(type, from: $0) }
  }

  /// The content of a .zst file, or nil when `zstd` cannot be run.
  package static func decompressed(_ path: String) -> Data? {
    output(of: ["zstd", "-dcq", folder.appending(path: path).path])
  }

  /// What a command prints, or nil when it cannot be run or fails.
  package static func output(of command: [String], input: String? = nil) -> Data? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let script = FileManager.default.temporaryDirectory.appending(
      path: "test-input-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: script) }
    do {
      if let input {
        try Data(input.utf8).write(to: script)
        process.standardInput = try FileHandle(forReadingFrom: script)
      }
      try process.run()
    } catch { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }
}
