import Cairn
import Testing

private let start: Int64 = 1_700_000_000

/// What an event's unknown keys say about a use.
@Suite struct UseNotesTests {
  private func view(
    _ item: String, deliberate: Bool? = nil, _ keys: JSONObject = [:], at time: Int64 = start
  ) -> Event {
    Event(
      kind: .view, item: item, time: Timestamp(seconds: time), recorded: Timestamp(seconds: time),
      deliberate: deliberate, extras: keys)
  }

  /// The weight of each item's only use.
  private func weights(_ events: [Event]) async throws -> [String: Double] {
    try await withStore { store in
      let items = Set(events.compactMap(\.item))
      try await store.append(items.sorted().map { index($0, title: $0) })
      try await store.append(events)
      let top = try store.at(.head, now: Timestamp(seconds: start + 60)).top(
        limit: nil, explains: true)
      return Dictionary(
        uniqueKeysWithValues: top.map { ($0.item, $0.explanation?.uses.first?.weight ?? -1) })
    }
  }

  @Test func `what nobody asked to see hardly counts, whatever else it says`() async throws {
    let found = try await weights([
      view("redirect", deliberate: true, ["transition": .string("redirect")]),
      view("reload", ["transition": .string("reload")]),
      view("embed", ["transition": .string("embed")]),
      view("auto", ["transition": .string("auto"), "visits": .number("40")]),
      view("typed", ["transition": .string("typed")]), view("plain"),
      view("meant", deliberate: true), view("passed", deliberate: false),
    ])
    for item in ["redirect", "reload", "embed", "auto"] {
      #expect(found[item] == Double(Float(0.1)), "\(item)")
    }
    #expect(found["typed"] == 1 && found["plain"] == 1)
    #expect(found["meant"] == 2 && found["passed"] == 0.5)
  }

  @Test func `visits counted elsewhere count more than one and less than as many, up to fifty`()
    async throws
  {
    let found = try await weights([
      view("one", ["visits": .number("1")]), view("ten", ["visits": .number("10")]),
      view("fifty", ["visits": .number("50")]), view("many", ["visits": .number("1e9")]),
      view("none", ["visits": .number("0")]), view("less", ["visits": .number("-3")]),
      view("word", ["visits": .string("9")]),
    ])
    #expect(abs(try #require(found["ten"]) - 5.012) < 0.001)
    #expect(abs(try #require(found["fifty"]) - 15.462) < 0.001)
    #expect(found["many"] == found["fifty"])
    for item in ["one", "none", "less", "word"] { #expect(found[item] == 1, "\(item)") }
  }

  @Test func `a device is evidence, no filter, now and at past points, after rebuild and purge`()
    async throws
  {
    try await withStore { store in
      try await store.append([
        index("desk", title: "red tram"), index("phone", title: "red tram"),
        index("gone", title: "gone", domain: "gone"),
      ])
      try await store.append([view("gone")])
      for step in 0..<12 as Range<Int64> {
        try await store.append([
          view("desk", ["device": .string("desk")], at: start + step * 600),
          view("phone", ["device": .string("phone")], at: start + step * 600),
        ])
      }
      func first(_ device: String?, _ point: Point = .head) throws -> String? {
        var request = SearchRequest("tram")
        if let device {
          request.context = SearchContext()
          request.context?.device = device
        }
        let hits = try store.at(point, now: Timestamp(seconds: start + 9_000)).search(request)
        #expect(hits.count == 2)
        return hits.first?.item
      }
      for point in [.head, .sequence(20)] as [Point] {
        #expect(try first("desk", point) == "desk")
        #expect(try first("phone", point) == "phone")
      }
      #expect(try first("elsewhere") == first(nil))
      #expect(try #require(try store.rebuild()).allSatisfy(\.isEqual))
      #expect(try first("phone") == "phone")
      // The use that goes makes the ranking be folded from what was copied.
      _ = try store.purge(.domain("gone"))
      #expect(try first("desk") == "desk")
      #expect(try first("phone") == "phone")
    }
  }

  @Test func `views teach search nothing by other keys than those that say something about it`()
    async throws
  {
    try await withStore { store in
      let keys: [JSONObject] = [
        ["transition": .string("link")], ["device": .string("phone")], ["untimed": .bool(true)],
        ["visits": .number("3")], ["mood": .string("less")],
      ]
      try await store.append(keys.indices.map { index("item \($0)", title: "tram \($0)") })
      try await store.append(keys.enumerated().map { view("item \($0)", $1) })
      func learned() throws -> Int {
        try store.tables().first { $0.table == "engagement" }?.rowCount ?? 0
      }
      #expect(try learned() == 0)
      try await store.append([view("item 1", ["feedback": .string("less")])])
      #expect(try learned() > 0)
      #expect(try #require(try store.rebuild()).allSatisfy(\.isEqual))
    }
  }
}
