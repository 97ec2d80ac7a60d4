import Cairn
import Testing

/// The example of the README, word for word but for the directory.
@Suite struct ReadmeTests {
  @Test func `the example in the README does what it says`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/history")
      try await store.append([
        Event(
          kind: .index, item: "report-7", domain: .value("work.reports"),
          attributes: ["title": "Harbour survey", "keywords": ["tide", "2026"]]),
        Event(kind: .view, item: "report-7"),
      ])

      let hits = try store.at().search("harb")
      let then = try store.at(.sequence(1)).top()
      #expect(hits.map(\.item) == ["report-7"])
      #expect(then.isEmpty)
      #expect(try store.at().items(domain: "work").map(\.title) == ["Harbour survey"])

      var kinds: [EventKind] = []
      for try await event in store.events(after: 0) {
        kinds.append(event.event.kind)
        if kinds.count == 2 { break }
      }
      #expect(kinds == [.index, .view])
      store.close()
    }
  }
}
