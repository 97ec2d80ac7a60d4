import TestSupport
import Testing

@testable import Cairn

/// Random lives with schemas, undos and deletions: what the store keeps from change to change is
/// what a model without a store makes of the log, what a rebuild makes, what another store makes
/// of the same stream.
@Suite struct SchemaModelTests {
  private static let domains = ["films", "films.x", "movies", "movies.y", "other"]
  private static let keys = ["a", "b", "c", "n", "al", "title"]

  private static let values: [AttributeValue] = [
    "x", "x y", "x y z", 7, true, ["x", "y"], "good", .double(2.5),
  ]

  private static func event(_ random: inout SeededGenerator) -> Event {
    let item = "i\(Int.random(in: 0..<12, using: &random))"
    var attributes: Attributes = [:]
    for key in keys where Int.random(in: 0..<3, using: &random) == 0 {
      attributes[key] = values.randomElement(using: &random)
    }
    let domain = domains.randomElement(using: &random) ?? "other"
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8:
      return Event(
        kind: .index, item: item, domain: Bool.random(using: &random) ? .value(domain) : .absent,
        attributes: attributes)
    case 8..<15:
      for key in keys where Int.random(in: 0..<6, using: &random) == 0 { attributes[key] = .null }
      let change: Change<String> =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .value(domain)
        case 1: .cleared
        default: .absent
        }
      return Event(kind: .update, item: item, domain: change, attributes: attributes)
    case 15, 16:
      attributes["title"] = "seen"
      return Event(kind: .view, item: item, domain: .value(domain), attributes: attributes)
    case 17: return .delete(item)
    case 18: return .delete(domain: domain)
    default: return Event(kind: .select, item: item, query: "x")
    }
  }

  private static func steps(_ random: inout SeededGenerator, _ next: Int, isMove: Bool) -> [String]
  {
    let key = ["a", "b", "c", "n", "k\(max(0, next - 1))"].randomElement(using: &random) ?? "a"
    let domain = (domains + [""]).randomElement(using: &random) ?? ""
    let head = #""domain":"\#(domain)""#
    switch isMove ? 7 : Int.random(in: 0..<8, using: &random) {
    case 0: return [#"{\#(head),"op":"rename","from":"\#(key)","to":"k\#(next)"}"#]
    case 1:
      return [#"{\#(head),"op":"split","from":"\#(key)","to":["k\#(next)","m\#(next)"],"at":" "}"#]
    case 2: return [#"{\#(head),"op":"join","from":["\#(key)","q"],"to":"k\#(next)","with":"-"}"#]
    case 3: return [#"{\#(head),"op":"map","key":"\#(key)","values":{"x":"y","7":8,"good":null}}"#]
    case 4: return [#"{\#(head),"op":"convert","key":"\#(key)","to":"text"}"#]
    case 5: return [#"{\#(head),"op":"default","key":"k\#(next)","value":"d"}"#]
    case 6: return [#"{\#(head),"op":"drop","key":"\#(key)"}"#]
    default:
      let move =
        [("movies", "films"), ("films.x", "other.z"), ("other", "movies")]
        .randomElement(using: &random) ?? ("movies", "films")
      return [#"{"domain":"\#(move.0)","op":"move","to":"\#(move.1)"}"#]
    }
  }

  private static func file(_ steps: [String], _ random: inout SeededGenerator) -> [UInt8] {
    let unknown = Bool.random(using: &random) ? "keep" : "ignore"
    let alias = Bool.random(using: &random) ? #","aliases":["al"]"# : ""
    let text = #"""
      {"cairnSchema":1,"domains":{
        "":{"invalid":"keep","attributes":{"a":{"type":"keyword","multi":true\#(alias),"searchable":true}}},
        "films":{"unknown":"\#(unknown)","attributes":{"c":{"type":"text","default":"none"}}}},
       "upcasters":[\#(steps.joined(separator: ","))]}
      """#
    return Array(text.utf8)
  }

  /// Sets or undoes; a file that cannot be is no change.
  private static func change(
    _ store: Store, _ lists: inout [Int: [String]], _ random: inout SeededGenerator, _ next: Int,
    movesOnly: Bool
  ) throws {
    let history = try store.schemas.history(of: store.log)
    if history.inForce != 0, Int.random(in: 0..<3, using: &random) == 0 {
      try store.undoSchema(keeping: Bool.random(using: &random))
      return
    }
    var list = lists[history.inForce] ?? []
    list += Self.steps(&random, next, isMove: movesOnly)
    do {
      let definition = try store.readSchema(file(list, &random))
      let change = try #require(try store.setSchema(definition))
      if change.isChanged { lists[change.version] = list }
    } catch CairnError.Code.badSchema { return }
  }

  @Test(arguments: 0..<18) func showsWhatTheModelShows(_ seed: Int) async throws {
    try await withStore { store in
      var random = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 5)
      var lists: [Int: [String]] = [:]
      for round in 1...6 {
        for _ in 0..<25 { _ = try store.appendBlocking([Self.event(&random)]) }
        try Self.change(store, &lists, &random, round, movesOnly: seed >= 12)
        try Self.expectModel(store, "seed \(seed), round \(round)")
      }
      let replayed = try store.events()
      try await withDirectory { directory in
        let other = try Store.open(at: directory + "/other")
        defer { other.close() }
        let result = try other.appendBlocking(replayed.map(\.event))
        #expect(result.rejectedCount == 0, "seed \(seed): \(result.outcomes)")
        #expect(
          try other.schemaHistory().map(\.definition) == store.schemaHistory().map(\.definition))
        try expectSame(other, store)
      }
    }
  }

  private static func expectModel(_ store: Store, _ place: String) throws {
    let history = try store.schemas.history(of: store.log)
    guard SchemaLens(history) != nil else { return }
    let model = try SchemaModel(try store.events(), history).shown
    let items = try store.at().items()
    #expect(items.map(\.id) == model.keys.sorted(), "\(place)")
    for item in items {
      #expect(item.domain == model[item.id]?.domain, "\(place), \(item.id)")
      #expect(
        item.attributes == model[item.id]?.attributes,
        "\(place), \(item.id): \(history.versions.map(\.definition.upcasters))")
    }
  }
}
