import Foundation
import LMDB
import Migrations
import Projections
import TestSupport
import Testing

@testable import Cairn

@Suite("Projections that another version made") struct OutdatedTests {
  @Test func `statistics say so until the next writer makes them anew`() throws {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let path = scratch.path + "/store"
    let store = try Store.open(at: path)
    try store.appendBlocking(Event(kind: .index, item: "one"))
    #expect(try !store.at().statistics().isOutdated)
    try Self.outdate(store)
    #expect(try store.at().statistics().isOutdated)
    store.close()
    let reader = try Store.open(at: path, access: .readOnly)
    #expect(try reader.at().statistics().isOutdated)
    let before = try reader.migrations()
    #expect(before.map(\.id) == Migrations.steps.map(\.id.description))
    #expect(Migrations.checkpoints.last?.format == Checkpoint.formatVersion)
    let pending = before.filter { $0.state == .pending }
    // The checkpoint is of today's format: at least one step has to make the rows anew.
    #expect(pending.map(\.id) == before.suffix(1).map(\.id))
    #expect(pending.allSatisfy { $0.cost?.eventCount == 1 })
    reader.close()
    let writer = try Store.open(at: path)
    defer { writer.close() }
    #expect(try !writer.at().statistics().isOutdated)
    #expect(try writer.at().items().count == 1)
    #expect(try writer.migrations().allSatisfy { $0.state == .applied })
  }

  /// As if another version had folded.
  private static func outdate(_ store: Store) throws {
    let generation = try #require(try store.generation())
    try generation.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      var checkpoint = try generation.checkpoint(in: txn.reader)
      checkpoint.definition = RowDigest(low: 1, high: 2)
      try generation.setCheckpoint(checkpoint, in: &txn)
    }
  }

  @Test func `what another process leaves whole is made anew where it is another version's`()
    async throws
  {
    try await withDirectory { directory in
      let (path, aside) = (directory + "/store", directory + "/view-1.mdb")
      let store = try Store.open(at: path)
      try store.appendBlocking(Event(kind: .index, item: "one"))
      try Self.outdate(store)
      store.close()
      // As between two steps of a purge.
      try FileManager.default.moveItem(atPath: path + "/view-1.mdb", toPath: aside)
      let lock = try FileLock(path: path + "/rebuild.lock")
      #expect(try lock.tryLock())
      let opening = onOwnThread { try Store.open(at: path, patience: .seconds(60)) }
      // Until it waits for the lock.
      try await Task.sleep(for: .milliseconds(300))
      try FileManager.default.moveItem(atPath: aside, toPath: path + "/view-1.mdb")
      lock.unlock()
      let opened = try await opening.value
      defer { opened.close() }
      #expect(try !opened.at().statistics().isOutdated)
    }
  }

  @Test func `what another process made anew meanwhile stays`() async throws {
    try await withStore { store in
      try store.appendBlocking(Event(kind: .index, item: "one"))
      let number = try store.files.current()
      // As one does that saw them before a schema changed, and got the lock after that.
      #expect(try store.rebuild(RebuildPlan(reason: .version)) { _ in true } == nil)
      #expect(try store.files.current() == number)
      try Self.outdate(store)
      #expect(try store.rebuild(RebuildPlan(reason: .version)) { _ in true } != nil)
      #expect(try store.files.current() != number)
    }
  }

  @Test func `who appends goes on where another process cancels that`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      try Store.open(at: path).close()
      func opened(cancelling isCancelled: Bool) throws -> Store {
        let upcaster = EventUpcaster("cancelled", version: 1, domain: "a") { event in
          // An upcaster throws nothing; the test finds out.
          if isCancelled { try? CancelRequest(path).make() }
          var event = event
          event.attributes["new"] = true
          return event
        }
        return try Store.open(at: path, upcasters: [upcaster])
      }
      let event = Event(kind: .index, item: "one", domain: "a", attributes: ["title": "one"])
      var store = try Store.open(at: path)
      try store.appendBlocking(event)
      store.close()
      store = try opened(cancelling: true)
      #expect(try store.at().statistics().isOutdated)
      try store.appendBlocking(.view("one"))
      #expect(try store.at().items().map(\.id) == ["one"])
      store.close()
      store = try opened(cancelling: false)
      defer { store.close() }
      #expect(try store.at().item("one")?.attributes["new"] == true)
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test(arguments: [Store.Access.readOnly, .readWrite])
  func `rows of an older format are made anew before anything is read`(access: Store.Access) throws
  {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let path = scratch.path + "/store"
    var store = try Store.open(at: path)
    try store.appendBlocking(Event(kind: .index, item: "one", attributes: ["title": .string("A")]))
    let generation = try #require(try store.generation())
    try generation.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      var row = try generation.checkpoint(in: txn.reader).encoded()
      row[0] = 3
      try txn.put(
        generation.environment[SharedRows.tableName], SharedRows.checkpointKey, row)
    }
    store.close()
    store = try Store.open(at: path, access: access)
    defer { store.close() }
    #expect(try store.at().search("a").map(\.item) == ["one"])
    #expect(try store.at().items().count == 1)
    #expect(try store.verify(deep: true).isSound)
  }

  @Test func `a large store is made anew beside what is asked, and closing it stops that`() throws {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let path = scratch.path + "/store"
    var store = try Store.open(at: path)
    let views = (0..<50_001).map { Event(kind: .view, item: "item-\($0 % 100)") }
    try store.appendBlocking(views)
    let generation = try #require(try store.generation())
    try generation.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      var checkpoint = try generation.checkpoint(in: txn.reader)
      checkpoint.definition = RowDigest(low: 1, high: 2)
      try generation.setCheckpoint(checkpoint, in: &txn)
    }
    store.close()
    // Each goes on where the one before was stopped, or finds it done.
    for _ in 0..<3 {
      store = try Store.open(at: path)
      #expect(try store.at().statistics().eventCount == 50_001)
      store.close()
    }
    store = try Store.open(at: path)
    try store.migrate()
    #expect(try !store.at().statistics().isOutdated)
    #expect(store.projectionFailure == nil)
    #expect(try store.verify(deep: true).isSound)
    store.close()
  }
}
