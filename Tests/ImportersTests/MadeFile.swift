import Foundation
import Testing

/// Files that tests make up.
enum MadeFile {
  static func file(_ name: String, _ bytes: Data) throws -> String {
    let folder = ImportedHistory.scratch + "-files/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/" + name
    try bytes.write(to: URL(filePath: path))
    return path
  }

  static func shell(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(script)")
  }

  static func database(_ path: String, _ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])", path, script,
    ]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  static func file(_ name: String, _ text: String) throws -> String {
    try file(name, Data(text.utf8))
  }
}
