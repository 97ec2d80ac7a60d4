import Foundation
import TestSupport
import Testing

/// A first-parent history as events, and what `git ls-tree` says at fifty commits.
struct GitStream: Sendable, CustomTestStringConvertible {
  let name: String
  var testDescription: String { name }

  static let all = ["tldr-first9000", "tmux", "zoxide"].map(GitStream.init)

  var hasTexts: Bool { name.hasPrefix("tldr") }

  struct Line: Decodable {
    var ts: Int
    var op: String
    var id: String
    var domain: String
    var blob: String?
    var title: String?
    var desc: String?
  }

  struct Oracle: Decodable {
    struct Point: Decodable {
      var asof_seq: Int
      var asof_ts: Int
      var ts_unambiguous: Bool
      var live: Int
      var ids_sha256: String
      var id_blob_sha256: String
      var top_level_counts: [String: Int]
    }

    var points: [Point]
  }

  struct SearchOracle: Decodable {
    struct Query: Decodable {
      var fts5_query: String
      var hits: Int
      var ids_sha256: String
    }

    struct Point: Decodable {
      var asof_seq: Int
      var queries: [Query]
    }

    var points: [Point]
  }

  func oracle() throws -> Oracle {
    try SharedData.json("git-streams/\(name).oracle.json", as: Oracle.self)
  }

  /// The events as lines of NDJSON.
  func lines() throws -> Data {
    var lines = EventLines()
    for line in try SharedData.rows("git-streams/\(name).events.jsonl.zst", as: Line.self) {
      try lines.add(event(line))
    }
    return lines.data
  }

  private func event(_ line: Line) -> [String: Any] {
    var event: [String: Any] = [
      "kind": line.op, "item": line.id, "time": line.ts, "recorded": line.ts,
    ]
    if line.op == "delete" { return event }
    if !line.domain.isEmpty { event["domain"] = Self.dotted(line.domain) }
    var attributes: [String: Any] = [:]
    attributes["blob"] = line.blob
    // A stream with texts says which items have a title; the others are files with names.
    attributes["title"] =
      hasTexts ? line.title : line.id.split(separator: "/").last.map(String.init)
    attributes["contentDescription"] = line.desc
    event["attributes"] = attributes
    return event
  }

  /// `a/b.c/d%` is the domain `a.b%2Ec.d%25`.
  static func dotted(_ domain: String) -> String {
    domain.split(separator: "/").map { $0.replacing("%", with: "%25").replacing(".", with: "%2E") }
      .joined(separator: ".")
  }

  /// The other way round.
  static func slashed(_ domain: String) -> String {
    domain.split(separator: ".").map { $0.replacing("%2E", with: ".").replacing("%25", with: "%") }
      .joined(separator: "/")
  }

  /// A store with the whole stream, made once in a test run.
  func store() throws -> Store { try Self.stores[name]?.get() ?? Store() }

  private static let stores: [String: Lazy<Store>] = Dictionary(
    uniqueKeysWithValues: all.map { stream in
      (
        stream.name,
        Lazy {
          let store = Store(stream.name)
          let result = try store.append(try stream.lines())
          try #require(result.rejected == 0 && result.duplicates == 0)
          return store
        }
      )
    })
}

/// Something expensive that several tests share, made by the first that asks.
final class Lazy<Value: Sendable>: @unchecked Sendable {
  // Guarded by the lock: whoever comes second waits for the first.
  private let lock = NSLock()
  private let make: @Sendable () throws -> Value
  private var made: Result<Value, any Error>?

  init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

  func get() throws -> Value {
    try lock.withLock {
      let result = made ?? Result { try make() }
      made = result
      return try result.get()
    }
  }
}
