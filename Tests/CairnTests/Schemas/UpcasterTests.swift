import Cairn
import Synchronization
import TestSupport
import Testing

/// Closures of an application that bring its older events up to date.
@Suite struct UpcasterTests {
  /// Seconds become minutes.
  private static func minutes(version: Int = 1, per: Int64 = 60) -> EventUpcaster {
    EventUpcaster("minutes", version: version, domain: "films") { event in
      guard case .integer(let seconds)? = event.attributes["ex_seconds"] else { return event }
      var event = event
      event.attributes["ex_seconds"] = nil
      event.attributes["ex_minutes"] = .integer(seconds / per)
      return event
    }
  }

  private static func film(_ item: String, seconds: Int64, domain: String = "films.short") -> Event
  {
    Event(
      kind: .index, item: item, domain: .value(domain),
      attributes: ["title": .string("tram"), "ex_seconds": .integer(seconds)])
  }

  @Test func `events are folded as the closure makes them, and kept as they came`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      var store = try Store.open(at: path)
      try await store.append([
        Self.film("a", seconds: 600), Self.film("b", seconds: 90, domain: "books"),
      ])
      store.close()
      store = try Store.open(at: path, upcasters: [Self.minutes()])
      try await store.append([
        Self.film("c", seconds: 1_200),
        Event(kind: .update, item: "a", attributes: ["ex_seconds": .integer(300)]),
        Event(kind: .update, item: "b", attributes: ["ex_seconds": .integer(30)]),
      ])
      func expectShown(_ store: Store) throws {
        #expect(try store.at().item("a")?.attributes["ex_minutes"] == .integer(5))
        #expect(try store.at(.sequence(1)).item("a")?.attributes["ex_minutes"] == .integer(10))
        #expect(try store.at().item("a")?.attributes["ex_seconds"] == nil)
        #expect(try store.at().item("b")?.attributes["ex_seconds"] == .integer(30))
        #expect(try store.at().item("c")?.attributes["ex_minutes"] == .integer(20))
        #expect(try store.at().items(filter: "ex_minutes == 20").map(\.id) == ["c"])
      }
      try expectShown(store)
      #expect(try store.event(at: 1)?.event.attributes["ex_seconds"] == .integer(600))
      let rebuilt = try #require(try store.rebuild())
      #expect(rebuilt.allSatisfy { $0.isEqual })
      #expect(try store.verify(deep: true).problems == [])
      let digests = try store.digests()
      _ = try store.backUp(into: directory + "/backup")
      _ = try Store.restore(
        directory + "/backup", into: directory + "/restored", original: store)
      let restored = try Store.open(
        at: directory + "/restored", access: .readOnly, upcasters: [Self.minutes()])
      #expect(try restored.digests() == digests)
      restored.close()
      store.close()

      // A new version makes projections anew.
      store = try Store.open(at: path, upcasters: [Self.minutes(version: 2, per: 1)])
      #expect(try store.at().item("a")?.attributes["ex_minutes"] == .integer(300))
      store.close()
      expectError(.conflict) {
        try Store.open(at: path, access: .readOnly, upcasters: [Self.minutes()])
      }
      store = try Store.open(at: path, upcasters: [Self.minutes()])
      try expectShown(store)
      #expect(try store.digests() == digests)
      store.close()
      // None lets go of them.
      store = try Store.open(at: path, upcasters: [])
      #expect(try store.at().item("a")?.attributes["ex_seconds"] == .integer(300))
      store.close()
      store = try Store.open(at: path)
      #expect(try store.rebuild() != nil)
      store.close()
    }
  }

  @Test func `who lacks the closure reads what was folded, and folds nothing`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      var store = try Store.open(at: path, upcasters: [Self.minutes()])
      try await store.append([Self.film("a", seconds: 600)])
      store.close()
      for access in [Store.Access.readOnly, .readWrite] {
        store = try Store.open(at: path, access: access)
        #expect(try store.at().item("a")?.attributes["ex_minutes"] == .integer(10))
        #expect(try store.at().items(filter: "ex_minutes == 10").count == 1)
        #expect(try store.verify().problems == [])
        expectError(.conflict) { try store.verify(deep: true) }
        store.close()
      }
      store = try Store.open(at: path)
      expectError(.conflict) { try store.rebuild() }
      expectError(.conflict) { try store.appendBlocking([Self.film("b", seconds: 60)]) }
      #expect(try store.events().count == 1)
      _ = try store.backUp(into: directory + "/backup")
      _ = try Store.restore(directory + "/backup", into: directory + "/restored")
      store.close()
      expectError(.conflict) { try Store.open(at: directory + "/restored") }
      store = try Store.open(at: directory + "/restored", upcasters: [Self.minutes()])
      #expect(try store.at().item("a")?.attributes["ex_minutes"] == .integer(10))
      store.close()
    }
  }

  @Test func `a closure that is no function of the event is refused, and nothing changes`()
    async throws
  {
    try await withDirectory { directory in
      var store = try Store.open(at: directory)
      try await store.append([Self.film("a", seconds: 600)])
      let digests = try store.digests()
      store.close()
      let calls = Mutex(Int64(0))
      let counting = EventUpcaster("counting", version: 1) { event in
        var event = event
        event.attributes["ex_n"] = .integer(
          calls.withLock { count in
            count += 1
            return count
          })
        return event
      }
      let renaming = EventUpcaster("renaming", version: 1) { event in
        var event = event
        event.item = "z"
        return event
      }
      let endless = EventUpcaster("endless", version: 1) { event in
        var event = event
        event.attributes["ex_n"] = .double(.nan)
        return event
      }
      for upcaster in [counting, renaming, endless] {
        do throws(CairnError) {
          try Store.open(at: directory, upcasters: [upcaster]).close()
          Issue.record("\(upcaster.name) was taken")
        } catch {
          #expect(error.code == .badArgument, "\(error)")
          #expect(error.place == "upcaster \(upcaster.name) version 1")
        }
        store = try Store.open(at: directory)
        #expect(try store.digests() == digests)
        #expect(try store.verify(deep: true).problems == [])
        store.close()
      }
      expectError(.badArgument) {
        try Store.open(at: directory, upcasters: [Self.minutes(), Self.minutes(version: 2)])
      }
      expectError(.badArgument) {
        try Store.open(at: directory, upcasters: [EventUpcaster("a b", version: 1) { $0 }])
      }
      // One that errs on some events only: those are refused when they come.
      let late = EventUpcaster("late", version: 1) { event in
        guard event.item == "odd" else { return event }
        return counting.upcast(event)
      }
      store = try Store.open(at: directory, upcasters: [late])
      let receipt = try store.appendBlocking([
        Self.film("b", seconds: 1), Self.film("odd", seconds: 1), Self.film("c", seconds: 1),
      ])
      #expect(receipt.acceptedCount == 2)
      #expect(try store.at().items().map(\.id) == ["a", "b", "c"])
      store.close()
    }
  }

  @Test func `closures come before the steps of a schema, and both may change at once`()
    async throws
  {
    try await withDirectory { directory in
      var store = try Store.open(at: directory, upcasters: [Self.minutes()])
      try await store.append([Self.film("a", seconds: 600)])
      let file = """
        {"cairnSchema":1,"domains":{"films":{"attributes":{"ex_length":{"type":"integer",\
        "sortable":true}}}},"upcasters":[{"domain":"films","op":"rename","from":"ex_minutes",\
        "to":"ex_length"}]}
        """
      try store.setSchema(try store.readSchema(Array(file.utf8)))
      #expect(try store.at().item("a")?.attributes["ex_length"] == .integer(10))
      try await store.append([
        Event(
          kind: .index, item: "b", domain: .value("films"),
          attributes: ["title": .string("dusk"), "ex_length": .integer(7)])
      ])
      #expect(try store.verify(deep: true).problems == [])
      store.close()
      store = try Store.open(at: directory, upcasters: [Self.minutes(version: 2, per: 6)])
      #expect(try store.at().item("a")?.attributes["ex_length"] == .integer(100))
      #expect(try store.at().item("b")?.attributes["ex_length"] == .integer(7))
      #expect(try store.verify(deep: true).problems == [])
      store.close()
    }
  }
}
