import Cryptography
import Foundation
import Testing

/// Steps between versions are never changed once they are there.
@Suite struct `The folder Migrations` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let folder = root.appending(path: "Migrations")

  private static func steps() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.first?.isNumber == true && $0.hasSuffix(".swift")
    }.sorted()
  }

  /// Paths from the root in quotes, as a step lists its fixtures.
  private static func fixtures(of step: String) throws -> [String] {
    let text = try String(contentsOf: folder.appending(path: step), encoding: .utf8)
    return text.split(separator: "\"").map(String.init).filter {
      $0.hasPrefix("Tests/") || $0.hasPrefix("Migrations/Stores/")
    }
  }

  private static func digest(_ path: String) throws -> String {
    let data = try Data(contentsOf: root.appending(path: path))
    return SHA256.hash(Array(data)).bytes.map { String(format: "%02x", $0) }.joined()
  }

  @Test func `keeps every step and fixture that DIGESTS lists as it was`() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "DIGESTS"), encoding: .utf8)
    var listed: Set<String> = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      try #require(parts.count == 2, "\(line)")
      #expect(
        try Self.digest(parts[1]) == parts[0],
        "\(parts[1]) is a step that stores were brought up by: add a new step instead")
      listed.insert(parts[1])
    }
    for step in try Self.steps() {
      let name = "Migrations/\(step)"
      #expect(listed.contains(name), "\(name) is not in DIGESTS; run: make migrationdigests")
      let fixtures = try Self.fixtures(of: step)
      #expect(!fixtures.isEmpty, "\(name) has no fixture")
      for fixture in fixtures { #expect(listed.contains(fixture), "\(fixture) is not in DIGESTS") }
    }
  }

  @Test func `numbers its steps without gaps and lists each once`() throws {
    let steps = try Self.steps()
    for (index, step) in steps.enumerated() { #expect(Int(step.prefix(4)) == index + 1) }
    let list = try String(
      contentsOf: Self.folder.appending(path: "Migrations.swift"), encoding: .utf8)
    #expect(list.components(separatedBy: ".step,").count - 1 == steps.count)
  }

  @Test func `says of each step in its README what it is`() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    for step in try Self.steps() { #expect(text.contains("`\(step.dropLast(6))`"), "\(step)") }
  }
}
