import Foundation
import TestSupport
import Testing

/// A folder that goes away with the test process.
enum Scratch {
  /// A path in it that does not exist yet.
  static func path(_ name: String) -> String {
    "\(TestDirectory.shared)/\(name)-\(UUID().uuidString)"
  }

  /// A new file with these bytes.
  static func file(_ name: String, _ bytes: Data) throws -> String {
    let path = path(name)
    try bytes.write(to: URL(filePath: path))
    return path
  }
}

/// A store, used only through the built command, as a user would.
struct Store: Sendable {
  let path: String

  /// The command beside the test bundle, or `$CAIRN_BINARY`.
  static let binary: String =
    ProcessInfo.processInfo.environment["CAIRN_BINARY"]
    ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "cairn").path

  init(_ name: String = "store") { path = Scratch.path(name) }

  init(at path: String) { self.path = path }

  /// One in which these commands were run, all of which must succeed.
  init(running commands: [[String]]) throws {
    self.init()
    for command in commands {
      let done = try run(command)
      try #require(done.status == 0, "\(command): \(done.errors)")
    }
  }

  func start(_ arguments: [String]) throws -> RunningProcess {
    try RunningProcess(Self.binary, arguments + ["--store", path])
  }

  func run(_ arguments: [String], input: Data? = nil) throws -> ProcessResult {
    try start(arguments).finish(input: input)
  }

  func run(_ arguments: String..., input: Data? = nil) throws -> ProcessResult {
    try run(arguments, input: input)
  }

  /// Runs a command that must succeed and answers with JSON lines.
  func json<Row: Decodable>(
    _ arguments: [String], as type: Row.Type, input: Data? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Row] {
    let result = try run(arguments + ["--json"], input: input)
    try #require(
      result.status == 0,
      "cairn \(arguments.joined(separator: " ")): exit \(result.status): \(result.errors)",
      sourceLocation: sourceLocation)
    let decoder = JSONDecoder()
    return try result.output.split(separator: 0x0A).map { try decoder.decode(type, from: Data($0)) }
  }

  /// Appends lines that must all be accepted.
  @discardableResult func append(_ lines: Data, sourceLocation: SourceLocation = #_sourceLocation)
    throws -> AppendResult
  {
    let results = try json(
      ["append", "-"], as: AppendResult.self, input: lines, sourceLocation: sourceLocation)
    return try #require(results.first, sourceLocation: sourceLocation)
  }

  func stats(asOf point: String? = nil) throws -> Stats {
    let arguments = ["stats"] + (point.map { ["--as-of", $0] } ?? [])
    return try #require(try json(arguments, as: Stats.self).first)
  }

  /// The last event that a reader sees; 0 where there is no store yet.
  func headNow() throws -> Int {
    let result = try run("stats", "--json")
    if result.status == 66 { return 0 }
    try #require(result.status == 0, "\(result.errors)")
    return try JSONDecoder().decode(Stats.self, from: result.output).head
  }

  /// Its events as JSON, without what each store gives them itself.
  func contents() throws -> [String] {
    try run("log", "--json").objects().map { row in
      let content = row.filter { !["hash", "recorded"].contains($0.key) }
      let data = try JSONSerialization.data(withJSONObject: content, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// The digest of each projection by its name.
  func digests() throws -> [String: String] {
    Dictionary(
      try stats().projections.map { ($0.name, $0.digest ?? "") }, uniquingKeysWith: { $0 + $1 })
  }
}

struct AppendResult: Decodable, Equatable {
  var accepted: Int
  var duplicates: Int
  var rejected: Int
  var firstSequence: Int?
  var lastSequence: Int?
}

struct Stats: Decodable {
  struct Projection: Decodable {
    var name: String
    var sequence: Int
    var lag: Int
    /// Past moments have none.
    var digest: String?
  }

  var head: Int
  var items: Int
  var events: Int
  var kinds: [String: Int]
  var projections: [Projection]
}

struct ItemRow: Decodable {
  var item: String
  var domain: String?
  var title: String?
  var sequence: Int
  var attributes: [String: JSONScalar]?
}

struct RankedRow: Decodable, Equatable {
  var rank: Int
  var item: String
  var domain: String?
  var score: Double
  var views: Int?
  var lastViewed: String?

  /// `lastViewed` in whole Unix seconds.
  var lastViewedSeconds: Int? {
    lastViewed.flatMap { text in
      let whole = text.split(separator: ".").first.map { $0.hasSuffix("Z") ? $0 : $0 + "Z" }
      return whole.flatMap { try? Date(String($0), strategy: .iso8601) }.map {
        Int($0.timeIntervalSince1970)
      }
    }
  }
}

struct QueryAnswer: Decodable {
  struct Hit: Decodable {
    var item: String
    var score: Double
  }

  var query: String
  var hits: [Hit]
  var micros: Double
}

/// What an attribute may hold, as far as the tests look at it.
enum JSONScalar: Decodable, Equatable {
  case string(String)
  case strings([String])
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let texts = try? container.decode([String].self) {
      self = .strings(texts)
    } else {
      self = .other
    }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var strings: [String] { if case .strings(let texts) = self { texts } else { [] } }
}

/// Events as the lines that `cairn append` reads.
struct EventLines {
  private(set) var data = Data()

  mutating func add(_ event: [String: Any]) throws {
    data += try JSONSerialization.data(
      withJSONObject: event, options: [.sortedKeys, .withoutEscapingSlashes])
    data.append(0x0A)
  }

  mutating func add(raw line: Data) {
    data += line
    data.append(0x0A)
  }
}
