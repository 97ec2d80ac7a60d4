import Foundation
import TestSupport
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
    try #require(Program.output(of: ["sh", "-c", script]) != nil, "\(script)")
  }

  /// A database of SQLite that a script fills.
  static func database(_ name: String, _ script: String) throws -> String {
    let path = try file(name, Data())
    let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    try #require(Program.output(of: ["python3", "-c", program, path, script]) != nil)
    return path
  }

  static func file(_ name: String, _ text: String) throws -> String {
    try file(name, Data(text.utf8))
  }
}
