import Cairn
import TestSupport
import Testing

/// Going back while others record.
@Suite struct RevertTests {
  @Test func `uses that come meanwhile keep no plan from being carried out`() async throws {
    try await withStore { store in
      try await store.append([
        .index("a", attributes: ["title": "then"]), .index("a", attributes: ["title": "now"]),
        .index("b", attributes: ["title": "other"]),
      ])
      let then = try store.at(.sequence(1))
      var plan = try store.planRevert(to: then, item: "a")
      try store.appendBlocking([.view("a"), .view("b")])
      expectError(.conflict) { try store.appendBlocking(plan) }
      let result = try store.appendBlocking(&plan, to: then, domain: nil, item: "a")
      #expect(result.acceptedCount == 1 && plan.head == 5)
      #expect(try store.at().item("a")?.attributes["title"] == "then")
      #expect(try store.at().item("b")?.attributes["title"] == "other")
    }
  }

  @Test func `what changes the plan ends it`() async throws {
    try await withStore { store in
      try await store.append([
        .index("a", attributes: ["title": "then"]), .index("a", attributes: ["title": "now"]),
      ])
      let then = try store.at(.sequence(1))
      var plan = try store.planRevert(to: then)
      try store.appendBlocking([.index("b", attributes: ["title": "new"])])
      expectError(.conflict) {
        try store.appendBlocking(&plan, to: then, domain: nil, item: nil)
      }
      #expect(try store.at().sequence == 3)
    }
  }

  private static let page = [
    index("whole", title: "whole", domain: "a"),
    index("part", title: "part", domain: "b", ["comment": "one"]),
    Event(
      kind: .index, item: "whole", source: "web", attributes: ["title": "page"],
      extras: ["items": .array([.string("part")])]),
  ]

  private static let visit = "\u{1}activity:visit"

  private static func visit(_ text: String, of item: String = "whole") -> Event {
    let more: Attributes = ["comment": .string(text), "relatedUniqueIdentifier": .string(item)]
    return index(visit, title: "visit", more)
  }

  private static let activity = [index("whole", title: "whole", domain: "a"), visit("one")]

  private static let lives: [[Event]] = [
    page + [.update("part", attributes: ["comment": "two"])],
    page + [.delete("whole")], page + [.delete("part")], page + [.deleteAll()],
    page + [.delete(domain: "b"), index("part", title: "new")],
    [page[0], page[2], page[1], .deleteAll()],
    page + [Event(kind: .delete, item: "whole", source: "web"), .delete("part")],
    activity + [visit("two")], activity + [.update(visit, attributes: ["comment": "two"])],
    activity + [.delete(visit)], activity + [.delete("whole")], activity + [.deleteAll()],
    activity + [index("other", title: "other"), visit("one", of: "other")],
    [visit("one")] + activity, [visit("one")] + activity + [.deleteAll()],
    [activity[0], visit("one"), .delete("whole"), activity[0]],
    page + [visit("one", of: "part"), .delete("part")],
    page + [visit("one", of: "part"), .delete("whole"), visit("two", of: "part")],
    page + [
      Event(kind: .delete, item: "whole", source: "web"),
      Event(kind: .index, item: "part", source: "web", attributes: ["title": "its own"]),
    ],
  ]

  @Test(arguments: lives.indices, [nil, "whole"])
  func `what is shown as one comes back as one, and goes apart again`(life: Int, item: String?)
    async throws
  {
    try await withStore { store in
      let events = Self.lives[life]
      try await store.append(events)
      func shown(_ moment: Moment) throws -> [String] {
        let items = try item.map { [try moment.item($0)].compactMap(\.self) } ?? moment.items()
        return items.map { "\($0.id) \($0.domain ?? "-") \($0.attributes)" }
      }
      // From the end to each point, and on from there.
      let points = Array(0..<events.count).reversed() + [events.count] + Array(0..<events.count)
      for point in points where item == nil || point >= 3 || point == 0 {
        let moment = try store.at(.sequence(UInt64(point)))
        let plan = try store.planRevert(to: moment, item: item)
        try store.appendBlocking(plan)
        #expect(try shown(store.at()) == shown(moment), "to \(point)")
        #expect(try store.planRevert(to: moment, item: item).events.isEmpty, "to \(point)")
      }
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test func `what was a part of something expired stays away`() async throws {
    try await withStore { store in
      let past = Timestamp(seconds: 1)
      let whole = Event(
        kind: .index, item: "whole", attributes: ["title": "whole"], expires: .value(past))
      try await store.append([whole, Self.visit("one"), index("other", title: "other")])
      try await store.append([Self.visit("one", of: "other")])
      let moment = try store.at(.sequence(2))
      try store.appendBlocking(store.planRevert(to: moment))
      #expect(try store.at().items().isEmpty && moment.items().isEmpty)
    }
  }
}
