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
}
