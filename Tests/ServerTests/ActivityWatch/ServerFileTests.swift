import Cairn
import Foundation
import Testing

@testable import CairnServer

/// What a server that was killed left in its files.
@Suite struct ServerFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "files-\(UUID().uuidString)")

  @Test func `a purge takes what a killed server left, and nothing of one that runs`() throws {
    let server = try TestServer()
    #expect(
      try server.ask("POST", "/api/v1/events", body: #"{"kind":"view","item":"a"}"#).status == 200)
    let scratch = server.directory + "/serve.scratch"
    try FileManager.default.createDirectory(
      atPath: scratch + "/cairn-import-x", withIntermediateDirectories: true)
    try Data("canary".utf8).write(to: URL(filePath: scratch + "/cairn-import-x/copy"))
    let other = try Store.open(at: server.directory)
    defer { other.close() }
    _ = try #require(try other.purge(.item("a")))
    #expect(FileManager.default.fileExists(atPath: scratch + "/cairn-import-x/copy"))
    server.server.stop()
    try other.appendBlocking([Event(kind: .view, item: "a")])
    _ = try #require(try other.purge(.item("a")))
    #expect(!FileManager.default.fileExists(atPath: scratch))
  }

  @Test(arguments: ["", "7 100", "7", "7 ", "7 1000000 "])
  func `what a power cut left of a line takes no other along`(cut: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "runs")
    for room in ["", "          \n", "\n"] {
      try Data("3 10\n5 20\n\(cut)\(room)".utf8).write(to: path)
      let journal = try RunJournal(path: path.path)
      let found = try journal.lengths()
      #expect(found[3] == 10 && found[5] == 20)
      try journal.note(9, length: 40)
      try journal.note(10, length: 50)
      let lengths = try RunLines.lengths(path.path)
      #expect(lengths[9] == 40 && lengths[10] == 50 && lengths[5] == 20)
      let lines = try RunLines.read(path.path)
      RunLines.forEach(in: lines) { line, _ in #expect(line != .malformed || cut == "7") }
    }
  }
}
