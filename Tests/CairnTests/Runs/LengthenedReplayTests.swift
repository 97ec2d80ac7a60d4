import EventLog
import Events
import Foundation
import Testing

@testable import Cairn

/// Events that say how long another one became, in a store that has that one elsewhere.
@Suite struct LengthenedReplayTests {
  /// The lines that a replay of a store prints.
  private func lines(of store: Store, from: UInt64 = 1) throws -> [[UInt8]] {
    var query = EventQuery()
    query.from = from
    var lines: [[UInt8]] = []
    try store.forEachRecord(query) { (record) throws(CairnError) in
      var line: [UInt8] = []
      try record.appendJSON(to: &line)
      lines.append(line)
      return true
    }
    return lines
  }

  private func append(_ lines: [[UInt8]], to store: Store) throws -> AppendResult {
    var parser = EventLineParser()
    return try store.appendBlocking(encoded: lines.map { try parser.parse($0.span) })
  }

  /// A run of each item, and behind them events that lengthen each.
  private func fill(_ store: Store) async throws {
    let items = ["gone", "first", "second"]
    try await store.append(items.map { Event(kind: .view, item: $0) })
    for (index, item) in items.enumerated() {
      var event = Event(kind: .extend, item: item)
      (event.extended, event.dwell) = (UInt64(index + 1), Double(10 + index))
      try await store.append(event)
    }
  }

  private func lengthened(_ store: Store) throws -> [String: UInt64?] {
    var lengthened: [String: UInt64?] = [:]
    var query = EventQuery()
    query.kind = .extend
    try store.forEachEvent(query) {
      lengthened[$0.event.item ?? ""] = .some($0.event.extended)
      #expect($0.event.extras["ofId"] == nil)
      return true
    }
    return lengthened
  }

  @Test func `a replay into a store of other numbers lengthens the same events there`() async throws
  {
    try await withStore { store in
      try await fill(store)
      #expect(try store.purge(.item("gone"))?.plan.eventCount == 2)
      let told = try lines(of: store)
      try await withStore { other in
        try await other.append([Event(kind: .view, item: "here")])
        #expect(try append(told, to: other).acceptedCount == told.count)
        #expect(try lengthened(other) == ["first": 2, "second": 3])
        // Both at once are known again, whatever numbers they have here.
        let again = try append(told + told, to: other)
        #expect(again.duplicateCount == 2 * told.count)
        #expect(try lines(of: other).count == told.count + 1)
        // So are those that come back to where they were told.
        #expect(try append(try lines(of: other, from: 2), to: store).duplicateCount == told.count)
      }
    }
  }

  @Test func `what lengthens an event that is not there lengthens none`() async throws {
    try await withStore { store in
      try await fill(store)
      let told = try lines(of: store)
      try await withStore { other in
        _ = try append([told[1]], to: other)
        _ = try append(Array(told[3...]), to: other)
        #expect(try lengthened(other) == ["gone": nil, "first": 1, "second": nil])
      }
    }
  }

  @Test func `a line tells the id once, also where what was recorded has no id there`() async throws
  {
    try await withStore { store in
      try await store.append([Event(kind: .view, item: "a")])
      for told in [#""garbage""#, "17"] {
        let event = try Event(json: #"{"kind":"extend","item":"a","of":1,"ofId":\#(told)}"#)
        try await store.append([event])
        let line = String(decoding: try #require(try lines(of: store).last), as: UTF8.self)
        #expect(line.components(separatedBy: "ofId").count == 2)
        #expect(line.contains(#""ofId":\#(told)"#))
      }
    }
  }
}
