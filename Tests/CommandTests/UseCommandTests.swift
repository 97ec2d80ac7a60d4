import Foundation
import Testing

/// What the command line says of uses, and asks about them.
@Suite struct UseCommandTests {
  private struct Explained: Decodable {
    struct Why: Decodable {
      struct Use: Decodable { var weight: Double }
      struct Scale: Decodable { var amplitude: Double }

      var uses: [Use]
      var scales: [Scale]
      var fit: Double?
      var follow: Double?
    }

    var item: String
    var score: Double
    var explanation: Why
  }

  private struct Fitted: Decodable {
    var formula: String
    var multipliers: [Double]?
  }

  private func done(_ store: Store, _ arguments: String...) throws {
    let result = try store.run(arguments)
    try #require(result.status == 0, "cairn \(arguments): \(result.errors)")
  }

  /// Views as the shells of two people would report them.
  private func withViews(_ body: (Store) throws -> Void) throws {
    let store = Store("uses")
    var lines = EventLines()
    for number in 0..<12 {
      try lines.add(["kind": "index", "item": "i\(number)", "attributes": ["title": "tram"]])
    }
    for number in 0..<120 {
      try lines.add([
        "kind": "view", "item": "i\(number * number % 11)", "time": 1_700_000_000 + 900 * number,
        "actor": number % 3 == 0 ? "ann" : "ben", "device": number % 2 == 0 ? "desk" : "phone",
      ])
    }
    try store.append(lines.data)
    try body(store)
  }

  @Test func `what a view says of itself is stored, and counts as it should`() throws {
    let store = Store("weights")
    let views: [(String, [String], Double)] = [
      ("plain", [], 1), ("meant", ["--deliberate"], 2), ("passed", ["--no-deliberate"], 0.5),
      ("read", ["--dwell", "180"], 2), ("reload", ["--transition", "reload"], 0.1),
      ("redirect", ["--transition", "redirect", "--deliberate"], 0.1),
      ("counted", ["--visits", "10"], 5.012), ("much", ["--visits", "5000"], 15.462),
      ("there", ["--device", "phone", "--session", "s"], 1),
    ]
    for (item, options, _) in views {
      let result = try store.run(["view", item, "--title", item] + options)
      try #require(result.status == 0, "\(item): \(result.errors)")
    }
    let rows = try store.json(["top", "--limit", "0", "--explain"], as: Explained.self)
    for (item, _, weight) in views {
      let row = try #require(rows.first { $0.item == item })
      #expect(abs(try #require(row.explanation.uses.first).weight - weight) < 0.001, "\(item)")
    }
    let events = try store.run("log", "--json").objects()
    func event(_ item: String) -> [String: Any] {
      events.first { $0["item"] as? String == item } ?? [:]
    }
    #expect(event("there")["device"] as? String == "phone")
    #expect(event("there")["session"] as? String == "s")
    #expect(event("reload")["transition"] as? String == "reload")
    #expect(event("counted")["visits"] as? Int == 10)
  }

  @Test(arguments: [
    ["view", "a", "--visits", "0"], ["view", "a", "--visits", "some"],
    ["view", "a", "--transition", "teleport"], ["view", "a", "--device"], ["impression", "tram"],
    ["less"], ["top", "--by", "count", "--actor", "ann"], ["top", "--scales", "1,2,3"],
    ["top", "--scales", "best"], ["evaluate", "--scales", "fit"],
  ]) func `what makes no sense is refused and changes nothing`(line: [String]) throws {
    let store = Store("refused")
    try done(store, "view", "a", "--title", "a")
    let result = try store.run(line)
    #expect(result.status == 64)
    #expect(!result.errors.isEmpty)
    #expect(try store.run("log", "--json").objects().count == 1)
  }

  @Test func `results shown and wishes for less are recorded, and sink what they are about`() throws
  {
    let store = Store("less")
    for item in ["a", "b"] { try done(store, "index", item, "--title", "tram", "--domain", item) }
    func first() throws -> String? {
      try store.json(["search", "tram"], as: RankedRow.self).first?.item
    }
    #expect(try first() == "a")
    try done(store, "impression", "tram", "--shown", "a")
    #expect(try first() == "b")
    try done(store, "less", "b")
    #expect(try first() == "a")
    let kinds = try store.run("log", "--json").objects().compactMap { $0["kind"] as? String }
    #expect(kinds == ["index", "index", "impression", "impression"])
  }

  @Test func `who asks, where and after what moves the ranking by use and shuts nothing out`()
    throws
  {
    try withViews { store in
      let now = ["--now", "1700200000", "--limit", "0", "--explain"]
      let plain = try store.json(["top"] + now, as: Explained.self)
      #expect(plain.allSatisfy { $0.explanation.fit == nil })
      for options in [
        ["--actor", "ann"], ["--device", "phone"], ["--after", "i4"], ["--by-hour"],
        ["--session", "none"],
      ] {
        let told = try store.json(["top"] + now + options, as: Explained.self)
        #expect(Set(told.map(\.item)) == Set(plain.map(\.item)), "\(options)")
        #expect(told.allSatisfy { $0.explanation.fit != nil && $0.explanation.follow != nil })
        #expect(told.map(\.score) == told.map(\.score).sorted(by: >))
        #expect(told.map(\.score) != plain.map(\.score), "\(options)")
      }
      let text = try store.run(["top", "--actor", "ann", "--explain", "--now", "1700200000"])
      #expect(text.text.contains("fits the circumstances"))
    }
  }

  @Test func `weights fitted on the spot are those that evaluate shows, at past points too`() throws
  {
    try withViews { store in
      let rows = try store.json(["evaluate"], as: Fitted.self)
      let fitted = try #require(rows.first { $0.formula == "cairn-fitted" }?.multipliers)
      let numbers = fitted.map(\.description).joined(separator: ",")
      let now = ["--limit", "0", "--now", "1700200000"]
      let given = try store.json(["top", "--scales", numbers] + now, as: RankedRow.self)
      #expect(try store.json(["top", "--scales", "fit"] + now, as: RankedRow.self) == given)
      #expect(try store.json(["top"] + now, as: RankedRow.self) != given)
      func search(_ scales: String) throws -> [RankedRow] {
        try store.json(["search", "tram", "--scales", scales] + now, as: RankedRow.self)
      }
      #expect(try search("fit") == search(numbers))
      // The row that is told the circumstances has a seventh number, which counts where they are
      // told.
      let full = try #require(rows.first { $0.formula == "cairn-full" }?.multipliers)
      #expect(Array(full.prefix(6)) == fitted && full.count == 7 && full.last != 1)
      let seven = full.map(\.description).joined(separator: ",")
      func after(_ scales: String) throws -> [RankedRow] {
        try store.json(["top", "--after", "i4", "--scales", scales] + now, as: RankedRow.self)
      }
      #expect(try after("fit") == after(seven))
      #expect(try after(numbers) != after(seven))
      #expect(try store.json(["top", "--scales", seven] + now, as: RankedRow.self) == given)
      // Until the first view there is nothing to learn from.
      let early = ["top", "--as-of", "12", "--limit", "0"]
      #expect(try store.json(early + ["--scales", "fit"], as: RankedRow.self).isEmpty)
      let past = ["top", "--as-of", "60", "--explain"]
      let one = try store.json(past + ["--scales", "fit"], as: Explained.self)
      let two = try store.json(past + ["--scales", numbers], as: Explained.self)
      let (then, last) = try (#require(one.first).explanation, #require(two.first).explanation)
      #expect(then.scales.map(\.amplitude) != last.scales.map(\.amplitude))
    }
  }

  @Test func `each of many queries has its own circumstances and weights`() throws {
    try withViews { store in
      var lines = EventLines()
      try lines.add(["query": "tram", "limit": 0])
      try lines.add(["query": "tram", "limit": 0, "actor": "ann", "device": "desk"])
      try lines.add(["query": "tram", "limit": 0, "after": "i4", "byHour": true])
      try lines.add(["query": "tram", "limit": 0, "scales": "64,1,1,1,1,1"])
      try lines.add(["query": "tram", "limit": 0, "scales": "fit"])
      let now = ["--now", "1700200000"]
      let answers = try store.json(
        ["search", "--queries", "-"] + now, as: QueryAnswer.self, input: lines.data)
      let options = [
        [], ["--actor", "ann", "--device", "desk"], ["--after", "i4", "--by-hour"],
        ["--scales", "64,1,1,1,1,1"], ["--scales", "fit"],
      ]
      try #require(answers.count == options.count)
      for (answer, options) in zip(answers, options) {
        let alone = try store.json(
          ["search", "tram", "--limit", "0"] + now + options, as: RankedRow.self)
        #expect(answer.hits.map(\.score) == alone.map(\.score), "\(options)")
      }
      #expect(Set(answers.map { $0.hits.map(\.score) }).count == options.count)
      // What the command line says holds where a line says nothing else.
      let scaled = try store.json(
        ["search", "--queries", "-", "--scales", "64,1,1,1,1,1"] + now, as: QueryAnswer.self,
        input: Data(#"{"query":"tram","limit":0}"#.utf8))
      #expect(scaled.first?.hits.map(\.score) == answers[3].hits.map(\.score))
      for bad in [#""scales":"1,2""#, #""scales":3"#, #""byHour":"x""#, #""actor":7"#] {
        let line = Data(#"{"query":"tram",\#(bad)}"#.utf8)
        #expect(try store.run(["search", "--queries", "-"], input: line).status == 65, "\(bad)")
      }
    }
  }
}
