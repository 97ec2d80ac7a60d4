import EventLog
import Files
import Glibc
import LMDB
import Projections
import TestSupport
import Testing

@testable import Cairn

/// Projections written anew without gaps; a failure names its seed.
@Suite struct CompactTests {
  @Test(arguments: 1...6) func `a compacted store answers as before, also those who had it open`(
    seed: Int
  ) async throws {
    try await withStore { store in
      let history = MixedHistory(seed: UInt64(seed), count: 500)
      try await Self.append(Array(history.events[..<400]), to: store)
      let reader = try Store.open(at: store.directory, access: .readOnly)
      defer { reader.close() }
      let (before, digests) = (try Self.answers(of: store), try store.digests())
      #expect(try Self.answers(of: reader) == before, "seed \(seed)")
      #expect(try store.compact())
      for open in [store, reader] {
        #expect(try Self.answers(of: open) == before, "seed \(seed)")
        #expect(try open.digests() == digests, "seed \(seed)")
      }
      #expect(try store.verify(deep: true).problems.isEmpty, "seed \(seed)")

      try await Self.append(Array(history.events[400...]), to: store)
      let results = try #require(try store.rebuild())
      #expect(results.allSatisfy { $0.digestBefore == $0.digestAfter }, "seed \(seed)")

      _ = try store.purge(.item("i3"))
      let after = try Self.answers(of: store)
      #expect(try store.compact())
      #expect(try Self.answers(of: store) == after, "seed \(seed)")
      #expect(try store.verify(deep: true).problems.isEmpty, "seed \(seed)")
    }
  }

  @Test func `what a compaction that was killed leaves is no hindrance to the next`() async throws {
    try await withStore { store in
      try await Self.append(MixedHistory(seed: 9, count: 100).events, to: store)
      let number = try #require(try store.generation()?.number)
      try store.emptyCandidate(number + 1).environment.close()
      #expect(try store.compact())
      #expect(try store.files.all() == [number + 1])
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test func `what a purge or compaction that was killed leaves goes with the next opening`()
    async throws
  {
    try await withStore { store in
      try await Self.append(MixedHistory(seed: 9, count: 100).events, to: store)
      let number = try #require(try store.generation()?.number)
      for left in [number + 1, number + 2] { try store.emptyCandidate(left).environment.close() }
      let lock = try store.heldRebuildLock(wait: .zero)
      try Store.open(at: store.directory).close()
      #expect(try store.files.all() == [number, number + 1, number + 2])
      lock.unlock()
      try Store.open(at: store.directory, access: .readOnly).close()
      #expect(try store.files.all() == [number, number + 1, number + 2])
      try Store.open(at: store.directory).close()
      #expect(try store.files.all() == [number])
      #expect(try SmallFile.names(in: store.directory).allSatisfy { !$0.hasSuffix(".purge") })
    }
  }

  @Test func `a rebuild ends without gaps, where there are many`() async throws {
    try await withStore { store in
      try await Self.append(MixedHistory(seed: 3, count: 500).events, to: store)
      let (answers, digests) = (try Self.answers(of: store), try store.digests())
      var plan = RebuildPlan()
      plan.compactedByteCount = 0
      let results = try #require(try store.rebuild(plan) { _ in true })
      #expect(results.allSatisfy { $0.isEqual })
      #expect(try Self.answers(of: store) == answers)
      #expect(try store.digests() == digests)
      #expect(try store.verify(deep: true).problems.isEmpty)
      #expect(try store.files.all().count == 1)
    }
  }

  @Test func `projections that are gone are folded as a rebuild makes them`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      var store = try Store.open(at: path)
      try await Self.append(MixedHistory(seed: 11, count: 2_000).events, to: store)
      let (answers, digests) = (try Self.answers(of: store), try store.digests())
      try store.files.forgetCurrent()
      // As one that was killed while it folded leaves it.
      try store.emptyCandidate(5).environment.close()
      store.close()
      store = try Store.open(at: path)
      defer { store.close() }
      #expect(try store.files.all() == [6])
      #expect(try Self.answers(of: store) == answers)
      #expect(try store.digests() == digests)
      let byteCount = try #require(try store.generation()?.environment.byteCount)
      _ = try store.rebuild()
      #expect(try store.generation()?.environment.byteCount == byteCount)
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test func `a fold of a whole log ends without gaps, where there are many`() async throws {
    try await withStore { store in
      try await Self.append(MixedHistory(seed: 13, count: 500).events, to: store)
      let reader = try Store.open(at: store.directory, access: .readOnly)
      defer { reader.close() }
      let (answers, digests) = (try Self.answers(of: store), try store.digests())
      let number = try #require(try store.generation()?.number)
      try Self.foldCompactly(store)
      #expect(try store.files.all() == [number + 2])
      for open in [store, reader] {
        #expect(try Self.answers(of: open) == answers)
        #expect(try open.digests() == digests)
      }
      try await store.append([index("late", title: "harbour")])
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `what folds that were killed have left goes before the next begins`(afterPowerCut: Bool)
    async throws
  {
    try await withStore { store in
      try await store.append([index("a", title: "tram")])
      let number = try #require(try store.files.current())
      for killed in [4, 5] as [UInt64] { try store.emptyCandidate(killed).environment.close() }
      let dirty = "\(store.directory)/view-\(number).dirty"
      if afterPowerCut { try SmallFile.replace(dirty, with: "another boot\n") }
      if !afterPowerCut { try store.files.forgetCurrent() }
      // Nothing can be built where a folder stands.
      let folder = "\(store.directory)/view-6.build"
      #expect(unsafe mkdir(folder, 0o700) == 0)
      #expect(throws: CairnError.self) { try Self.foldCompactly(store) }
      // The last one stays, so that no number comes again.
      #expect(try store.files.all() == (afterPowerCut ? [number, 5] : [5]))
      #expect(unsafe rmdir(folder) == 0)
      try Self.foldCompactly(store)
      #expect(try store.files.all() == [7])
      #expect(try store.at().items().map(\.id) == ["a"])
    }
  }

  @Test func `a compaction tells of damage, and leaves what is there`() async throws {
    try await withStore { store in
      try await store.append([index("a", title: "tram")])
      let serving = try #require(try store.generation())
      try serving.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        try txn.put(serving.environment["items"], [0], [0])
      }
      expectError(.corrupt) { try store.compact() }
      #expect(try store.files.all() == [serving.number])
    }
  }

  @Test func `a state that is kept for going back stays`() async throws {
    try await withStore { store in
      try await Self.append(MixedHistory(seed: 5, count: 100).events, to: store)
      _ = try store.rebuild(keepingOld: true)
      let kept = try store.files.all()
      #expect(try !store.compact())
      #expect(try store.files.all() == kept)
    }
  }

  @Test func `a store of which little is free is left as it is`() async throws {
    try await withStore { store in
      try await Self.append(MixedHistory(seed: 7, count: 100).events, to: store)
      #expect(try !store.compactIfWasteful())
      #expect(try !store.compactIfWasteful(after: 100))
    }
  }

  @Test func `a store of which a quarter just came is compacted, whatever is free`() async throws {
    try await withStore { store in
      try await Self.append(MixedHistory(seed: 17, count: 300).events, to: store)
      let (answers, head) = (try Self.answers(of: store), Int(clamping: try store.visibleHead()))
      #expect(try store.compact())
      let size = try #require(try store.generation()?.environment.byteCount)
      // Not all of the file can be free.
      #expect(try !store.compactIfWasteful(worthwhile: size, after: head / 4))
      let number = try #require(try store.generation()?.number)
      #expect(try store.compactIfWasteful(worthwhile: size, after: head / 4 + 1))
      #expect(try store.files.all() == [number + 1])
      #expect(try Self.answers(of: store) == answers)
    }
  }

  private static func foldCompactly(_ store: Store) throws {
    try store.log.withWriterLock { () throws(CairnError) in
      try store.foldAnew(through: try store.log.head().sequence, compactedFrom: 0)
    }
  }

  private static func append(_ events: [Event], to store: Store) async throws {
    for start in stride(from: 0, to: events.count, by: 37) {
      try await store.append(Array(events[start..<min(start + 37, events.count)]))
    }
  }

  /// What a store says at the present and at a past point, in words.
  private static func answers(of store: Store) throws -> [String] {
    var answers: [String] = []
    let now = Timestamp(seconds: 1_800_000_000)
    for point in [Point.head, .sequence(211)] {
      let moment = try store.at(point, now: now)
      for text in ["tram", "tide dusk", "har", "lantrn"] {
        let hits = try moment.search(text, limit: nil)
        answers.append("\(text): \(hits.map { "\($0.item) \($0.score)" })")
      }
      answers.append("items: \(try moment.items().map { "\($0.id) \($0.domain ?? "")" })")
      answers.append("top: \(try moment.top().map { "\($0.item) \($0.score)" })")
    }
    return answers
  }
}
