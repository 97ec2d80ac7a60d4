import Foundation
import Testing

@Suite struct `The life of an item` {
  private static func lines(_ events: [[String: Any]]) throws -> Data {
    var lines = EventLines()
    for event in events { try lines.add(event) }
    return lines.data
  }

  @Test func `deleted and indexed again, an item starts with fresh counters and keeps its history`()
    throws
  {
    let store = Store("fresh")
    try store.append(
      Self.lines([
        ["kind": "index", "item": "a", "attributes": ["title": "first life"]],
        ["kind": "view", "item": "a"], ["kind": "view", "item": "a"],
        ["kind": "delete", "item": "a"],
        ["kind": "index", "item": "a", "attributes": ["title": "second life"]],
        ["kind": "view", "item": "a"],
      ]))
    let top = try store.json(["top", "--by", "count"], as: RankedRow.self)
    #expect(top.map(\.views) == [1])
    #expect(try store.json(["top", "--as-of", "3"], as: RankedRow.self).map(\.views) == [2])
    #expect(try store.json(["top", "--as-of", "4"], as: RankedRow.self).isEmpty)
    #expect(try store.json(["top", "--as-of", "5"], as: RankedRow.self).isEmpty)
    #expect(try store.run("log", "a", "--json").objects().count == 6)
    #expect(try store.run("log", "a", "--as-of", "4", "--json").objects().count == 4)
    #expect(try store.run("log", "--to", "2", "--as-of", "4", "--json").objects().count == 2)
    #expect(try store.json(["search", "first", "--exact"], as: RankedRow.self).isEmpty)
    #expect(
      try store.json(["search", "first", "--exact", "--as-of", "3"], as: RankedRow.self).count == 1)
  }

  @Test func `a domain covers itself and what is below it, never what begins alike`() throws {
    let store = Store("domains")
    try store.append(
      Self.lines(
        [("1", "a"), ("2", "a.b"), ("3", "ab"), ("4", "a.b.c"), ("5", "a b"), ("6", "A")].map {
          ["kind": "index", "item": $0.0, "domain": $0.1, "attributes": ["title": "t"]]
        } + [["kind": "index", "item": "7", "attributes": ["title": "t"]]]))
    func items(_ arguments: String...) throws -> [String] {
      try store.json(["items"] + arguments, as: ItemRow.self).map(\.item)
    }
    #expect(try items("--domain", "a") == ["1", "2", "4"])
    #expect(try items("--domain", "a.b") == ["2", "4"])
    #expect(try items("--domain", "ab") == ["3"])
    #expect(
      Set(
        try store.json(["search", "t", "--exact", "--domain", "a"], as: RankedRow.self).map(\.item))
        == ["1", "2", "4"])
    try store.append(Self.lines([["kind": "delete", "domain": "a"]]))
    #expect(try items() == ["3", "5", "6", "7"])
    #expect(try items("--as-of", "7") == ["1", "2", "3", "4", "5", "6", "7"])
    try store.append(Self.lines([["kind": "delete", "all": true]]))
    #expect(try items().isEmpty)
  }

  @Test func `an update sets, removes with null, and leaves the rest`() throws {
    let store = Store("update")
    try store.append(
      Self.lines([
        [
          "kind": "index", "item": "a", "domain": "d",
          "attributes": ["title": "t", "keywords": ["k"], "comment": "c"],
        ],
        [
          "kind": "update", "item": "a",
          "attributes": ["title": "u", "keywords": NSNull()] as [String: Any],
        ], ["kind": "update", "item": "missing", "attributes": ["title": "no effect"]],
      ]))
    let items = try store.json(["items"], as: ItemRow.self)
    #expect(items.map(\.item) == ["a"])
    #expect(items.first?.domain == "d" && items.first?.title == "u")
    #expect(Set((items.first?.attributes ?? [:]).keys) == ["title", "comment"])
    let before = try store.json(["show", "a", "--as-of", "1"], as: ItemRow.self)
    #expect(before.first?.attributes?["keywords"] == .strings(["k"]))
  }

  @Test func `a view makes an item when it names it, and never overwrites one`() throws {
    let store = Store("view")
    try store.append(
      Self.lines([
        ["kind": "view", "item": "untitled"],
        ["kind": "view", "item": "b", "attributes": ["title": "made by a view"]],
        ["kind": "view", "item": "b", "attributes": ["title": "not again"]],
      ]))
    #expect(try store.json(["items"], as: ItemRow.self).map(\.title) == ["made by a view"])
    #expect(try store.json(["top"], as: RankedRow.self).map(\.views) == [2])
    #expect(try store.json(["search", "view", "--exact"], as: RankedRow.self).count == 1)
  }

  @Test func `an event that comes late changes its item and nothing else`() throws {
    let history = try MadeUpHistory(count: 600, seed: 7)
    let (early, late) = (Store("early"), Store("late"))
    try early.append(history.data)
    try late.append(history.data)
    let stale = ["kind": "view", "item": "item-3", "time": 1_600_000_000] as [String: Any]
    try late.append(Self.lines([stale]))
    let arguments = ["top", "--by", "count", "--limit", "0"]
    let before = try early.json(arguments, as: RankedRow.self)
    let after = try late.json(arguments, as: RankedRow.self)
    #expect(
      Set(before.map(\.item)).subtracting(["item-3"])
        == Set(after.map(\.item)).subtracting(["item-3"]))
    for row in before where row.item != "item-3" {
      let same = try #require(after.first { $0.item == row.item })
      #expect(same.views == row.views && same.lastViewed == row.lastViewed)
    }
    if let row = before.first(where: { $0.item == "item-3" }) {
      let same = try #require(after.first { $0.item == "item-3" })
      #expect(same.views == (row.views ?? 0) + 1 && same.lastViewed == row.lastViewed)
    }
  }
}
