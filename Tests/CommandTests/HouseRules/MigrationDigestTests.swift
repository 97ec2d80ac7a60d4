import Cryptography
import Foundation
import TestSupport
import Testing
import Values

/// Steps between versions are never changed once they are there.
@Suite struct `The folder Migrations` {
  private static let folder = Checkout.root.appending(path: "Migrations")

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
    let data = try Data(contentsOf: Checkout.root.appending(path: path))
    return Hexadecimal.text(SHA256.hash(Array(data)).bytes)
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

  /// A copy of what a new step is written into.
  private static func checkout() throws -> URL {
    let copy = URL(filePath: Scratch.path("checkout"))
    let fixtures = ["Tests/EventsTests/Golden", "Tests/EventLogTests/Golden"]
    for name in ["Migrations", "Tools/migration"] + fixtures {
      let target = copy.appending(path: name)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Checkout.root.appending(path: name), to: target)
    }
    return copy
  }

  @Test(arguments: ["upcaster", "projection", "format", "repair"])
  func `takes a new step of each kind`(_ kind: String) throws {
    let copy = try Self.checkout()
    let program = copy.path + "/Tools/migration/new"
    let result = try Shell.run("bash", program, "titles_lose_blanks", kind)
    #expect(result.status == 0, "\(result.errors)")
    let id = String(format: "%04d", try Self.steps().count + 1) + "_titles_lose_blanks"
    for (name, text) in [
      ("\(id).swift", "kind: .\(kind), since: \""),
      ("Migrations.swift", "    TitlesLoseBlanks.step,\n"),
      ("README.md", "| `\(id)` | \(kind) | "),
    ] {
      let file = copy.appending(path: "Migrations/\(name)")
      #expect(try String(contentsOf: file, encoding: .utf8).contains(text), "\(name)")
    }
    let golden = copy.appending(path: "Tests/EventsTests/Golden/\(id).txt")
    #expect(FileManager.default.fileExists(atPath: golden.path) == (kind == "upcaster"))
    guard ["upcaster", "format"].contains(kind) else { return }
    let step = copy.appending(path: "Migrations/\(id).swift")
    let written = try String(contentsOf: step, encoding: .utf8)
      .replacing(#"what: """#, with: #"what: "It does.""#)
      .replacing(#"why: """#, with: #"why: "It must.""#)
    try Data(written.utf8).write(to: step)
    let digests = try Shell.run("bash", copy.path + "/Tools/migration/digests")
    let missing = kind == "format" ? "which log format it makes" : "what payloads become"
    #expect(digests.status == 65 && digests.errors.contains(missing), "\(digests)")
  }

  @Test func `adds to a list of upcasters that takes several lines`() throws {
    let copy = try Self.checkout()
    let list = copy.appending(path: "Migrations/Migrations.swift")
    let before = try String(contentsOf: list, encoding: .utf8)
    let broken = before.replacing(
      "[KeywordsBecomeArrays()]", with: "[\n    KeywordsBecomeArrays(), Another(),\n  ]")
    #expect(broken != before)
    try Data(broken.utf8).write(to: list)
    let program = copy.path + "/Tools/migration/new"
    #expect(try Shell.run("bash", program, "titles_lose_blanks", "upcaster").status == 0)
    let parts = try String(contentsOf: list, encoding: .utf8)
      .components(separatedBy: "let upcasters")
    #expect(parts.map { $0.contains("    TitlesLoseBlanks.step,\n  ]") } == [true, false])
    #expect(parts.map { $0.contains("    TitlesLoseBlanks(),\n  ]") } == [false, true])
  }

  @Test(arguments: ["upcaster", "projection"])
  func `takes no digest of a step that is not written yet`(_ kind: String) throws {
    let copy = try Self.checkout()
    let digests = copy.appending(path: "Migrations/DIGESTS")
    let before = try String(contentsOf: digests, encoding: .utf8)
    let tools = copy.path + "/Tools/migration"
    #expect(try Shell.run("bash", tools + "/digests").status == 0)
    #expect(try Shell.run("bash", tools + "/new", "titles_lose_blanks", kind).status == 0)
    let result = try Shell.run("bash", tools + "/digests")
    #expect(result.status == 65 && result.errors.contains("titles_lose_blanks"), "\(result)")
    #expect(try String(contentsOf: digests, encoding: .utf8) == before)
  }
}
