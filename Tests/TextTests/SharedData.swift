import Foundation

/// The real data beside the checkout; tests that need it are skipped where it is absent.
enum SharedData {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/data")

  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: path).path)
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  static func lines(_ path: String) throws -> [String] {
    String(decoding: try bytes(path), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }

  static func json<Row: Decodable>(_ path: String, _ type: Row.Type) throws -> [Row] {
    let decoder = JSONDecoder()
    return try bytes(path).split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(type, from: Data($0))
    }
  }

  /// The content of a .zst file, or nil when `zstd` cannot be run.
  static func decompressed(_ path: String) -> [UInt8]? {
    output(of: ["zstd", "-dcq", folder.appending(path: path).path])
  }

  /// The bytes a command prints, or nil when it cannot be run.
  static func output(of command: [String], input: String? = nil) -> [UInt8]? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let script = FileManager.default.temporaryDirectory
      .appending(path: "text-tests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: script) }
    do {
      if let input {
        try Data(input.utf8).write(to: script)
        process.standardInput = try FileHandle(forReadingFrom: script)
      }
      try process.run()
    } catch {
      return nil
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? [UInt8](bytes) : nil
  }
}

/// Random numbers that a printed seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
