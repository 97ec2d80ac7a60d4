import EventLog
import Foundation
import TestSupport
import Testing

@testable import Cairn

@Suite struct BackupTests {
  private static func fill(_ store: Store, _ range: Range<Int>) async throws {
    try await store.append(
      range.flatMap { number in
        [
          index("item \(number)", title: "title \(number)", domain: number % 4 == 0 ? "a" : "b"),
          view("item \(number)", at: 1_700_000_000 + Int64(number)),
        ]
      })
  }

  @Test func `a backup restores to an equal store`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await Self.fill(store, 0..<50)
      try store.createSnapshot("fifty")
      let taken = try store.backUp(into: directory + "/backup")
      #expect(taken.sequence == 100)
      let restored = try Store.restore(directory + "/backup", into: directory + "/restored")
      #expect(restored.rootHash == taken.rootHash)
      #expect(restored.purgedCount == 0)
      let other = try Store.open(at: directory + "/restored")
      #expect(try other.digests() == store.digests())
      #expect(try other.snapshots().map(\.name) == ["fifty"])
      #expect(try other.verify(deep: true).problems == [])
      try await Self.fill(other, 50..<60)
      #expect(try other.at().items().count == 60)
      expectError(.badArgument) {
        try store.backUp(into: directory + "/backup")
      }
      other.close()
      store.close()
    }
  }

  @Test func `a backup that cannot be noted is none`() async throws {
    try await withStore { store in
      try await Self.fill(store, 0..<5)
      let notes = "\(store.directory)/copies"
      let backup = store.directory + "-backup"
      // A folder, and a pipe that nobody reads.
      for isPipe in [false, true] {
        let made = unsafe isPipe ? mkfifo(notes, 0o700) : mkdir(notes, 0o700)
        try #require(made == 0)
        expectError(.io) { try store.backUp(into: backup) }
        #expect(!FileManager.default.fileExists(atPath: backup))
        try FileManager.default.removeItem(atPath: notes)
      }
    }
  }

  @Test func `a note that was cut short takes no later one along`() async throws {
    try await withStore { store in
      try await Self.fill(store, 0..<5)
      let note = #"{"created":"2026-11-28T05:37:35Z","sequ"#
      try Data(note.utf8).write(to: URL(filePath: "\(store.directory)/copies"))
      let backups = ["one", "two"].map { "\(store.directory)-\($0)" }
      for backup in backups { _ = try store.backUp(into: backup) }
      #expect(try store.knownCopies().map { $0.directory.suffix(4) } == ["-one", "-two"])
    }
  }

  @Test func `a flipped bit in a note of a copy is told, and hides none`() async throws {
    try await withStore { store in
      try await Self.fill(store, 0..<5)
      _ = try store.backUp(into: "\(store.directory)-one")
      let known = try store.knownCopies()
      let path = URL(filePath: "\(store.directory)/copies")
      let whole = try Data(contentsOf: path)
      #expect(try known.count == 1 && store.verify().problems == [])
      for index in whole.indices {
        var bytes = whole
        bytes[index] ^= 1
        try bytes.write(to: path)
        let problems = try store.verify().problems
        if problems.isEmpty {
          // A name of a key that is not needed.
          #expect(try store.knownCopies() == known, "byte \(index)")
        } else {
          #expect(problems.map(\.place) == ["copies"], "byte \(index)")
          expectError(.corrupt) { try store.planPurge(.item("item 1")) }
        }
      }
    }
  }

  @Test func `a backup knows nothing of what is appended and signed while it is written`()
    async throws
  {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await Self.fill(store, 0..<4_000)
      let others = Task {
        var count = 0
        while !Task.isCancelled {
          count += 1
          try await store.append(view("item \(count % 4_000)", at: 1_700_010_000 + Int64(count)))
          _ = try store.checkpoint()
        }
      }
      for number in 0..<8 {
        _ = try store.backUp(into: "\(directory)/backup-\(number)")
        _ = try Store.restore("\(directory)/backup-\(number)", into: "\(directory)/\(number)")
      }
      others.cancel()
      try await others.value
      store.close()
    }
  }

  @Test func `what was purged since is purged from the restored store, and stays blocked`()
    async throws
  {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await Self.fill(store, 0..<36)
      try await Self.fill(store, 36..<37)
      try store.createSnapshot("erased")
      let time = try #require(try store.snapshot("erased")?.recorded)
      try await Self.fill(store, 37..<40)
      try store.createSnapshot("forty")
      _ = try store.backUp(into: directory + "/backup")
      _ = try store.purge(.domain("a"), blocking: true)
      let report = try Store.restore(
        directory + "/backup", into: directory + "/restored", original: store)
      #expect(report.purgedCount == 20)
      let other = try Store.open(at: directory + "/restored")
      #expect(try other.at().items().count == 30)
      #expect(try other.snapshot("forty")?.itemCount == 30)
      #expect(try other.snapshots() == store.snapshots())
      #expect(try other.digests() == store.digests())
      let refused = index("item 0", title: "again", domain: "a.x")
      #expect(try await other.append([refused]).rejectedCount == 1)
      #expect(try other.log.root(at: 80) == store.log.root(at: 80))
      other.close()
      let bytes = FileManager.default.contents(atPath: directory + "/restored/log.mdb")
      #expect(bytes?.range(of: Data("title 36".utf8)) == nil)
      #expect(bytes?.range(of: Data("title 37".utf8)) != nil)
      var row = ByteWriter()
      row.appendBigEndian(UInt64(bitPattern: time.seconds))
      row.appendBigEndian(time.nanoseconds)
      let erased = Data(row.array())
      #expect(bytes?.range(of: erased) == nil)
      store.close()
    }
  }

  @Test func `a backup that ends before a signed checkpoint is refused`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await Self.fill(store, 0..<5)
      _ = try store.backUp(into: directory + "/backup")
      try await Self.fill(store, 5..<6)
      let seen = try store.checkpoint().text
      expectError(.notVerified) {
        try Store.restore(directory + "/backup", into: directory + "/x", original: store)
      }
      expectError(.notVerified) {
        try Store.restore(directory + "/backup", into: directory + "/x", checkpoint: seen)
      }
      #expect(!FileManager.default.fileExists(atPath: directory + "/x"))
      let report = try Store.restore(
        directory + "/backup", into: directory + "/x", original: store, acceptsLoss: true)
      #expect(report.sequence == 10)
      store.close()
    }
  }

  @Test func `a damaged backup is refused and named`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await Self.fill(store, 0..<50)
      _ = try store.backUp(into: directory + "/backup")
      store.close()
      let path = directory + "/backup/log.mdb"
      var bytes = try #require(FileManager.default.contents(atPath: path))
      let place = try #require(bytes.range(of: Data("title 33".utf8)))
      bytes[place.lowerBound] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      expectError(.notVerified) {
        try Store.restore(directory + "/backup", into: directory + "/restored")
      }
      #expect(!FileManager.default.fileExists(atPath: directory + "/restored"))
    }
  }
}
