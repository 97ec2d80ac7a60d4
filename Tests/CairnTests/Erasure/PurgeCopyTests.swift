import EventLog
import LMDB
import Projections
import TestSupport
import Testing
import TextIndex

@testable import Cairn

/// Generations that a purge copies against those it would fold; a failure names its seed.
@Suite struct PurgeCopyTests {
  @Test(arguments: Array(1...24)) func `a copy without some events is a fold without them`(
    number: Int
  ) async throws {
    let seed = UInt64(number)
    var random = SeededGenerator(seed: seed &* 104_729)
    let events = (0..<160).map { _ in PurgeModelTests.event(&random) }
    let scopes: [PurgeScope] = [
      .domain("a"), .domain("a.b"), .domain("b"), .item("item 3"), .item("item 11"),
      .before(Timestamp(seconds: 1_700_020_000)),
      .retention([RetentionRule(kind: .view, keeping: .events(9))]),
      .retention([RetentionRule(kind: .select, keeping: .events(2))]),
    ]
    try await withStore { store in
      for start in stride(from: 0, to: events.count, by: 7) {
        try await store.append(Array(events[start..<min(start + 7, events.count)]))
        // Some of the index in its merged form, some not.
        if start == 70 { try Self.mergeAll(of: store) }
      }
      for scope in scopes {
        let chosen = try store.selection(scope)
        guard !chosen.sequences.isEmpty else { continue }
        try Self.compare(store, chosen.sequences, "seed \(seed), \(scope)")
      }
    }
  }

  @Test func `what the usual purges take is copied, not folded`() async throws {
    try await withStore { store in
      var events: [Event] = []
      for number in 0..<300 {
        let domain = number % 3 == 0 ? "gone.\(number % 2)" : "kept"
        events.append(index("item \(number)", title: "tram \(number) line", domain: domain))
        events.append(view("item \(number)", at: 1_700_000_000 + Int64(number)))
      }
      events.append(
        Event(kind: .select, item: "item 1", query: "tram", shown: ["item 1", "item 4"]))
      events.append(Event(kind: .delete, item: "item 3"))
      try await store.append(events)
      for scope in [
        PurgeScope.domain("gone"), .item("item 7"),
        .retention([RetentionRule(kind: .view, keeping: .events(20))]),
      ] {
        let chosen = try store.selection(scope)
        #expect(try Self.compare(store, chosen.sequences, "\(scope)"))
      }
      // Purge after purge: the numbers of items have gaps by then.
      for scope in [PurgeScope.domain("gone"), .item("item 7"), .domain("kept")] {
        #expect(try store.purge(scope)?.residueByteCount == 0)
        #expect(try store.verify(deep: true).problems == [])
        try await store.append([
          index("late", title: "late tram", domain: "gone.1"), Event(kind: .delete, all: true),
          index("later", title: "later tram", domain: "kept"),
        ])
        #expect(try store.at().items().map(\.id) == ["later"])
        #expect(try store.verify(deep: true).problems == [])
      }
    }
  }

  /// Lists of several chunks: most of each stays, next to nothing does, or the end goes.
  @Test func `long lists are copied chunk by chunk`() async throws {
    try await withStore { store in
      let domains = (0..<4_800).map { number in
        switch number {
        case 3_000...: "end"
        case 1_000..<2_000 where !number.isMultiple(of: 50): "thick"
        default: number.isMultiple(of: 90) ? "thin" : "kept"
        }
      }
      let events = domains.enumerated().map { (number, domain) in
        let words = "tram" + (number.isMultiple(of: 2) ? " line" : "")
        return index("item \(number)", title: "\(words) \(number % 700)", domain: domain)
      }
      try await store.append(events)
      try Self.mergeAll(of: store)
      for isRebuilt in [false, true] {
        // The chunks of a rebuild are longer, and cut to fill their pages.
        if isRebuilt { _ = try store.rebuild() }
        for domain in ["thin", "thick", "end", "kept"] {
          let chosen = try store.selection(.domain(domain))
          #expect(try Self.compare(store, chosen.sequences, domain))
        }
      }
      // Purge after purge, with what is new at the ends of the lists that the one before left.
      for domain in ["end", "thin", "thick"] {
        #expect(try store.purge(.domain(domain))?.residueByteCount == 0)
        let more = (0..<40).map { index("\(domain) \($0)", title: "tram \($0)", domain: "kept") }
        try await store.append(more)
        try Self.mergeAll(of: store)
        #expect(try store.verify(deep: true).problems == [])
      }
      let found = try store.at().search("tram", limit: 5_000).count
      #expect(found == domains.count { $0 == "kept" } + 120)
    }
  }

  /// Makes both and compares them; false when only a fold could be made.
  @discardableResult static func compare(
    _ store: Store, _ sequences: [UInt64], _ place: String
  ) throws -> Bool {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let files = GenerationFiles(directory: scratch.path)
    let serving = try #require(try store.generation())
    let copy = try Generation(1, files: files, writer: WriterThread(name: "copy"), create: true)
    defer { copy.environment.close() }
    guard try copy.fill(from: serving, without: sequences, store.log) else { return false }
    let fold = try Generation(2, files: files, writer: WriterThread(name: "fold"), create: true)
    defer { fold.environment.close() }
    let head = try store.log.head().sequence
    try fold.advance(store.log, through: head, excluding: Set(sequences))
    let (one, two) = (try copy.checkpoint(), try fold.checkpoint())
    for name in Generation.names {
      #expect(one[name] == two[name], "\(name.text) of \(place)")
    }
    #expect(one.presentCount == two.presentCount, "\(place)")
    // Bounds, which depend on how appends were batched.
    #expect(one.greatestUse >= two.greatestUse, "\(place)")
    #expect(one.latestUseMicroseconds >= two.latestUseMicroseconds, "\(place)")
    let text = try copy.textDigest { nil }
    #expect(text.stored == text.found, "\(place)")
    for (part, digests) in try copy.otherDigests().digests {
      #expect(digests.stored == digests.found, "\(part) of \(place)")
    }
    return true
  }

  static func mergeAll(of store: Store) throws {
    let serving = try #require(try store.generation())
    try serving.environment.write { (txn) throws(CairnError) in
      _ = try unsafe serving.text.mergeIfDue(
        in: &txn, force: true, context: serving.textProjection.context)
    }
  }
}
