import Cairn
import TestSupport
import Testing

/// Differences between points, held against all items of both.
@Suite struct DiffModelTests {
  private static func event(_ number: Int, _ random: inout SeededGenerator) -> Event {
    let item = "item \(Int.random(in: 0..<30, using: &random))"
    let domain = ["a", "a.b", "a.b.c", "ab", "z"][Int.random(in: 0..<5, using: &random)]
    let time = 1_700_000_000 + Int64(number)
    var event: Event
    switch Int.random(in: 0..<14, using: &random) {
    case 0: event = Event(kind: .delete, item: item)
    case 1: event = Event(kind: .delete, domain: .value(domain))
    case 2 where number % 5 == 0:
      event = Event(kind: .delete)
      event.all = true
    case 3, 4: event = view(item, at: time)
    case 5, 6:
      event = Event(kind: .update, item: item, attributes: ["comment": .integer(Int64(number % 3))])
      if number % 2 == 0 { event.domain = number % 4 == 0 ? .cleared : .value(domain) }
    default:
      event = index(item, title: "t \(number % 3)", domain: domain, at: time)
      if number % 6 == 0 { event.expires = .value(Timestamp(seconds: time + 20)) }
    }
    event.recorded = Timestamp(seconds: time)
    return event
  }

  /// All items of both points compared.
  private static func reference(_ old: Moment, _ new: Moment, _ domain: String?) throws
    -> [String]
  {
    func listed(_ moment: Moment) throws -> [String: Item] {
      Dictionary(try moment.items().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }
    func isIn(_ item: Item?) -> Bool {
      guard let domain else { return item != nil }
      return item?.domain == domain || item?.domain?.hasPrefix(domain + ".") == true
    }
    let (before, after) = (try listed(old), try listed(new))
    var lines: [String] = []
    for id in Set(before.keys).union(after.keys)
    where isIn(before[id]) || isIn(after[id]) {
      let (one, other) = (before[id], after[id])
      if let one, let other {
        guard one.attributes != other.attributes || one.domain != other.domain else { continue }
      }
      lines.append("\(id) \(one == nil ? "added" : other == nil ? "removed" : "changed")")
    }
    return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `are those of all items, at any two points`(seed: UInt64) async throws {
    try await withStore { store in
      var random = SeededGenerator(seed: seed)
      try await store.append((1...400).map { Self.event($0, &random) })
      if seed == 4 { _ = try store.purge(.item("item 7")) }
      let head = try store.at().sequence
      for round in 0..<60 {
        let points = [
          UInt64.random(in: 0...head, using: &random), .random(in: 0...head, using: &random),
        ]
        let old = try store.at(.sequence(points[0]))
        let new = try store.at(round % 7 == 0 ? .head : .sequence(points[1]))
        for domain in [nil, "a", "a.b", "z"] {
          var found: [String] = []
          try store.forEachChange(from: old, to: new, domain: domain) { change in
            found.append("\(change.item) \(change.kind.rawValue)")
            return true
          }
          #expect(
            try found == Self.reference(old, new, domain),
            "seed \(seed), \(points), \(domain ?? "-")")
        }
      }
    }
  }

  /// Identifiers of which many begin alike with more bytes than a row's key has.
  private static let longNames = (0..<600).map { number in
    let end = "\(number * 7_919 % 600)"
    return number % 3 == 0 ? "m \(end)" : String(repeating: "l", count: 500) + end
  }

  @Test(arguments: [1, 300, 590])
  func `come in pages that follow each other, also of long identifiers`(from: UInt64) async throws {
    try await withStore { store in
      try await store.append(Self.longNames.map { index($0, title: "t") })
      try await store.append(Self.longNames.prefix(9).map { index($0, title: "u") })
      let (old, new) = (try store.at(.sequence(from)), try store.at())
      let wanted = Set(Self.longNames.dropFirst(Int(from)) + Self.longNames.prefix(9))
      let names = wanted.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      var random = SeededGenerator(seed: from)
      var found: [String] = []
      while found.count < names.count {
        let count = Int.random(in: 1...300, using: &random)
        var page: [String] = []
        try store.forEachChange(from: old, to: new, after: found.last) { change in
          page.append(change.item)
          return page.count < count
        }
        try #require(!page.isEmpty)
        found += page
      }
      #expect(found == names)
      let items = try new.items().map(\.id)
      for index in stride(from: 0, to: items.count, by: 41) {
        var rest: [String] = []
        try new.forEachItem(after: items[index]) { item in
          rest.append(item.id)
          return true
        }
        #expect(rest[...] == items[(index + 1)...])
      }
    }
  }

  @Test(arguments: [5, 6] as [UInt64])
  func `a trace has every state that an item had, and no other`(seed: UInt64) async throws {
    try await withStore { store in
      var random = SeededGenerator(seed: seed)
      try await store.append((1...300).map { Self.event($0, &random) })
      let head = try store.at().sequence
      for item in ["item 1", "item 9", "item 17"] {
        let steps = try #require(try store.trace(item))
        var last = 0
        for sequence in 1...head {
          let moment = try store.at(.sequence(sequence))
          if last < steps.count, steps[last].sequence == sequence { last += 1 }
          let now = try moment.item(item)
          // Between events an item can only expire.
          if let step = last > 0 ? steps[last - 1] : nil, step.sequence == sequence {
            #expect(step.item == now, "seed \(seed), \(item), \(sequence)")
            let ranked = try moment.top(limit: nil).first { $0.item == item }
            #expect(step.score == ranked?.score, "seed \(seed), \(item), \(sequence)")
            if let ranked { #expect(step.viewCount == ranked.viewCount) }
          } else if let now {
            #expect(last > 0 && steps[last - 1].item == now, "seed \(seed), \(item), \(sequence)")
          }
        }
        #expect(last == steps.count)
        let half = try store.trace(item, through: head / 2) ?? []
        #expect(half == Array(steps.prefix(half.count)))
        #expect(half.count == steps.filter { $0.sequence <= head / 2 }.count)
      }
      #expect(try store.trace("never") == nil)
    }
  }

  @Test func `a trace counts the views of parts as the ranking does`() async throws {
    try await withStore { store in
      let page = Event(
        kind: .index, item: "whole", source: "web", attributes: ["title": "P"],
        extras: ["items": .array([.string("part")])])
      try await store.append([
        index("whole", title: "W"), index("part", title: "T"), view("part", at: 1_700_000_000),
        page, view("part", at: 1_700_000_100), view("whole", at: 1_700_000_200),
        .delete("part"),
      ])
      let steps = try #require(try store.trace("whole"))
      #expect(steps.map(\.sequence) == [1, 4, 5, 6, 7])
      #expect(steps.map(\.viewCount) == [0, 1, 2, 3, 1])
      for step in steps {
        let ranked = try store.at(.sequence(step.sequence)).top().first { $0.item == "whole" }
        #expect(step.score == ranked?.score && step.viewCount == ranked?.viewCount ?? 0)
      }
      // A part has steps of its own, which are no others' views.
      let ofPart = try #require(try store.trace("part")).prefix { $0.kind != .delete }
      #expect(ofPart.map(\.sequence) == [2, 3, 4, 5])
      #expect(ofPart.map(\.viewCount) == [0, 1, 1, 2])
    }
  }
}
