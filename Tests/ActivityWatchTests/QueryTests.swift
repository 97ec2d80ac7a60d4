import ActivityWatch
import Events
import Foundation
import Testing

/// Queries in ActivityWatch's language answer as aw-core does; `Oracle/queries.py` wrote the rows.
@Suite struct QueryTests {
  @Test func answersAreThoseOfAWCore() throws {
    let golden = try Golden()
    for row in golden.queries { check(row, golden) }
  }

  private func check(_ row: GoldenQuery, _ golden: Golden) {
    do throws(QueryFailure) {
      let value = try ActivityQuery.run(
        row.query, name: "name", from: row.from, to: row.to, source: golden)
      var bytes: [UInt8] = []
      try value.append(to: &bytes)
      guard let expected = row.answer else {
        Issue.record("answered where aw-core fails with \(row.error ?? ""): \(row.query)")
        return
      }
      let answer = try? JSONValue(parsing: bytes.span)
      #expect(
        answer.map { JSONEquality.equal($0, expected) } == true,
        "\(row.query)\n\(String(decoding: bytes, as: UTF8.self))")
    } catch {
      guard let name = row.error else {
        Issue.record("\(error) where aw-core answers: \(row.query)")
        return
      }
      // Where Python itself raises, which of our names stands for it is ours to say.
      if name.hasPrefix("Query") { #expect(error.kind.rawValue == name, "\(row.query)") }
    }
  }
}

struct GoldenQuery {
  let query: String
  let from: ActivityTime
  let to: ActivityTime
  let answer: JSONValue?
  let error: String?
}

/// The rows of a golden file, and its buckets as aw-core's memory storage gives them.
struct Golden: BucketSource {
  var queries: [GoldenQuery] = []
  var buckets: [String] = []
  private var hosts: [String: String] = [:]
  private var events: [String: [WatchedEvent]] = [:]

  init() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/queries.json")
    let document = try JSONValue(parsing: Array(Data(contentsOf: url)).span)
    for bucket in document["buckets"].elements {
      let name = bucket["id"].text
      buckets.append(name)
      hosts[name] = bucket["hostname"].text
      var all: [WatchedEvent] = []
      for (index, event) in bucket["events"].elements.enumerated() {
        var read = try WatchedEvent(json: event)
        read.id = index
        all.append(read)
      }
      events[name] = Array(all.sorted { $0.start < $1.start }.reversed())
    }
    for row in document["queries"].elements {
      queries.append(
        GoldenQuery(
          query: row["query"].text, from: try #require(ActivityTime(row["start"].text)),
          to: try #require(ActivityTime(row["end"].text)), answer: row.member("answer"),
          error: row.member("error")?.text))
    }
  }

  func hostname(of bucket: String) -> String? { hosts[bucket] }

  func forEachEvent(
    in bucket: String, from: Int64, to: Int64,
    _ body: (WatchedEvent) throws(QueryFailure) -> Void
  ) throws(QueryFailure) {
    for event in events[bucket] ?? [] where from <= event.end && event.start <= to {
      try body(event)
    }
  }

  func eventCount(in bucket: String, from: Int64, to: Int64) -> Int {
    (events[bucket] ?? []).count { from <= $0.start && $0.start <= to }
  }
}

extension JSONValue {
  func member(_ key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  subscript(key: String) -> JSONValue { member(key) ?? .null }

  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  var text: String { if case .string(let text) = self { text } else { "" } }
}
