import Foundation
import TestSupport
import Testing
import Text

private struct Change: Decodable {
  var seq: Int
  var op: String
  var id: String
  var title: String?
  var desc: String?
}

private struct Oracle: Decodable {
  struct Point: Decodable {
    var asof_seq: Int
    var live: Int
    var queries: [Query]
  }

  struct Query: Decodable {
    var kind: String
    var fts5_query: String
    var hits: Int
    var first10: [String]
  }

  var points: [Point]
}

@Suite(.enabled(if: SharedData.has("git-streams/tldr-first9000.search-oracle.json")))
struct SearchOracleTests {
  @Test func `whole words match the very documents that SQLite matches`() throws {
    let oracle = try SharedData.json(
      "git-streams/tldr-first9000.search-oracle.json", as: Oracle.self)
    let changes = try SharedData.rows(
      "git-streams/tldr-first9000.events.jsonl.zst", as: Change.self)
    var live: [String: Set<String>] = [:]
    var buffer = TokenBuffer()
    var next = 0
    var queries = 0
    for point in oracle.points.sorted(by: { $0.asof_seq < $1.asof_seq }) {
      while next < changes.count, changes[next].seq <= point.asof_seq {
        apply(changes[next], to: &live, &buffer)
        next += 1
      }
      #expect(live.count == point.live)
      for query in point.queries {
        queries += 1
        let found = matches(query, live)
        #expect(found.count == query.hits, "\(query.fts5_query) at \(point.asof_seq)")
        #expect(Array(found.prefix(10)) == query.first10, "\(query.fts5_query)")
      }
    }
    #expect(queries == 900)
  }

  private func apply(
    _ change: Change, to live: inout [String: Set<String>], _ buffer: inout TokenBuffer
  ) {
    guard change.op != "delete" else {
      live[change.id] = nil
      return
    }
    var words = Set<String>()
    for text in [change.title, change.desc] {
      Analyzer().analyze(Array((text ?? "").utf8), into: &buffer)
      for token in buffer.tokens where token.space == .word {
        words.insert(String(decoding: buffer.term(token), as: UTF8.self))
      }
    }
    live[change.id] = words
  }

  /// FTS5 queries of this oracle are words in quotes, joined by AND or by OR.
  private func matches(_ query: Oracle.Query, _ live: [String: Set<String>]) -> [String] {
    let any = query.fts5_query.contains("\" OR \"")
    let terms = query.fts5_query.replacingOccurrences(of: " AND ", with: " ").replacingOccurrences(
      of: " OR ", with: " "
    ).split(separator: " ")
    let words = terms.map {
      String(decoding: Analyzer().fold($0.filter { $0 != "\"" }), as: UTF8.self)
    }
    let found = live.filter { _, has in
      any ? words.contains { has.contains($0) } : words.allSatisfy { has.contains($0) }
    }
    return found.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
