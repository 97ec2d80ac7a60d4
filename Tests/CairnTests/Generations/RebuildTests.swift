import Cairn
import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

/// What is left of a rebuild on its way, and what becomes of it.
@Suite struct RebuildTests {
  /// Indexes, updates, views that make items, deletions: all that makes and ends versions.
  private static func events(_ count: Int) throws -> [Event] {
    var random = SeededGenerator(seed: 77)
    let words = ["cat", "carts", "東京都庁", "naïve", "kernel", "file", "system", "fooBar"]
    return (0..<count).map { number in
      let item = "item \(Int.random(in: 0..<count / 3, using: &random))"
      let title = (0..<4).map { _ in words[Int.random(in: 0..<8, using: &random)] }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return view(item, at: 1_700_000_000 + Int64(number))
      case 1: return Event(kind: .delete, item: item)
      default: return index(item, title: title.joined(separator: " "), domain: "d")
      }
    }
  }

  private static func kept(in store: Store) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.directory).filter {
      $0.hasSuffix(".build")
    }
  }

  private static func hits(_ store: Store) throws -> [String] {
    let head = try store.at().sequence
    var lines: [String] = []
    for query in ["cat", "kernel file", "東京", "car", "systen"] {
      for point in [head, head / 2] {
        let found = try store.at(.sequence(point)).search(SearchRequest(query))
        for hit in found { lines.append("\(query): \(hit.item) \(hit.score)") }
      }
    }
    return lines
  }

  private static func differences(_ results: [RebuildResult]?) throws -> [String] {
    let results = try #require(results)
    return results.filter { !$0.isEqual }.map { $0.projection }
  }

  /// Begins a rebuild and stops it after its first batch.
  private static func beginRebuild(_ store: Store) throws {
    let results = try store.rebuild(memory: Store.rebuildMemoryMin) { _ in false }
    #expect(results == nil)
  }

  @Test(arguments: [Store.rebuildMemoryMin, Store.rebuildMemory])
  func `with little memory as with much`(memory: Int) async throws {
    try await withStore { store in
      try await store.append(Self.events(9_000))
      let before = try Self.hits(store)
      var steps = 0
      let results = try store.rebuild(memory: memory) { _ in
        steps += 1
        return true
      }
      #expect(try Self.differences(results) == [])
      #expect(memory > Store.rebuildMemoryMin || steps > 1)
      #expect(try Self.hits(store) == before)
      #expect(try Self.kept(in: store) == [])
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test(arguments: [EventKind.view, .index])
  func `batches hold fewer uses than new items`(kind: EventKind) async throws {
    try await withStore { store in
      let events = (0..<40_960).map { number -> Event in
        kind == .view
          ? view("item \(number % 64)", at: 1_700_000_000)
          : index("item \(number % 64)", title: "x")
      }
      try await store.append(events)
      var reached: [UInt64] = []
      _ = try store.rebuild(memory: Store.rebuildMemoryMin) { progress in
        reached.append(progress.sequence)
        return true
      }
      #expect(reached.first == (kind == .view ? 2_048 : 2_560))
    }
  }

  @Test func `one that was stopped is gone on with`() async throws {
    try await withStore { store in
      try await store.append(Self.events(9_000))
      let before = try Self.hits(store)
      try Self.beginRebuild(store)
      #expect(try Self.kept(in: store).count == 1)
      let reached = try #require(try store.rebuildStatus().sequence)
      #expect(reached > 0)
      #expect(try Self.hits(store) == before)
      var first: UInt64?
      let results = try store.rebuild { state in
        first = first ?? state.sequence
        return true
      }
      #expect(try Self.differences(results) == [])
      #expect(try #require(first) > reached)
      #expect(try Self.kept(in: store) == [])
      #expect(try Self.hits(store) == before)
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test func `one that was stopped and lost what it kept starts over`() async throws {
    try await withStore { store in
      try await store.append(Self.events(2_000))
      try Self.beginRebuild(store)
      for name in try Self.kept(in: store) {
        try FileManager.default.removeItem(atPath: "\(store.directory)/\(name)")
      }
      #expect(try Self.differences(try store.rebuild()) == [])
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test func `one that was stopped and whose file was damaged starts over`() async throws {
    try await withStore { store in
      try await store.append(Self.events(2_000))
      try Self.beginRebuild(store)
      let path = "\(store.directory)/\(try #require(try Self.kept(in: store).first))"
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      for index in bytes.indices { bytes[index] ^= 0x55 }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(try Self.differences(try store.rebuild()) == [])
      #expect(try Self.kept(in: store) == [])
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test func `one that is not wanted leaves nothing behind`() async throws {
    try await withStore { store in
      try await store.append(Self.events(300))
      let before = try FileManager.default.contentsOfDirectory(atPath: store.directory).sorted()
      try Self.beginRebuild(store)
      #expect(try store.cancelRebuild())
      let after = try FileManager.default.contentsOfDirectory(atPath: store.directory).sorted()
      #expect(after.filter { $0 != "rebuild.lock" } == before.filter { $0 != "rebuild.lock" })
    }
  }

  @Test func `a change of the schema can be cancelled`() async throws {
    try await withStore { store in
      try await store.append(Self.events(300))
      let file =
        #"{"cairnSchema":1,"domains":{},"upcasters":[{"domain":"d","op":"move","to":"e"}]}"#
      let definition = try store.readSchema(Array(file.utf8))
      let request = "\(store.directory)/rebuild.cancel"
      expectError(.aborted) {
        try store.setSchema(definition) { _ in
          FileManager.default.createFile(atPath: request, contents: Data())
        }
      }
      #expect(try !store.rebuildStatus().isRunning)
      #expect(try store.at().items(domain: "e").isEmpty)
      let stopped = try store.setSchema(definition) { _ in false }
      #expect(stopped == nil)
      #expect(try store.rebuildStatus().reason == .schema)
      #expect(try store.setSchema(definition)?.version == 1)
    }
  }

  @Test func `a change of the schema says when it serves, and holds up nobody after that`()
    async throws
  {
    try await withStore { store in
      try await store.append(Self.events(300))
      let file =
        #"{"cairnSchema":1,"domains":{},"upcasters":[{"domain":"d","op":"move","to":"e"}]}"#
      let lock = try FileLock(path: "\(store.directory)/rebuild.lock")
      var states: [String] = []
      let change = try store.setSchema(try store.readSchema(Array(file.utf8))) { state in
        guard state.isServing else {
          states.append("building")
          return true
        }
        let version = (try? store.schema)?.version ?? 0
        let isFree = (try? lock.tryLock()) ?? false
        if isFree { lock.unlock() }
        states.append("version \(version), \(isFree ? "free" : "held")")
        return true
      }
      #expect(change?.version == 1)
      #expect(states.last == "version 1, free")
      #expect(Set(states.dropLast()) == ["building"])
    }
  }

  @Test func `a purge takes away what one that was stopped kept`() async throws {
    try await withStore { store in
      try await store.append(Self.events(300))
      try Self.beginRebuild(store)
      #expect(try Self.kept(in: store).count == 1)
      #expect(try store.purge(.domain("d"))?.residueByteCount == 0)
      #expect(try Self.kept(in: store) == [])
    }
  }

  @Test func `what builds waits for another that does`() async throws {
    try await withStore { store in
      try await store.append(Self.events(300))
      let file =
        #"{"cairnSchema":1,"domains":{},"upcasters":[{"domain":"d","op":"move","to":"e"}]}"#
      let lock = try FileLock(path: "\(store.directory)/rebuild.lock")
      func holdForAWhile() throws {
        #expect(try lock.tryLock())
        Thread.detachNewThread {
          usleep(100_000)
          lock.unlock()
        }
      }
      try holdForAWhile()
      #expect(try Self.differences(try store.rebuild(keepingOld: true)) == [])
      try holdForAWhile()
      #expect(try Self.differences(try store.rollBack()) == [])
      try holdForAWhile()
      #expect(try store.setSchema(try store.readSchema(Array(file.utf8)))?.version == 1)
    }
  }
}
