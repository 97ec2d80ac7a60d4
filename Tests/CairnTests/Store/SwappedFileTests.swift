import Cairn
import Foundation
import LMDB
import Projections
import TestSupport
import Testing

/// Files of a store that were put back from an older copy of it, or taken from another store: the
/// projections are those of the log that is there, or are folded anew.
@Suite struct SwappedFileTests {
  private static let files = FileManager.default

  /// The files that may be swapped; every projection file is one, whatever its number.
  private enum Part: CaseIterable {
    case log, view, current

    func names(in directory: String) throws -> [String] {
      try files.contentsOfDirectory(atPath: directory).filter { name in
        switch self {
        case .log: name == "log.mdb"
        case .view: name.hasPrefix("view-") && name.hasSuffix(".mdb")
        case .current: name == "CURRENT"
        }
      }
    }
  }

  private static func events(_ range: Range<Int>, _ word: String) -> [Event] {
    range.flatMap { number in
      [
        index("\(word)-\(number)", title: "\(word) \(number)", domain: "d\(number % 3)"),
        view("\(word)-\(number)", at: 1_700_000_000 + Int64(number)),
      ]
    }
  }

  /// Every part and every pair of parts.
  private static let choices: [[Part]] = [
    [.log], [.view], [.current], [.log, .view], [.log, .current], [.view, .current],
  ]

  /// Puts parts of one store's files in the place of another's.
  private static func swap(_ parts: [Part], from source: String, into target: String) throws {
    for part in parts {
      for name in try part.names(in: source) {
        // Another file, as a restore makes it, not the same one with other bytes.
        try? files.removeItem(atPath: "\(target)/\(name)")
        try files.copyItem(atPath: "\(source)/\(name)", toPath: "\(target)/\(name)")
      }
    }
    for name in try files.contentsOfDirectory(atPath: target) where name.hasSuffix("-lock") {
      try files.removeItem(atPath: "\(target)/\(name)")
    }
  }

  /// Opens a store and holds everything it says against its log.
  private static func check(_ path: String, _ access: Store.Access, _ what: String) throws {
    let store = try Store.open(at: path, access: access)
    defer { store.close() }
    #expect(try store.verify(deep: true).problems.isEmpty, "\(what)")
    let statistics = try store.at().statistics()
    #expect(statistics.head == (try store.verify().treeSize), "\(what)")
    #expect(statistics.projections.allSatisfy { $0.lag == 0 }, "\(what)")
    let events = try store.events()
    let items = Set(events.compactMap(\.event.item))
    #expect(Set(try store.at().items().map(\.id)) == items, "\(what)")
    for item in items {
      let number = String(item.split(separator: "-")[1])
      var request = SearchRequest(item.replacing("-", with: " "))
      request.isExact = true
      #expect(try store.at().search(request).map(\.item) == [item], "\(what), \(number)")
    }
  }

  /// Swaps all choices of files between two stores, both ways of opening, and goes on appending.
  private func swapAll(
    _ name: String, from source: String, into target: String, in directory: String
  ) throws {
    for (number, parts) in Self.choices.enumerated() {
      for access in [Store.Access.readOnly, .readWrite] {
        let path = "\(directory)/swapped-\(number)-\(access)"
        try Self.files.copyItem(atPath: target, toPath: path)
        try Self.swap(parts, from: source, into: path)
        try Self.check(path, access, "\(parts) of \(name), \(access)")
        let store = try Store.open(at: path)
        try store.appendBlocking(Self.events(500..<503, "late"))
        store.close()
        try Self.check(path, .readOnly, "\(parts) of \(name), \(access), appended")
        try Self.files.removeItem(atPath: path)
      }
    }
  }

  @Test func `an older copy of the same store`() async throws {
    try await withDirectory { directory in
      let (path, copy) = (directory + "/store", directory + "/older")
      var store = try Store.open(at: path)
      try store.appendBlocking(Self.events(0..<10, "old"))
      store.close()
      try Self.files.copyItem(atPath: path, toPath: copy)
      store = try Store.open(at: path)
      try store.appendBlocking(Self.events(10..<20, "new"))
      store.close()
      try swapAll("an older copy", from: copy, into: path, in: directory)
      // With another generation serving since, and both files there.
      store = try Store.open(at: path)
      try store.rebuild()
      store.close()
      try swapAll("a copy before a rebuild", from: copy, into: path, in: directory)
      try swapAll("a newer copy", from: path, into: copy, in: directory)
    }
  }

  @Test func `a copy from before a purge shows nothing that was purged`() async throws {
    try await withDirectory { directory in
      let (path, copy) = (directory + "/store", directory + "/older")
      var store = try Store.open(at: path)
      try store.appendBlocking(Self.events(0..<12, "old"))
      store.close()
      try Self.files.copyItem(atPath: path, toPath: copy)
      store = try Store.open(at: path)
      #expect(try store.purge(.domain("d1"))?.isComplete == true)
      store.close()
      try swapAll("a copy before a purge", from: copy, into: path, in: directory)
    }
  }

  @Test func `what another process builds at is not taken for damaged`() async throws {
    try await withDirectory { directory in
      let (path, aside) = (directory + "/store", directory + "/view-1.mdb")
      let store = try Store.open(at: path)
      try store.appendBlocking(Self.events(0..<10, "old"))
      store.close()
      // As between two steps of a purge.
      try Self.files.moveItem(atPath: path + "/view-1.mdb", toPath: aside)
      let lock = try FileLock(path: path + "/rebuild.lock")
      #expect(try lock.tryLock())
      expectError(.busy) { try Store.open(at: path, patience: .milliseconds(20)) }
      #expect(try GenerationFiles(directory: path).current() == 1)
      try Self.files.moveItem(atPath: aside, toPath: path + "/view-1.mdb")
      lock.unlock()
      try Self.check(path, .readWrite, "while another process purged")
      #expect(try GenerationFiles(directory: path).current() == 1)
    }
  }

  @Test func `another store`() async throws {
    try await withDirectory { directory in
      let (path, other) = (directory + "/store", directory + "/other")
      for (path, count, word) in [(path, 10, "one"), (other, 10, "two")] {
        let store = try Store.open(at: path)
        try store.appendBlocking(Self.events(0..<count, word))
        store.close()
      }
      try swapAll("another store", from: other, into: path, in: directory)
      let longer = try Store.open(at: other)
      try longer.appendBlocking(Self.events(10..<20, "two"))
      try longer.rebuild()
      longer.close()
      try swapAll("a longer store", from: other, into: path, in: directory)
      try swapAll("a shorter store", from: path, into: other, in: directory)
    }
  }

  @Test func `where nothing may be written the projections of another log are refused`()
    async throws
  {
    try await withDirectory { directory in
      let (path, other) = (directory + "/store", directory + "/other")
      for (path, word) in [(path, "one"), (other, "two")] {
        let store = try Store.open(at: path)
        try store.appendBlocking(Self.events(0..<10, word))
        store.close()
      }
      try Self.swap([.log], from: other, into: path)
      let lock = try FileLock(path: "\(path)/writer.lock")
      #expect(try lock.tryLock())
      let store = try Store.open(at: path, access: .readOnly, patience: .zero)
      defer { store.close() }
      expectError(.corrupt) { try store.at().items() }
      expectError(.corrupt) { try store.at().search("one") }
      #expect(try store.verify().problems.contains { $0.message.contains("another log") })
      #expect(try store.events().allSatisfy { $0.event.item?.hasPrefix("two") == true })
    }
  }

  @Test func `projections that do not say of which log they are are folded anew`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      var store = try Store.open(at: path)
      try store.appendBlocking(Self.events(0..<10, "one"))
      store.close()
      let environment = try Environment.open(
        path + "/view-1.mdb",
        Environment.Configuration(durability: .deferred, tables: [SharedRows.tableName]))
      let table = environment[SharedRows.tableName]
      try environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        let row = try txn.reader.get(table, SharedRows.checkpointKey)?.array() ?? []
        var checkpoint = try Checkpoint(decoding: row)
        #expect(checkpoint.log != nil)
        checkpoint.log = nil
        try txn.put(table, SharedRows.checkpointKey, checkpoint.encoded())
      }
      environment.close()
      store = try Store.open(at: path, access: .readOnly)
      #expect(try store.at().statistics().isOutdated)
      #expect(try store.at().items().count == 10)
      store.close()
      store = try Store.open(at: path)
      #expect(try !store.at().statistics().isOutdated)
      store.close()
      try Self.check(path, .readOnly, "a checkpoint of the first format")
    }
  }
}
