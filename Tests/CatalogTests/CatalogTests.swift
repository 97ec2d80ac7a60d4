import Catalog
import Events
import LMDB
import Projections
import TestSupport
import Testing

/// The catalog against a dictionary of what is there; a failure names its seed.
@Suite struct CatalogTests {
  /// Events of every kind that changes what is there.
  private static func history(
    _ count: Int, _ random: inout SeededGenerator, hasParts: Bool = true
  ) -> [Event] {
    (0..<count).map { number in
      // Every fourth is an activity that an app's front end remembers.
      func name() -> String {
        let number = Int.random(in: 0..<25, using: &random)
        return hasParts && number % 4 == 0 ? "\u{1}activity:\(number)" : "item \(number)"
      }
      let item = name()
      let domain = ["a", "a.b", "c"].randomElement(using: &random) ?? "a"
      let attributes: Attributes = ["title": .string("title \(number)")]
      let source = Int.random(in: 0..<3, using: &random) == 0 ? "web" : "app"
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4 where source == "web":
        let others = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          JSONValue.string(name())
        }
        return Event(
          kind: .index, item: item, domain: .value("web." + domain), source: source,
          attributes: attributes,
          extras: others.isEmpty || !hasParts ? [:] : ["items": .array(others)])
      case 0..<4:
        var linked = attributes
        if item.hasPrefix("\u{1}"), Int.random(in: 0..<4, using: &random) > 0 {
          linked["relatedUniqueIdentifier"] = .string(name())
        }
        return Event(kind: .index, item: item, domain: .value(domain), attributes: linked)
      case 4, 5:
        return Event(
          kind: .update, item: item, domain: Bool.random(using: &random) ? .cleared : .absent,
          attributes: attributes)
      case 6:
        // Half of the views say what another one said.
        let linked: Attributes = ["title": .string("title"), "webpageURL": .string("https://h/")]
        return Event(
          kind: .view, item: item, attributes: Bool.random(using: &random) ? linked : attributes)
      case 7: return Event(kind: .view, item: item)
      case 8: return Event(kind: .delete, item: item, source: source)
      default:
        return number % 7 == 0
          ? Event(kind: .delete, all: true) : Event(kind: .delete, domain: .value(domain))
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `knows what was there at every sequence, however the log was cut`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = Self.history(160, &random)
    let expected = CatalogModel.presence(events)
    let store = try CatalogStore()
    try store.append(events)
    try store.fold(batchCount: Int.random(in: 1...40, using: &random))
    for (index, present) in expected.enumerated() {
      #expect(
        try store.present(asOf: UInt64(index + 1)) == present, "seed \(seed), event \(index + 1)")
    }
    #expect(store.checkpoint.presentCount == UInt32(expected.last?.count ?? 0))
    #expect(try store.audit() == store.checkpoint[Catalog.name])
    let whole = try CatalogStore()
    try whole.fold(of: store.log)
    #expect(whole.checkpoint[Catalog.name] == store.checkpoint[Catalog.name], "seed \(seed)")
  }

  @Test(arguments: [7, 8, 9, 10] as [UInt64])
  func `a copy without some items is a fold without their events`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try CatalogStore()
    try store.append(Self.history(120, &random, hasParts: false))
    let resolved = try store.fold()
    // All events of some items, so that no item that stays loses one that made a version of it.
    let items = Set(resolved.map(\.item)).filter { $0 != ResolvedEvent.none && $0 % 3 == 0 }
    let gone = Set(resolved.filter { items.contains($0.item) }.map(\.sequence))
    let copy = try CatalogStore()
    let isWhole = try copy.fill(
      from: store, without: gone.sorted(), kept: resolved.filter { !gone.contains($0.sequence) })
    #expect(isWhole, "seed \(seed)")
    let folded = try CatalogStore()
    try folded.fold(of: store.log, without: gone)
    #expect(try copy.present() == folded.present(), "seed \(seed)")
    #expect(copy.checkpoint[Catalog.name] == folded.checkpoint[Catalog.name], "seed \(seed)")
    #expect(copy.checkpoint.presentCount == folded.checkpoint.presentCount)
    #expect(try copy.audit() == copy.checkpoint[Catalog.name])
  }

  @Test func `a copy says when an item that stays was made by an event that goes`() throws {
    let store = try CatalogStore()
    try store.append([
      Event(kind: .index, item: "a", attributes: ["title": .string("one")]),
      Event(kind: .update, item: "a", attributes: ["title": .string("two")]),
    ])
    let resolved = try store.fold()
    let copy = try CatalogStore()
    #expect(try !copy.fill(from: store, without: [2], kept: Array(resolved.prefix(1))))
  }

  @Test func `a copy says when a part goes of what stays`() throws {
    let store = try CatalogStore()
    let title: Attributes = ["title": .string("one")]
    try store.append([
      Event(kind: .index, item: "a", attributes: title),
      Event(kind: .view, item: "b", attributes: title),
      Event(
        kind: .index, item: "a", source: "web", attributes: title,
        extras: ["items": .array([.string("b"), .string("a"), .string("nowhere")])]),
    ])
    let resolved = try store.fold()
    #expect(try store.present() == ["a": ""] && store.present(asOf: 2) == ["a": "", "b": ""])
    #expect(
      try !CatalogStore().fill(from: store, without: [2], kept: [resolved[0], resolved[2]]))
    #expect(try !CatalogStore().fill(from: store, without: [1, 3], kept: [resolved[1]]))
  }

  @Test func `a copy says when a view that goes was only noted`() throws {
    let store = try CatalogStore()
    try store.append([
      Event(kind: .index, item: "a", attributes: ["title": .string("one")]),
      Event(kind: .view, item: "a", attributes: ["title": .string("two")]),
      Event(kind: .view, item: "a", attributes: ["title": .string("two")]),
    ])
    let resolved = try store.fold()
    #expect(
      try CatalogStore().fill(from: store, without: [3], kept: Array(resolved.prefix(2))))
    #expect(
      try !CatalogStore().fill(from: store, without: [2], kept: [resolved[0], resolved[2]]))
  }

  @Test func `a wrong count of a domain's items is found`() throws {
    let store = try CatalogStore()
    try store.append([
      Event(kind: .index, item: "a", domain: .value("d")), Event(kind: .index, item: "b"),
    ])
    try store.fold()
    #expect(try store.audit() == store.checkpoint[Catalog.name])
    for domain in [0, ResolvedEvent.none] {
      try store.environment.write { (txn) throws(CairnError) in
        try txn.put(store.environment[Catalog.Name.members], Catalog.countKey(domain), [2])
      }
      expectError(.corrupt) { try store.audit() }
      try store.environment.write { (txn) throws(CairnError) in
        try txn.put(store.environment[Catalog.Name.members], Catalog.countKey(domain), [1])
      }
    }
    #expect(try store.audit() == store.checkpoint[Catalog.name])
  }

  @Test func `a damaged version or name is found, and never served as something else`() throws {
    var random = SeededGenerator(seed: 11)
    let store = try CatalogStore()
    try store.append(Self.history(60, &random))
    try store.fold()
    for name in [Catalog.Name.versions, Catalog.Name.items, Catalog.Name.names] {
      let table = store.environment[name]
      let first = try store.environment.read { (txn) throws(CairnError) in
        var first: (key: [UInt8], row: [UInt8])?
        try txn.scan(table) { (key, row) throws(CairnError) in
          first = (key.array(), row.array())
          return false
        }
        return first
      }
      let (key, row) = try #require(first)
      for damaged in [[], [0xFF], Array(row.dropLast()), row + [1]] as [[UInt8]]
      where damaged != row {
        try store.environment.write { (txn) throws(CairnError) in
          try txn.put(table, key, damaged)
        }
        let found = try? store.audit()
        #expect(found != store.checkpoint[Catalog.name], "\(name) with \(damaged)")
      }
      try store.environment.write { (txn) throws(CairnError) in try txn.put(table, key, row) }
      #expect(try store.audit() == store.checkpoint[Catalog.name])
    }
  }
}
