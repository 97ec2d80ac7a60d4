import Foundation
import TestSupport
import Testing

/// What the Zeitgeist daemon 1.0.4 answered when it was given the same events.
@Suite(
  .enabled(if: SharedData.has("zeitgeist-peer"), "needs ../shared/data/zeitgeist-peer and zstd"))
struct `The answers of another activity log` {
  private struct Peer: Decodable { var queries: [Query] }

  private struct Query: Decodable {
    var range_ms: [Int64]
    var template: [String: String]?
    var result_type: String
    var limit: Int
    /// Empty where the answer is of events, not of names.
    var result: [String]

    private enum Key: String, CodingKey { case range_ms, template, result_type, limit, result }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      range_ms = try container.decode([Int64].self, forKey: .range_ms)
      let isPlain = try container.decodeNil(forKey: .template)
      template =
        isPlain
        ? nil : (try? container.decode([String: String].self, forKey: .template)) ?? ["several": ""]
      result_type = try container.decode(String.self, forKey: .result_type)
      limit = try container.decode(Int.self, forKey: .limit)
      result = (try? container.decode([String].self, forKey: .result)) ?? []
    }
  }

  private struct PeerEvent: Decodable {
    var ts_ms: Int64
    var op: String
    var actor: String
    var id: String
    var text: String
  }

  private struct Row: Decodable {
    var item: String
    var actor: String?
    var time: String
  }

  private static let shared = Lazy<(store: Store, first: Int64)> {
    let events = try SharedData.rows("zeitgeist-peer/events.jsonl.zst", as: PeerEvent.self)
    var lines: [String] = []
    for event in events {
      var fields: [String: Any] = [
        "kind": event.op, "item": event.id, "actor": event.actor, "time": time(event.ts_ms),
        "recorded": time(event.ts_ms),
      ]
      if event.op != "delete" { fields["attributes"] = ["title": event.text] }
      let line = try JSONSerialization.data(withJSONObject: fields)
      lines.append(String(decoding: line, as: UTF8.self))
    }
    let store = Store("zeitgeist")
    let input = Data(lines.joined(separator: "\n").utf8)
    let rows = try store.json(["append", "-"], as: AppendResult.self, input: input)
    try #require(rows.first?.accepted == events.count)
    return (store, try #require(events.first).ts_ms)
  }

  /// Milliseconds since 1970 as RFC 3339.
  private static func time(_ milliseconds: Int64) -> String {
    let whole = Date(timeIntervalSince1970: Double(milliseconds / 1_000)).formatted(.iso8601)
    let rest = String(1_000 + milliseconds % 1_000).dropFirst()
    return "\(whole.dropLast()).\(rest)Z"
  }

  private func queries() throws -> [Query] {
    try SharedData.json("zeitgeist-peer/answers.json", as: Peer.self).queries
  }

  @Test func `the most viewed at a point are the most popular subjects of views until then`() throws
  {
    let (store, first) = try Self.shared.get()
    var count = 0
    for query in try queries()
    where query.result_type == "MostPopularSubjects" && query.template == ["op": "view"]
      && query.range_ms[0] <= first
    {
      let arguments = [
        "top", "--by", "count", "--limit", String(query.limit), "--as-of",
        Self.time(query.range_ms[1]),
      ]
      #expect(try store.json(arguments, as: RankedRow.self).map(\.item) == query.result)
      count += 1
    }
    #expect(count > 5)
  }

  @Test func `counts and last times in a range give its popular and recent subjects and actors`()
    throws
  {
    let (store, _) = try Self.shared.get()
    let names = [
      "MostPopularSubjects", "MostRecentSubjects", "MostPopularActor", "MostRecentActor",
    ]
    let asked = try queries().filter { query in
      names.contains(query.result_type) && (query.template ?? [:]).keys.allSatisfy { $0 == "op" }
    }
    // Every range is asked alike; a tenth of them is enough for one run.
    let ranges = Set(asked.map(\.range_ms)).sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
    for range in ranges.enumerated().filter({ $0.offset % 10 == 0 }).map(\.element) {
      for kind in [nil, "view", "update"] as [String?] {
        var arguments = ["log", "--since", Self.time(range[0]), "--until", Self.time(range[1])]
        if let kind { arguments += ["--kind", kind] }
        let rows = try store.json(arguments, as: Row.self)
        for query in asked
        where query.range_ms == range && query.template == kind.map({ ["op": $0] }) {
          let isActor = query.result_type.hasSuffix("Actor")
          let isPopular = query.result_type.hasPrefix("MostPopular")
          var counts: [String: Int] = [:]
          var last: [String: Int] = [:]
          for (place, row) in rows.enumerated() {
            let name = isActor ? row.actor ?? "" : row.item
            counts[name, default: 0] += 1
            last[name] = place
          }
          let order = counts.keys.sorted { one, other in
            if isPopular, counts[one] != counts[other] {
              return counts[one, default: 0] > counts[other, default: 0]
            }
            return last[one, default: 0] > last[other, default: 0]
          }
          #expect(Array(order.prefix(query.limit)) == query.result, "\(query.result_type)")
        }
      }
    }
  }
}
