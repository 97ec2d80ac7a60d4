import Files
import Foundation
import Testing

@testable import Cairn

/// The file of open runs, which purge, backup and verify know of.
@Suite struct RunLinesTests {
  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  @Test func `the longest line of a run counts, and what was cut off does not`() async throws {
    try await withDirectory { directory in
      let path = directory + "/runs"
      #expect(try RunLines.lengths(path) == [:])
      try write("3 10\n3 40\n3 20\n    \n\nx y\n-1 5\n5 1 1\n7 9\n8 12", to: path)
      #expect(try RunLines.lengths(path) == [3: 40, 7: 9])
    }
  }

  @Test func `forgotten runs leave blanks, and every other byte stays`() async throws {
    try await withDirectory { directory in
      let path = directory + "/runs"
      #expect(try !RunLines.forget(path) { _ in true })
      try write("31 10\n3 40\n13 20\n3 7\n3 99", to: path)
      #expect(try RunLines.forget(path) { $0 == 3 })
      #expect(try read(path) == "31 10\n    \n13 20\n   \n    ")
      #expect(try RunLines.lengths(path) == [31: 10, 13: 20])
    }
  }

  @Test func `runs that are cut short keep their lines, which tell of no more`() async throws {
    try await withDirectory { directory in
      let path = directory + "/runs"
      #expect(try !RunLines.limit(path) { _ in 7 })
      try write("31 10\n3 400\n13 20\n3 7\n3 99  \n    \n3 88", to: path)
      #expect(try RunLines.limit(path) { $0 == 3 ? 8 : .max })
      #expect(try read(path) == "31 10\n3 008\n13 20\n3 7\n3 08  \n    \n3 08")
      #expect(try RunLines.lengths(path) == [31: 10, 13: 20, 3: 8])
    }
  }

  /// A store with views of two domains, and how long each of them became.
  private func fill(_ store: Store) async throws {
    try await store.append(
      (1...20).flatMap { number in
        [
          index("item \(number)", title: "t", domain: number % 2 == 0 ? "a" : "b"),
          view("item \(number)", at: 1_700_000_000 + Int64(number)),
        ]
      })
    try write((1...40).map { "\($0) \($0 * 1_000)\n" }.joined(), to: store.runsPath)
  }

  @Test func `a purge leaves no line of what it took, in the store or a copy inside`()
    async throws
  {
    try await withStore { store in
      try await fill(store)
      _ = try store.backUp(into: store.directory + "/copy")
      let copied = store.directory + "/copy/" + RunLines.name
      #expect(try RunLines.lengths(copied).count == 40)
      let receipt = try #require(try store.purge(.domain("a")))
      #expect(receipt.isComplete && receipt.residueByteCount == 0)
      for path in [store.runsPath, copied] {
        let left = try RunLines.lengths(path)
        #expect(left.count == 20)
        #expect(try left.keys.allSatisfy { try store.event(at: $0) != nil })
      }
      #expect(try store.verify().problems == [])
    }
  }

  @Test func `a purge of all since a time cuts runs short in a copy inside as well`() async throws {
    try await withStore { store in
      try await fill(store)
      _ = try store.backUp(into: store.directory + "/copy")
      var criteria = PurgeCriteria()
      criteria.since = Timestamp(microseconds: 1_700_000_020_010_000)
      _ = try store.purge(.matching(criteria))
      for path in [store.runsPath, store.directory + "/copy/" + RunLines.name] {
        let left = try RunLines.lengths(path)
        #expect(left[38] == 38_000 && left[40] == 10_000)
      }
    }
  }

  @Test func `a purge of a span takes along what lengthens a run into it, of no other item`()
    async throws
  {
    try await withStore { store in
      let lengthened = try ["run", "other"].map { item in
        let line = #"{"kind":"extend","item":"\#(item)","time":4000,"of":1,"dwell":2000}"#
        return try Event(json: line)
      }
      try await store.append([view("run", at: 1_000)] + lengthened)
      var criteria = PurgeCriteria()
      (criteria.since, criteria.until) = (Timestamp(seconds: 2_000), Timestamp(seconds: 3_000))
      #expect(try store.purge(.matching(criteria))?.plan.eventCount == 1)
      #expect(try [1, 2, 3].map { try store.event(at: $0)?.event.item } == ["run", nil, "other"])
    }
  }

  @Test func `a purge of a span leaves what was before it of what went on when it began`()
    async throws
  {
    try await withStore { store in
      let inserted = #"""
        {"kind":"view","item":"long","time":500,"dwell":3000.5,"source":"activitywatch/w",\#
        "activitywatch":{"bucket":"w","data":{"app":"a"}}}
        """#
      let others = [
        #"{"kind":"view","item":"short","time":500,"dwell":1500,"source":"activitywatch/w"}"#,
        #"{"kind":"view","item":"other","time":500,"dwell":3000,"source":"import"}"#,
        #"{"kind":"extend","item":"run","time":2900,"of":1,"dwell":900.25}"#,
        #"{"kind":"extend","item":"run","time":4000,"of":1,"dwell":2000}"#,
        #"{"kind":"impression","shown":["long"],"time":700}"#,
      ]
      try await store.append(
        [view("run", at: 1_000)] + ([inserted] + others).map { try Event(json: $0) })
      var criteria = PurgeCriteria()
      criteria.since = Timestamp(seconds: 2_000)
      #expect(try store.planPurge(.matching(criteria)).eventCount == 3)
      let receipt = try #require(try store.purge(.matching(criteria)))
      #expect(receipt.sequence == 8)
      let left = try store.events().map(\.event).filter { $0.kind != .purge }
      #expect(left.map(\.item) == ["run", "short", "other", nil, "long", "run"])
      #expect(left.map(\.dwell) == [nil, 1_500, 3_000, nil, 1_500, 1_000])
      #expect(left[4].extras["activitywatch"] != nil && left[5].extended == 1)
      let told = #"{"bucket":"w","data":{"app":"a"},"id":2}"#
      let kept = try JSONValue(parsing: Array(told.utf8).span)
      #expect(left[4].extras["activitywatch"] == kept)
      // Nothing of it is in the span any more.
      #expect(try store.purge(.matching(criteria))?.sequence == nil)
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test func `a purge of a span tells the log of a run also what stood aside of it`() async throws {
    try await withStore { store in
      let lengthened = #"{"kind":"extend","item":"run","time":4000,"of":1,"dwell":1000}"#
      try await store.append([view("run", at: 1_000), try Event(json: lengthened)])
      for (length, dwell) in [(900_000_000, 1_000.0), (2_500_000_000, 2_000), (0, 1_000)] {
        try write("1 \(length)\n", to: store.runsPath)
        var criteria = PurgeCriteria()
        criteria.since = Timestamp(seconds: 3_000)
        _ = try store.purge(.matching(criteria))
        #expect(try store.events().last?.event.dwell == dwell)
        try await store.append(try Event(json: lengthened))
      }
    }
  }

  @Test func `a file of another version gets a count, by which all see a change of any line`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/runs"
      try write("3 10\n7 40\n5 900\n", to: path)
      try RunLines.begin(path)
      #expect(try RunLines.lengths(path) == [3: 10, 5: 900, 7: 40])
      let file = try OpenFile(path, O_RDWR)
      #expect(try RunLines.changeCount(of: file) == 0)
      for count in 1...300 as ClosedRange<UInt16> {
        _ = try RunLines.limit(path) { $0 == 5 ? 900 - Int64(count) : .max }
        #expect(try RunLines.changeCount(of: file) == 2 * count)
      }
      // One who was killed may have changed lines and not counted that.
      _ = try RunLines.limit(path) { $0 == 5 ? 600 : .max }
      #expect(try RunLines.changeCount(of: file) == 602)
      // A file that has one keeps it.
      try RunLines.begin(path)
      #expect(try RunLines.changeCount(of: file) == 602)
      #expect(try RunLines.lengths(path) == [3: 10, 5: 600, 7: 40])
      // Who adds a line while others are looked at sees a change as well.
      var seen: UInt16 = 0
      _ = try RunLines.limit(path) { (_) throws(CairnError) -> Int64 in
        seen = try RunLines.changeCount(of: file)
        return .max
      }
      #expect(seen == 603)
    }
  }

  @Test func `only what came meanwhile is looked at again`() async throws {
    try await withDirectory { directory in
      let path = directory + "/runs"
      try write((1...100).map { "\($0) 900\n" }.joined(), to: path)
      try RunLines.begin(path)
      let file = try OpenFile(path, O_RDWR)
      var looks = 0
      _ = try RunLines.limit(path) { (_) throws(CairnError) -> Int64 in
        looks += 1
        if looks == 50 {
          let end = RunLines.end(of: try RunLines.readAll(path)).next
          try file.write(Array("101 900\n".utf8).rawSpan, at: end)
        }
        return 8
      }
      let lengths = try RunLines.lengths(path)
      #expect(looks == 102 && lengths.count == 101 && lengths.values.allSatisfy { $0 == 8 })
    }
  }

  @Test func `a backup has the runs of its events, and a restore those that live on`() async throws
  {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await fill(store)
      let file = FileHandle(forWritingAtPath: store.runsPath)
      try file?.seekToEnd()
      try file?.write(contentsOf: Data("41 7\n".utf8))
      _ = try store.backUp(into: directory + "/backup")
      #expect(try RunLines.lengths("\(directory)/backup/\(RunLines.name)").count == 40)
      _ = try store.purge(.domain("a"))
      let report = try Store.restore(
        directory + "/backup", into: directory + "/restored", original: store)
      #expect(report.purgedCount == 20)
      let runs = try RunLines.lengths("\(directory)/restored/\(RunLines.name)")
      #expect(runs.count == 20)
      #expect(runs.allSatisfy { $0.value == $0.key * 1_000 })
      let restored = try Store.open(at: directory + "/restored")
      #expect(try restored.verify(deep: true).problems == [])
      restored.close()
      store.close()
    }
  }

  @Test func `verify names damage and lines of events that are not there`() async throws {
    try await withStore { store in
      try await fill(store)
      #expect(try store.verify().problems == [])
      _ = try store.purge(.item("item 1"))
      let head = try store.at().sequence
      try write("5 1\nnonsense\n    \n1 9\n\(head + 1) 4\n6 1", to: store.runsPath)
      let problems = try store.verify().problems
      #expect(problems.map(\.place) == [2, 4, 5].map { "serve.runs, line \($0)" })
      try FileManager.default.removeItem(atPath: store.runsPath)
      try FileManager.default.createDirectory(
        atPath: store.runsPath, withIntermediateDirectories: false)
      #expect(try store.verify().problems.map(\.place) == ["serve.runs"])
    }
  }
}
