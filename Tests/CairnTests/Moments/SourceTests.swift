import Cairn
import TestSupport
import Testing

/// Who told of an item, at each point.
@Suite struct SourceTests {
  @Test func `what a view told before an item was there is no source of it`() async throws {
    try await withStore { store in
      let told: Attributes = ["comment": "red"]
      try await store.append([
        Event(kind: .view, item: "a", attributes: told), index("a", title: "tram"),
        .view("a"), Event(kind: .view, item: "a", attributes: told), .delete("a"),
        index("a", title: "tram"), Event(kind: .view, item: "a", attributes: told),
      ])
      let expected: [(UInt64, [ItemSource.Kind])] = [
        (2, [.app]), (3, [.app]), (4, [.app, .activity]), (6, [.app]),
      ]
      for (point, kinds) in expected {
        #expect(try store.at(.sequence(point)).sources(of: "a").map(\.kind) == kinds, "\(point)")
      }
      #expect(try store.at().sources(of: "a").map(\.kind) == [.app, .activity])
    }
  }
}
