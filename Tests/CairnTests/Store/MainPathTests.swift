import Cairn
import Foundation
import TestSupport
import Testing

@Suite struct MainPathTests {
  @Test func `what is appended is found, ranked and remembered`() async throws {
    try await withStore { store in
      try await store.append([
        index("a", title: "Lisbon tram", domain: "city.lisbon"),
        index("b", title: "Lisbon harbour", domain: "city.lisbon"),
        index("c", title: "Porto tram", domain: "city.porto"), view("a", at: 1_700_000_100),
        view("b", at: 1_700_000_200), view("b", at: 1_700_000_300),
      ])
      let now = store.self
      #expect(try now.at().search("lisbon").map(\.item) == ["b", "a"])
      #expect(try now.at().search("tram").map(\.item) == ["a", "c"])
      #expect(try now.at().top(by: .count).map(\.item) == ["b", "a"])
      #expect(try now.at().items(domain: "city").map(\.id) == ["a", "b", "c"])
      #expect(try now.at().items(domain: "cit").isEmpty)
      #expect(try now.at(.sequence(2)).items().map(\.id) == ["a", "b"])
      #expect(try now.at(.sequence(2)).search("tram").map(\.item) == ["a"])
      #expect(try now.at(.sequence(4)).top().map(\.item) == ["a"])
    }
  }

  @Test func `the greatest and the least numbers are answered or refused`() async throws {
    try await withStore { store in
      try await store.append([index("a", title: "tram"), view("a", at: 1_700_000_100)])
      let now = try store.at()
      for limit in [0, 1, Int.max] {
        #expect(try now.search("tram", limit: limit).count == min(limit, 1))
        #expect(try now.top(limit: limit).count == min(limit, 1))
        #expect(try now.suggestions(for: "tr", limit: limit).isEmpty == (limit == 0))
      }
      expectError(.badArgument) { try now.search("tram", limit: Int.min) }
      #expect(try now.top(limit: Int.min).isEmpty)
      var request = SearchRequest("tram")
      request.offset = Int.max
      #expect(try now.search(request).isEmpty)
      #expect(try now.correction(of: request, afterFinding: now.search("tram")) == nil)
      var query = EventQuery()
      query.limit = Int.min
      #expect(try store.events(query).isEmpty)
      query.limit = Int.max
      query.from = UInt64.max
      query.through = UInt64.max
      #expect(try store.events(query).isEmpty)
      query.item = ""
      #expect(try store.events(query).isEmpty)
      expectError(.noSuchPoint) { try store.at(.sequence(UInt64.max)) }
    }
  }

  @Test func `a moment and a distance of any length are a moment`() {
    let time = Timestamp(seconds: 0, nanoseconds: 5)
    for seconds in [Int64.max, 1_000_000_000_000] {
      #expect(time + Duration.seconds(seconds) == .latest)
      #expect(time - Duration.seconds(seconds) == .earliest)
    }
    #expect(time + Duration.seconds(Int64.min) == .earliest)
    #expect(time - Duration.seconds(Int64.min) == .latest)
    #expect(time - Duration.nanoseconds(6) == Timestamp(seconds: -1, nanoseconds: 999_999_999))
    #expect(time + Duration.nanoseconds(999_999_995) == Timestamp(seconds: 1))
  }

  @Test(arguments: [.nan, .infinity, -.infinity] as [Double])
  func `a date that is no moment is no value of an attribute`(seconds: Double) {
    #expect(Date(timeIntervalSince1970: seconds).attributeValue == .null)
  }

  @Test func `errors speak of the store, not of a command's options`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cairn-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data().write(to: URL(filePath: folder + "/file"))
    for path in [folder, folder + "/file", folder + "/file/x", folder + "/none"] {
      let error = #expect(throws: CairnError.self) {
        _ = try Store.open(at: path, access: .readOnly)
      }
      let text = error?.localizedDescription ?? ""
      #expect(text.hasPrefix(path + ": ") && !text.contains("--"), "\(text)")
      #expect(!text.contains("cairn ") && error?.code != .io, "\(text)")
    }
  }

  @Test func `an empty folder is none to read, and becomes a store`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cairn-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let error = #expect(throws: CairnError.self) {
      _ = try Store.open(at: folder, access: .readOnly)
    }
    #expect(error?.code == .missing, "\(error?.message ?? "")")
    try Store.open(at: folder).close()
    try Store.open(at: folder, access: .readOnly).close()
  }

  @Test func `a view with a title brings back what has expired, and covers nothing before`()
    async throws
  {
    try await withStore { store in
      let start: Int64 = 1_700_000_000
      let visits: [(at: Int64, end: Int64)] = [(20, 50), (40, 90), (60, 70), (80, 200)]
      try await store.append(
        visits.enumerated().map { number, visit in
          var event = view("a", at: start + visit.at)
          event.recorded = event.time
          event.attributes["title"] = .string("visit \(number)")
          event.expires = .value(Timestamp(seconds: start + visit.end))
          return event
        })
      for (sequence, title) in [(1, "visit 0"), (2, "visit 0"), (3, "visit 2"), (4, "visit 3")] {
        let moment = try store.at(.sequence(UInt64(sequence)))
        #expect(try moment.items().compactMap(\.title) == [title])
        #expect(try moment.search(title).compactMap(\.title) == [title])
        #expect(try moment.top().map(\.viewCount) == [sequence])
      }
      #expect(try store.at().items().isEmpty)
      #expect(try #require(try store.rebuild()).allSatisfy { $0.isEqual })
    }
  }

  @Test func `an item that comes back starts afresh and keeps its history`() async throws {
    try await withStore { store in
      try await store.append([
        index("a", title: "one"), view("a", at: 1_700_000_100), view("a", at: 1_700_000_200),
        Event(kind: .delete, item: "a"), view("a", at: 1_700_000_300), index("a", title: "two"),
        view("a", at: 1_700_000_400),
      ])
      let top = try store.at().top()
      #expect(top.map(\.viewCount) == [1])
      #expect(try store.at(.sequence(3)).top().map(\.viewCount) == [2])
      #expect(try store.at(.sequence(4)).items().isEmpty)
      #expect(try store.at().search("one").isEmpty)
      #expect(try store.at(.sequence(1)).search("one").count == 1)
      var query = EventQuery()
      query.item = "a"
      #expect(try store.events(query).count == 7)
    }
  }

  @Test func `events are told by their times to the nanosecond`() async throws {
    try await withStore { store in
      let times = [0, 1, 999, 1_000].map {
        Timestamp(seconds: 1_700_000_000, nanoseconds: $0)
      }
      try await store.append(times.map { Event(kind: .view, item: "a", time: $0) })
      for first in times.indices {
        for last in first..<times.count {
          var query = EventQuery(since: times[first], until: times[last])
          #expect(try store.events(query).compactMap(\.event.time) == Array(times[first...last]))
          (query.isReversed, query.limit) = (true, 1)
          #expect(try store.events(query).compactMap(\.event.time) == [times[last]])
        }
      }
    }
  }

  @Test func `events of a source are found among others`() async throws {
    try await withStore { store in
      let events = (0..<3_000).map { number -> Event in
        var event = view("a", at: 1_700_000_000 + Int64(number))
        if number % 1_000 == 999 { event.source = "rare" }
        return event
      }
      try await store.append(events)
      var query = EventQuery()
      query.source = "rare"
      #expect(try store.events(query).map(\.sequence) == [1_000, 2_000, 3_000])
      (query.isReversed, query.limit) = (true, 2)
      #expect(try store.events(query).map(\.sequence) == [3_000, 2_000])
      query.actor = "nobody"
      #expect(try store.events(query).isEmpty)
    }
  }

  @Test func `deleting a domain leaves its neighbours alone`() async throws {
    try await withStore { store in
      try await store.append([
        index("1", title: "x", domain: "a"), index("2", title: "x", domain: "a.b"),
        index("3", title: "x", domain: "ab"), index("4", title: "x"),
        Event(kind: .delete, domain: .value("a")),
      ])
      #expect(try store.at().items().map(\.id) == ["3", "4"])
      #expect(try store.at().search("x").map(\.item).sorted() == ["3", "4"])
      try await store.append([Event(kind: .delete, all: true)])
      #expect(try store.at().items().isEmpty)
    }
  }

  @Test func `updates merge by attribute, whatever their number`() async throws {
    try await withStore { store in
      try await store.append([index("a", title: "start", ["keep": .integer(1), "x": .string("y")])])
      for number in 0..<30 {
        try await store.append([
          Event(
            kind: .update, item: "a",
            attributes: [
              "title": .string("title \(number)"), "n\(number % 5)": .integer(Int64(number)),
              "x": .null,
            ])
        ])
      }
      let item = try #require(try store.at().item("a"))
      #expect(item.title == "title 29")
      #expect(item.attributes["keep"] == .integer(1))
      #expect(item.attributes["x"] == nil)
      #expect(item.attributes["n4"] == .integer(29))
      #expect(try store.at(.sequence(11)).item("a")?.title == "title 9")
      #expect(try store.at().search("title 29").count == 1)
    }
  }

  @Test func `rebuilt projections equal incremental ones`() async throws {
    try await withStore { store in
      for round in 0..<20 {
        try await store.append([
          index("i\(round % 7)", title: "word\(round) common", domain: "d\(round % 3).e"),
          view("i\(round % 5)", at: 1_700_000_000 + Int64(round * 977 % 4_000)),
        ])
      }
      try await store.append([Event(kind: .delete, domain: .value("d1"))])
      let results = try #require(try store.rebuild())
      #expect(results.allSatisfy(\.isEqual) && results.count == Store.projectionNames.count)
      #expect(try store.replayVerify().allSatisfy(\.result.isEqual))
      let verification = try store.verify(deep: true)
      #expect(verification.problems == [])
    }
  }
}

@Suite struct CopyTests {
  @Test func `a copy stands where the store stood, with the same root`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/one")
      for number in 0..<40 {
        try await store.append([
          index("i\(number % 9)", title: "tram \(number)"),
          view("i\(number % 4)", at: 1_700_000_000),
        ])
      }
      let moment = try store.at(.sequence(33))
      try store.copy(at: moment, into: directory + "/two")
      let copy = try Store.open(at: directory + "/two", access: .readOnly)
      #expect(try copy.at().items() == moment.items())
      #expect(try copy.at().search("tram").map(\.item) == moment.search("tram").map(\.item))
      #expect(try copy.verify(deep: true).problems == [])
      let root = try store.createSnapshot("there", at: .sequence(33)).rootHash
      #expect(try copy.verify().rootHash == root)
      expectError(.badArgument) {
        try store.copy(at: moment, into: directory + "/two")
      }
      copy.close()
      store.close()
    }
  }
}
