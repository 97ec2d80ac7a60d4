package import Foundation

/// Other programs that tests run.
package enum Program {
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
