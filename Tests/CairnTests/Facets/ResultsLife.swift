import Cairn
import TestSupport

/// Random lives of items whose attributes are declared, with values that break their declaration.
struct ResultsLife {
  private var random: SeededGenerator
  private let store: Store
  private(set) var model = ResultsModel()

  init(_ seed: UInt64, _ store: Store) {
    random = SeededGenerator(seed: seed)
    self.store = store
  }

  mutating func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private static let first = """
    {"cairnSchema": 1, "domains": {
      "": {"invalid": "keep", "attributes": {
        "title": {"type": "text", "sortable": true},
        "year": {"type": "integer", "sortable": true, "facet": true, "aliases": ["yr"]},
        "price": {"type": "decimal", "sortable": true, "facet": true},
        "seen": {"type": "time", "sortable": true, "facet": true},
        "good": {"type": "boolean", "sortable": true, "facet": true, "default": true},
        "kinds": {"type": "keyword", "multi": true, "sortable": true, "facet": true},
        "plain": {"type": "keyword"}}},
      "a": {"attributes": {"extra": {"type": "integer", "sortable": true, "facet": true}}}}}
    """

  private static let second = """
    {"cairnSchema": 1, "domains": {
      "": {"invalid": "keep", "attributes": {
        "title": {"type": "text", "sortable": true},
        "year": {"type": "integer", "sortable": true, "facet": true, "aliases": ["yr"],
          "default": 1990},
        "price": {"type": "decimal", "sortable": true, "facet": true},
        "seen": {"type": "time", "sortable": true, "facet": true},
        "good": {"type": "boolean", "sortable": true, "facet": true},
        "kinds": {"type": "keyword", "multi": true, "sortable": true, "facet": true}}},
      "a": {"attributes": {
        "kinds": {"type": "keyword", "multi": true, "sortable": true, "facet": true,
          "maxLength": 4, "default": ["noir", "odd"]},
        "extra": {"type": "integer", "sortable": true, "facet": true}}},
      "b": {"unknown": "ignore"}},
     "upcasters": [{"domain": "b.c", "op": "move", "to": "a.m"}]}
    """

  mutating func setFirst() throws {
    _ = try store.setSchema(try store.readSchema(Array(Self.first.utf8)))
    model.hasShortKinds = false
  }

  mutating func setSecond() throws {
    _ = try store.setSchema(try store.readSchema(Array(Self.second.utf8)))
    model.hasShortKinds = true
  }

  mutating func undo() throws {
    _ = try store.undoSchema()
    model.hasShortKinds = false
  }

  mutating func append(_ count: Int) throws {
    for _ in 0..<count { _ = try store.appendBlocking([event()]) }
  }

  private mutating func event() -> Event {
    let item = "item \(pick(0..<70))"
    var attributes: Attributes = [:]
    for key in ResultsModel.keys { if let value = value(key) { attributes[key] = value } }
    let title = "\(["harbour", "lantern", "tide"][pick(0..<3)]) \(pick(0..<17))"
    let domain = ["a", "a.x", "b", "b.c"][pick(0..<4)]
    switch pick(0..<24) {
    case 0, 1: return .delete(item)
    case 2: return .delete(domain: domain)
    case 3..<9:
      for key in ResultsModel.keys where pick(0..<4) == 0 { attributes[key] = .null }
      return Event(
        kind: .update, item: item, domain: pick(0..<4) == 0 ? .value(domain) : .absent,
        attributes: attributes)
    case 9:
      attributes["title"] = .string(title)
      return Event(kind: .view, item: item, domain: .value(domain), attributes: attributes)
    default: return index(item, title: title, domain: domain, attributes)
    }
  }

  private mutating func value(_ key: String) -> AttributeValue? {
    let pick = pick(0..<14)
    if pick < 3 { return nil }
    // Of another type, or out of bounds: shown, and counted as missing.
    if pick == 3 {
      return key == "kinds" ? .array([.string("noir"), .integer(3)]) : .string("none")
    }
    switch key {
    case "year": return pick < 6 ? .double(Double(1990 + pick)) : .integer(Int64(1990 + pick % 7))
    case "price":
      let prices: [AttributeValue] = [
        .integer(9_007_199_254_740_993), .double(9_007_199_254_740_992), .double(2.5), .integer(2),
        .double(2), .double(-0.0), .integer(0), .double(-1e300), .double(1e300), .integer(.min),
      ]
      return prices[pick - 4]
    case "seen":
      let times = [
        "2023-01-01T00:00:00Z", "2023-01-01T01:00:00+01:00", "2022-12-31T23:59:59.5Z",
        "2023-06-01T12:00:00Z", "1969-12-31T23:59:59Z", "2023-13-01T00:00:00Z",
      ]
      return .string(times[pick % 6])
    case "good": return .bool(pick % 2 == 0)
    case "extra": return .integer(Int64(pick % 4))
    default:
      let names = ["noir", "Noir", "été", "e\u{301}té", "drama"]
      if pick < 8 { return .string(names[pick % 5]) }
      return .array([names[pick % 5], names[(pick + 1) % 5], names[pick % 5]].map { .string($0) })
    }
  }
}
