import Cairn
import Foundation
import Synchronization
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

  @Test func `lines of many that come together are told each once, when they can be read`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "runs").path
    let journal = try RunJournal(path: path)
    let told = Told()
    DispatchQueue.concurrentPerform(iterations: 8) { place in
      for number in 1...50 as ClosedRange<UInt64> {
        let sequence = UInt64(place) * 100 + number
        told.wait(for: sequence) { tell in
          journal.note(sequence, length: Int64(sequence)) { result in
            let isThere = (try? RunLines.lengths(path))?[sequence] == Int64(sequence)
            tell((try? result.get()) != nil && isThere)
          }
        }
      }
    }
    #expect(told.good.withLock { $0 } == 400)
  }

  @Test func `no line goes to a file that could not be made anew`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "runs").path
    let journal = try RunJournal(path: path)
    try journal.note(1, length: 1)
    // In its way, as a full disk is.
    let obstacle = folder.appending(path: "runs.new")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
    #expect(throws: CairnError.self) { try journal.compact([1: 1]) }
    #expect(throws: CairnError.self) { try journal.note(2, length: 2) }
    try FileManager.default.removeItem(at: obstacle)
    try journal.note(2, length: 3)
    #expect(try RunLines.lengths(path) == [2: 3])
    #expect(journal.wasCut(by: try journal.mark()))
    #expect(try journal.takeLengths() == [2: 3])
    #expect(!journal.wasCut(by: try journal.mark()))
  }

  /// How many were told, and that they came well.
  private final class Told: Sendable {
    let good = Mutex(0)

    func wait(for sequence: UInt64, _ body: (@escaping @Sendable (Bool) -> Void) -> Void) {
      let isTold = DispatchSemaphore(value: 0)
      body { [self] isGood in
        if isGood { good.withLock { $0 += 1 } }
        isTold.signal()
      }
      isTold.wait()
    }
  }
}
