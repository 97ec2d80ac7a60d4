import EventLog
import Files
import Glibc
import LMDB
import Projections
import Synchronization
import TestSupport
import Testing
import TextIndex

@testable import Cairn

/// What becomes of generations: kept, served again, built in part, compared, given up.
@Suite struct RebuildLifeTests {
  private static func events(_ count: Int, seed: UInt64 = 5) -> [Event] {
    var random = SeededGenerator(seed: seed)
    let words = ["cat", "carts", "東京都庁", "naïve", "kernel", "file", "system", "fooBar"]
    return (0..<count).map { number in
      let item = "item \(Int.random(in: 0..<max(count / 3, 3), using: &random))"
      let title = (0..<4).map { _ in words[Int.random(in: 0..<8, using: &random)] }
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1: return view(item, at: 1_700_000_000 + Int64(number))
      case 2: return Event(kind: .delete, item: item)
      case 3:
        return Event(
          kind: .select, item: item, time: Timestamp(seconds: 1_700_000_000 + Int64(number)),
          query: title[0], position: 1)
      default: return index(item, title: title.joined(separator: " "), domain: "d")
      }
    }
  }

  private static func states(_ store: Store) throws -> [RebuildStatus.Generation.State] {
    try store.rebuildStatus().generations.map(\.state)
  }

  /// Holds the store against a fresh one with the same events, and against its own log.
  private static func expectSound(_ store: Store) throws {
    #expect(try store.verify(deep: true).problems == [])
    #expect(try store.replayVerify().allSatisfy { $0.result.isEqual && $0.first == nil })
  }

  @Test func `a batch ends where a schema makes its events large`() async throws {
    try await withStore { store in
      try store.appendBlocking((0..<40).map { Event(kind: .index, item: "i\($0)") })
      let text = String(repeating: "x", count: 4_000)
      let step = #"{"domain":"","op":"default","key":"a","value":"\#(text)"}"#
      let file = #"{"cairnSchema":1,"domains":{},"upcasters":[\#(step)]}"#
      try store.setSchema(try store.readSchema(Array(file.utf8)))
      let head = try store.log.head().sequence
      let source = EventSource(
        log: store.log, target: head, recent: [], lens: try store.schemas.lens(of: store.log),
        limit: BatchLimit(byteCount: 10_000))
      var (through, counts) = (UInt64(0), [Int]())
      while through < head {
        let batch = try FoldBatch(source, after: through)
        counts.append(batch.events.count)
        through = batch.through
      }
      #expect(counts.reduce(0, +) == Int(head) && counts.allSatisfy { $0 <= 3 }, "\(counts)")
    }
  }

  @Test func `a kept generation serves again, brought up to the head`() async throws {
    try await withStore { store in
      try await store.append(Self.events(700))
      #expect(try store.rollBack() == nil)
      try store.rebuild()
      #expect(try Self.states(store) == [.serving])
      try store.rebuild(keepingOld: true)
      #expect(try Self.states(store) == [.kept, .serving])
      try await store.append(Self.events(900, seed: 6))
      let before = try store.at().statistics().projections
      let results = try #require(try store.rollBack())
      #expect(results.allSatisfy { $0.isEqual } && results.count == Generation.names.count)
      #expect(try store.at().statistics().projections == before)
      #expect(try Self.states(store) == [.serving])
      #expect(try store.rollBack() == nil)
      try await store.append(Self.events(50, seed: 7))
      try Self.expectSound(store)
      // Numbers only rise: nobody can take new files for old ones.
      #expect(try store.files.current() == 4)
    }
  }

  @Test func `a rebuild lets others go first, and leaves its caller as it was`() async throws {
    try await withStore { store in
      try await store.append(Self.events(50))
      let before = nice(0)
      var during = before
      try store.rebuild { _ in
        during = nice(0)
        return true
      }
      #expect(during == min(before + 5, 19))
      #expect(nice(0) == before)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `who asks and who writes open a new generation without waiting for each other`() async throws
  {
    try await withStore { store in
      try await store.append(Self.events(50))
      let number = try store.files.current()
      // As a switch leaves it: whoever comes first opens the new one.
      store.serving.withLock { $0 = nil }
      let (isBusy, goesOn) = (Semaphore(), Semaphore())
      store.writer.submit {
        isBusy.signal()
        goesOn.wait()
        _ = try? store.generation()
      }
      isBusy.wait()
      let asking = onOwnThread { try store.generation()?.number }
      try await Task.sleep(for: .milliseconds(200))
      goesOn.signal()
      #expect(try await asking.value == number)
      try await store.append(Self.events(50, seed: 6))
    }
  }

  @Test func `a purge and the next rebuild take what was kept`() async throws {
    try await withStore { store in
      try await store.append(Self.events(300))
      try store.rebuild(keepingOld: true)
      #expect(try Self.states(store) == [.kept, .serving])
      try store.rebuild()
      #expect(try Self.states(store) == [.serving])
      try store.rebuild(keepingOld: true)
      #expect(try store.purge(.item("item 1"))?.residueByteCount == 0)
      #expect(try Self.states(store) == [.serving])
      #expect(try store.rollBack() == nil)
      try Self.expectSound(store)
    }
  }

  @Test func `one that another definition made is refused`() async throws {
    try await withStore { store in
      try await store.append(Self.events(100))
      let generation = try #require(try store.generation())
      try generation.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        var checkpoint = try generation.checkpoint(in: txn.reader)
        checkpoint.definition = RowDigest(low: 1, high: 2)
        try generation.setCheckpoint(checkpoint, in: &txn)
      }
      try store.rebuild(keepingOld: true)
      expectError(.conflict) { try store.rollBack() }
      #expect(try Self.states(store) == [.kept, .serving])
    }
  }

  @Test(arguments: [["ranking"], ["text"], ["timeline"], ["catalog", "text"]])
  func `some projections alone, and the others as they were`(only: [String]) async throws {
    try await withStore { store in
      try await store.append(Self.events(5_000))
      let before = try store.at().statistics().projections
      let results = try #require(try store.rebuild(only: only))
      #expect(results.map(\.projection) == Generation.names.map(\.text).filter(only.contains))
      #expect(results.allSatisfy { $0.isEqual })
      #expect(try store.at().statistics().projections == before)
      try await store.append(Self.events(500, seed: 8))
      try Self.expectSound(store)
    }
  }

  @Test func `what was begun for some is not taken for what was begun for all`() async throws {
    try await withStore { store in
      try await store.append(Self.events(9_000))
      for only in [["ranking"], nil, ["text"], nil] as [[String]?] {
        let stopped = try store.rebuild(only: only, memory: Store.rebuildMemoryMin) { _ in false }
        #expect(stopped == nil)
        let status = try store.rebuildStatus()
        #expect(status.isRunning && status.reason == .manual && status.sequence ?? 0 > 0)
        #expect(status.projections == only ?? Generation.names.map(\.text))
        let results = try #require(try store.rebuild(only: only == nil ? ["ranking"] : nil))
        #expect(results.allSatisfy { $0.isEqual })
        try Self.expectSound(store)
      }
    }
  }

  @Test func `what is being built tells the schema that it is for`() async throws {
    try await withStore { store in
      try await store.append(Self.events(9_000))
      func schemas() throws -> [UInt64] { try store.rebuildStatus().generations.map(\.schema) }
      func definition(_ weight: Int) throws -> SchemaDefinition {
        let title = #"{"type":"text","searchable":true,"weight":\#(weight)}"#
        return try store.readSchema(
          Array(#"{"cairnSchema":1,"domains":{"d":{"attributes":{"title":\#(title)}}}}"#.utf8))
      }
      var change = try store.setSchema(definition(2)) { _ in false }
      #expect(try change == nil && schemas() == [0, 1])
      change = try store.setSchema(definition(2))
      #expect(try change?.version == 1 && schemas() == [1])
      for only in [["ranking"], nil] as [[String]?] {
        let stopped = try store.rebuild(only: only, memory: Store.rebuildMemoryMin) { _ in false }
        #expect(stopped == nil)
        #expect(try schemas() == [1, 1])
      }
      change = try store.undoSchema { _ in false }
      #expect(try change == nil && schemas() == [1, 2])
      #expect(try store.cancelRebuild())
      // One that was killed before its first batch.
      let number = (try store.files.current() ?? 0) + 1
      try store.files.markDirty(number)
      try Generation(
        number, files: store.files, writer: WriterThread(name: "test"), create: true
      ).environment.close()
      #expect(try schemas() == [1, 1])
    }
  }

  @Test func `what was killed before its first batch is not taken for another build`() async throws
  {
    try await withStore { store in
      try await store.append(Self.events(300))
      try store.files.markDirty(2)
      let green = try Generation(
        2, files: store.files, writer: WriterThread(name: "test"), create: true)
      try unsafe green.text.beginBuild(
        in: green.environment, at: store.files.buildPath(of: 2),
        context: green.textProjection.context)
      green.environment.close()
      #expect(try #require(try store.rebuild(only: ["ranking"])).allSatisfy { $0.isEqual })
      try Self.expectSound(store)
    }
  }

  @Test func `some alone after a purge, when items are numbered otherwise`() async throws {
    try await withStore { store in
      try await store.append(Self.events(600))
      _ = try store.purge(.item("item 3"))
      #expect(try #require(try store.rebuild(only: ["ranking"])).allSatisfy { $0.isEqual })
      try Self.expectSound(store)
    }
  }

  @Test(arguments: ["digest", "record", "count"])
  func `what differs from a second reading does not serve`(damage: String) async throws {
    try await withStore { store in
      try await store.append(Self.events(400))
      let before = try store.at().statistics().projections
      do throws(CairnError) {
        _ = try store.rebuild(
          RebuildPlan(),
          comparing: { (green) throws(CairnError) in
            try green.environment.write { (txn) throws(CairnError) in
              var checkpoint = try green.checkpoint(in: txn.reader)
              switch damage {
              case "digest": checkpoint[ProjectionName("ranking")] = RowDigest(low: 3, high: 4)
              case "count": checkpoint.presentCount += 1
              default:
                // The whole first block of the timeline, which its digest cannot know of.
                let key: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
                try txn.delete(green.environment["timeline"], key)
              }
              try green.setCheckpoint(checkpoint, in: &txn)
            }
          }, { _ in true })
        Issue.record("it serves")
      } catch { #expect(error.code == .internal, "\(error)") }
      #expect(try Self.states(store) == [.serving])
      #expect(try store.at().statistics().projections == before)
      #expect(try store.rebuild() != nil)
      try Self.expectSound(store)
    }
  }

  @Test func `one that another asks to give up leaves nothing`() async throws {
    try await withStore { store in
      try await store.append(Self.events(3_000))
      expectError(.aborted) {
        try store.rebuild(memory: Store.rebuildMemoryMin) { _ in
          (try? CancelRequest(store.directory).make()) != nil
        }
      }
      #expect(try Self.states(store) == [.serving])
      // The request was answered, and does not hold for the next one.
      #expect(try store.rebuild() != nil)
      #expect(try !store.cancelRebuild())
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `who waits to rebuild is not cancelled with whom it waits for`() async throws {
    try await withStore { store in
      try await store.append(Self.events(300))
      let stopped = try store.rebuild(memory: Store.rebuildMemoryMin) { _ in false }
      #expect(stopped == nil)
      let lock = try store.heldRebuildLock(wait: .zero)
      defer { lock.unlock() }
      let cancelling = onOwnThread { try store.cancelRebuild() }
      let request = CancelRequest(store.directory)
      while !request.isMade { try await Task.sleep(for: .milliseconds(5)) }
      // The one that was asked has ended, and the next one has the lock.
      try request.withdraw()
      let isCancelled = try await cancelling.value
      #expect(isCancelled)
    }
  }

  @Test func `events that come meanwhile are in it, whatever is made anew`() async throws {
    try await withStore { store in
      try await store.append(Self.events(4_000))
      for (round, only) in ([nil, ["text"], ["ranking"]] as [[String]?]).enumerated() {
        var batch: UInt64 = 0
        let results = try store.rebuild(
          only: only, keepingOld: true, memory: Store.rebuildMemoryMin
        ) { _ in
          batch += 1
          let more = Self.events(300, seed: UInt64(round) << 8 | batch)
          return batch > 6 || (try? store.appendBlocking(more)) != nil
        }
        #expect(try #require(results).allSatisfy { $0.isEqual })
        try Self.expectSound(store)
        #expect(try #require(try store.rollBack()).allSatisfy { $0.isEqual })
        try Self.expectSound(store)
      }
    }
  }

  @Test func `what nobody folded, its process being killed, is no difference`() async throws {
    try await withStore { store in
      try await store.append(Self.events(300))
      let results = try store.rebuild(
        RebuildPlan(),
        comparing: { (_) throws(CairnError) in
          let fold = store.log.afterCommit
          defer { store.log.afterCommit = fold }
          store.log.afterCommit = nil
          _ = try store.appendBlocking(Self.events(3, seed: 6))
        }, { _ in true })
      #expect(try #require(results).allSatisfy { $0.isEqual })
      try Self.expectSound(store)
    }
  }

  @Test func `a build that is one batch old tells how fast that went`() async throws {
    try await withStore { store in
      try await store.append(Self.events(300))
      let start = ContinuousClock.now
      let stopped = try store.rebuild { _ in false }
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      #expect(stopped == nil)
      let rate = try #require(try store.rebuildStatus().rate)
      #expect(rate >= 300 / seconds)
    }
  }

  @Test func `a build that is stopped has less than a tenth to do again`() async throws {
    try await withStore { store in
      try await store.append(Self.events(12_000))
      let stopped = try store.rebuild { _ in false }
      #expect(stopped == nil)
      let folded = try #require(try store.rebuildStatus().sequence)
      #expect(folded > 0 && folded <= 1_200)
      #expect(try #require(try store.rebuild()).allSatisfy { $0.isEqual })
      try Self.expectSound(store)
    }
  }

  @Test(arguments: [true, false])
  func `a rollback that was killed at one of its two names is done again`(hasBoth: Bool)
    async throws
  {
    try await withStore { store in
      try await store.append(Self.events(300))
      try store.rebuild(keepingOld: true)
      try store.files.link(1, as: 3)
      if !hasBoth { try SmallFile.remove(store.files.path(of: 3)) }
      #expect(try store.rebuildStatus().isRunning == hasBoth)
      #expect(try #require(try store.rollBack()).allSatisfy { $0.isEqual })
      #expect(try Self.states(store) == [.serving])
      try Self.expectSound(store)
    }
  }

  @Test func `why projections cannot be asked is told once, however often they are asked for`()
    async throws
  {
    try await withStore { store in
      try await store.append(Self.events(3))
      let serving = try #require(try store.files.current())
      try store.files.setCurrent(serving + 98)
      let first = try await store.append(Self.events(3)).projectionFailure
      let second = try await store.append(Self.events(3)).projectionFailure
      #expect(first?.code == .corrupt && first?.message == second?.message)
      try store.files.setCurrent(serving)
      #expect(try await store.append(Self.events(3)).projectionFailure == nil)
      try Self.expectSound(store)
    }
  }
}
