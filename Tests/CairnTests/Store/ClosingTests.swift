import EventLog
import Files
import TestSupport
import Testing

@testable import Cairn

/// Stores that are closed while they, or others in their directory, are in use.
@Suite struct ClosingTests {
  @Test func `closing twice leaves another store of the directory open`() async throws {
    try await withDirectory { directory in
      let one = try Store.open(at: directory + "/store")
      let other = try Store.open(at: directory + "/store")
      defer { other.close() }
      try await one.append([index("a", title: "harbour")])
      one.close()
      one.close()
      #expect(try other.search("harbour").count == 1)
      try await other.append(.view("a"))
      #expect(try other.statistics().eventCount == 2)
    }
  }

  @Test func `an event on disk is given back, also where the store is closed meanwhile`()
    async throws
  {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await store.append([index("a", title: "harbour")])
      let fold = try #require(store.log.afterCommit)
      store.log.afterCommit = { range, events in
        let failure = fold(range, events)
        store.close()
        return failure
      }
      let recorded = try await store.append(.view("a", actor: "ann"))
      store.log.afterCommit = nil
      #expect(recorded.sequence == 2)
      #expect(recorded.event.actor == "ann")
      let again = try Store.open(at: directory + "/store")
      defer { again.close() }
      #expect(try again.event(at: 2) == recorded)
    }
  }

  @Test func `a duplicate is given back as stored`() async throws {
    try await withStore { store in
      let event = Event(kind: .view, item: "a", id: EventID(high: 1, low: 2))
      let first = try await store.append(event)
      #expect(try await store.append(event) == first)
      #expect(try store.appendBlocking(event) == first)
    }
  }

  @Test func `an event that is purged meanwhile is given back, or appended anew`() async throws {
    try await withStore { store in
      let event = Event(kind: .view, item: "a", id: EventID(high: 1, low: 2))
      let appended = try store.appendBlocking([event])
      let duplicate = try store.appendBlocking([event])
      let first = try #require(try store.recorded(appended))
      _ = try store.purge(.item("a"))
      #expect(try store.recorded(appended) == first)
      // Who appended it gets neither an error nor the event that went.
      #expect(try store.recorded(duplicate) == nil)
      #expect(try store.appendBlocking(event).sequence == 3)
      #expect(try await store.append(event).sequence == 3)
    }
  }

  @Test func `a schema of which nothing is recorded is not waited for`() async throws {
    try await withStore { store in
      let file = Array(#"{"cairnSchema":1,"domains":{}}"#.utf8)
      let definition = try JSONValue(parsing: file.span)
      let event = Event(kind: .schema, extras: ["definition": definition])
      #expect(throws: CairnError.self) { try store.appendBlocking(event) }
      await #expect(throws: CairnError.self) { try await store.append(event) }
      #expect(try store.log.head().sequence == 0)
    }
  }

  @Test func `a path that is not absolute is made so, for a process that changes its folder`()
    async throws
  {
    try await withDirectory { directory in
      let here = try #require(RealPath.of("."))
      let up = here.split(separator: "/").map { _ in "../" }.joined()
      let store = try Store.open(at: up + (directory + "/store").dropFirst())
      defer { store.close() }
      #expect(store.directory.hasPrefix("/"))
      try await store.append(.view("a"))
      let whole = try Store.open(at: directory + "/store", access: .readOnly)
      defer { whole.close() }
      #expect(try whole.statistics().eventCount == 1)
    }
  }
}
