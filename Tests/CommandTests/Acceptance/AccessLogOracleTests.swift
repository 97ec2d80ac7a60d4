import Foundation
import TestSupport
import Testing

@Suite(
  .enabled(if: SharedData.has("web-access-logs"), "needs ../shared/data/web-access-logs and zstd"))
struct `Five thousand lines of a web server's log` {
  struct Oracle: Decodable {
    struct Point: Decodable {
      var asof_ts: Int
      var views: Int
      var distinct_paths: Int
      var distinct_actors: Int
      var top30: [[MovieLens.IDOrCount]]
      var counts_sha256: String
      var domains_top15: [[MovieLens.IDOrCount]]
      var last_24h_top10: [[MovieLens.IDOrCount]]
    }

    var views: Int
    var points: [Point]
  }

  typealias MovieLens = `Twenty years of film ratings`

  struct View: Decodable {
    var item: String
    var actor: String?
    var time: String
  }

  private static let shared = Lazy<Store> {
    let file = try Scratch.file(
      "access.log", SharedData.data("web-access-logs/apache_access_open.log.zst"))
    let store = Store("access-log")
    let rows = try store.json(["import", "access-log", file], as: AppendResult.self)
    try #require(rows.first?.accepted == 4757 && rows.first?.rejected == 0)
    return store
  }

  @Test func `counts, last views and directories agree at 21 points`() throws {
    let store = try Self.shared.get()
    let oracle = try SharedData.json("web-access-logs/oracle.json", as: Oracle.self)
    for point in oracle.points {
      let asOf = Date(timeIntervalSince1970: Double(point.asof_ts)).formatted(.iso8601)
      let rows = try store.json(
        ["top", "--by", "count", "--limit", "0", "--as-of", asOf], as: RankedRow.self)
      #expect(rows.count == point.distinct_paths, "as of \(asOf)")
      #expect(rows.reduce(0) { $0 + ($1.views ?? 0) } == point.views, "as of \(asOf)")
      let lines = rows.map { "\($0.item)\t\($0.views ?? 0)\t\($0.lastViewedSeconds ?? 0)\n" }
      #expect(sha256(inByteOrder(lines).joined()) == point.counts_sha256, "as of \(asOf)")
      // Our order and the oracle's are one: views, last view, path.
      let top = rows.prefix(30).map {
        [MovieLens.IDOrCount.id($0.item), .count($0.views ?? 0), .count($0.lastViewedSeconds ?? 0)]
      }
      #expect(top.map { Array($0.dropFirst()) } == point.top30.map { Array($0.dropFirst()) })
      var domains: [String: Int] = [:]
      for row in rows {
        // A folder without a name is no domain component: `//favicon.ico` is in none.
        let nameless = row.item.hasPrefix("//") ? "/" : ""
        let folder = row.domain.map { "/" + GitStream.slashed($0) } ?? nameless
        domains[folder, default: 0] += row.views ?? 0
      }
      for pair in point.domains_top15 {
        guard case .id(let folder) = pair[0], case .count(let views) = pair[1] else { continue }
        #expect(domains[folder] == views, "\(folder) as of \(asOf)")
      }
    }
  }

  @Test func `the log of a day holds the views of that day`() throws {
    let store = try Self.shared.get()
    let oracle = try SharedData.json("web-access-logs/oracle.json", as: Oracle.self)
    for point in oracle.points {
      let until = Date(timeIntervalSince1970: Double(point.asof_ts))
      let since = until.addingTimeInterval(-86_400 + 1)
      let views = try store.json(
        [
          "log", "--kind", "view", "--since", since.formatted(.iso8601), "--until",
          until.formatted(.iso8601),
        ], as: View.self)
      let counts = Dictionary(views.map { ($0.item, 1) }, uniquingKeysWith: +)
      for pair in point.last_24h_top10 {
        guard case .id(let item) = pair[0], case .count(let count) = pair[1] else { continue }
        #expect(counts[item] == count, "\(item) until \(until)")
      }
      let all = try store.json(
        ["log", "--kind", "view", "--until", until.formatted(.iso8601)], as: View.self)
      #expect(Set(all.compactMap(\.actor)).count == point.distinct_actors)
    }
  }

  @Test func `a page that was seen can be found by the words of its address`() throws {
    let store = try Self.shared.get()
    let answers = try store.json(
      ["search", "--queries", "-"], as: QueryAnswer.self,
      input: Data(#"{"query":"xdotool xhtml","exact":true,"limit":0}"#.utf8))
    #expect(answers[0].hits.contains { $0.item == "/projects/xdotool/xdotool.xhtml" })
  }

  @Test func `importing a log twice counts every view as a duplicate`() throws {
    let file = try Scratch.file(
      "access.log", SharedData.data("web-access-logs/apache_access_open.log.zst"))
    let store = Store("access-log-twice")
    _ = try store.json(["import", "access-log", file], as: AppendResult.self)
    let again = try store.json(["import", "access-log", file], as: AppendResult.self)
    #expect(again.first?.accepted == 0 && again.first?.duplicates == 4757)
  }
}
