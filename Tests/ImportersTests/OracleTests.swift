import Cryptography
import Events
import Foundation
import Importers
import TestSupport
import Testing
import Values

/// Every sample of ../shared/data/importers, against what an independent reader found in it.
@Suite struct OracleTests {
  /// One file, or folder, with its oracle.
  struct Sample: CustomTestStringConvertible, Sendable {
    var folder: String
    var file: String
    var testDescription: String { "\(folder)/\(file)" }
    var path: String {
      SharedData.folder.appending(path: "importers/\(folder)/\(file)").standardizedFileURL.path
    }
  }

  static let folder = SharedData.folder.appending(path: "importers")

  static let samples: [Sample] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().flatMap { name -> [Sample] in
      guard name != "successive", let oracle = try? object("\(name)/oracle.json") else { return [] }
      return oracle.keys.sorted().map { Sample(folder: name, file: $0) }
    }
  }()

  static func object(_ path: String) throws -> [String: Any] {
    let data = try SharedData.data("importers/\(path)")
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// Where we differ from the oracle on purpose.
  ///
  /// A step forward or back in Chromium counts as `auto` (the issue decided so after the oracle was
  /// made).
  static let steps = ["chromium/History": 2, "chromium/hindsight-10": 7]

  /// What an oracle wants, with steps as links.
  static func asLinks(_ form: [String: OracleValue]) -> [String: OracleValue] {
    var form = form
    if form["source"] == .text("chromium"), form["transition"] == .text("auto") {
      form["transition"] = .text("link")
    }
    return form
  }

  @Test(
    .enabled(if: SharedData.has("importers"), "needs ../shared/data/importers"),
    arguments: samples) func `a sample gives what its oracle says`(sample: Sample) throws
  {
    let all = try Self.object("\(sample.folder)/oracle.json")
    let oracle = try #require(all[sample.file] as? [String: Any])
    let format = try #require(oracle["format"] as? String)
    let history = try ImportedHistory([(sample.path, format)])
    #expect(history.failure == nil)
    let events = history.events
    #expect(events.count == oracle["events"] as? Int)
    #expect(history.malformed.count == oracle["malformed"] as? Int, "\(history.malformed)")
    #expect(history.skipped == oracle["skipped"] as? [String: Int])
    #expect(Self.counts(events.map(\.kind.name.description)) == oracle["kinds"] as? [String: Int])
    let transitions = Self.counts(events.compactMap { $0.oracleForm["transition"]?.description })
    var wantedTransitions = oracle["transitions"] as? [String: Int] ?? [:]
    if let count = Self.steps[sample.testDescription] {
      wantedTransitions["link", default: 0] -= count
      wantedTransitions["auto", default: 0] += count
    }
    #expect(transitions == wantedTransitions)
    let items = Set(events.compactMap(\.item))
    #expect(items.count == oracle["items"] as? Int)
    if !items.isEmpty { #expect(Self.digest(items) == oracle["itemsSHA256"] as? String) }
    let timed = events.filter { !$0.isUntimed }.compactMap { $0.time?.microseconds }
    #expect(events.count - timed.count == oracle["untimed"] as? Int)
    #expect(timed.min() == Self.time(oracle["first"]))
    #expect(timed.max() == Self.time(oracle["last"]))
    let dwell = events.compactMap(\.dwell).reduce(0, +)
    #expect(abs(dwell - (oracle["dwellSeconds"] as? Double ?? 0)) < 0.001)
    try Self.compareMostViewed(events, oracle["topViewed"])
    let domains = Self.counts(
      events.map { event in
        (event.domain.value ?? "").split(separator: ".").prefix(2).joined(separator: ".")
      })
    for (domain, count) in oracle["domains"] as? [String: Int] ?? [:] {
      #expect(domains[domain] == count, "\(domain)")
    }
    let forms = Set(events.map(\.oracleForm))
    for sample in oracle["sample"] as? [[String: Any]] ?? [] {
      let wanted = OracleValue.form(sample)
      let near = events.map(\.oracleForm).filter { $0["item"] == wanted["item"] }
      let isFound = forms.contains(wanted) || near.map(Self.asLinks).contains(wanted)
      #expect(isFound, "wanted \(wanted), near \(near.prefix(3))")
    }
    #expect(Set(history.ids).count == events.count, "every event has an id of its own")
  }

  private static func counts(_ words: [String]) -> [String: Int] {
    words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func time(_ value: Any?) -> Int64? {
    (value as? String).flatMap { Timestamp(rfc3339: $0)?.microseconds }
  }

  private static func digest(_ items: Set<String>) -> String {
    let sorted = items.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let text = sorted.map { $0 + "\n" }.joined()
    return Hexadecimal.text(SHA256.hash(Array(text.utf8)).bytes)
  }

  static func compareMostViewed(_ events: [Event], _ oracle: Any?) throws {
    var visits: [String: Int64] = [:]
    for event in events where event.kind == .view {
      visits[event.item ?? "", default: 0] += event.visitCount
    }
    let sorted = visits.sorted {
      $0.value != $1.value
        ? $0.value > $1.value : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    let wanted = oracle as? [[String: Any]] ?? []
    #expect(sorted.prefix(wanted.count).map(\.key) == wanted.map { $0["item"] as? String ?? "" })
    #expect(
      sorted.prefix(wanted.count).map { Int($0.value) } == wanted.map { $0["visits"] as? Int ?? 0 })
  }

  @Test(
    .enabled(if: SharedData.has("importers"), "needs ../shared/data/importers"),
    arguments: samples) func `a sample is recognised by its content`(sample: Sample) throws
  {
    let all = try Self.object("\(sample.folder)/oracle.json")
    let oracle = try #require(all[sample.file] as? [String: Any])
    let file = try InputFile(sample.path, options: ImportedHistory.options)
    let format = try #require(oracle["format"] as? String)
    // Lines without a mark are anybody's.
    let unmarked = ["bash/plain", "zsh/plain", "netscape/none"]
    guard !unmarked.contains(sample.testDescription) else { return }
    #expect(HistoryFormats.format(of: file)?.name == format)
  }

  @Test(
    .enabled(if: SharedData.has("importers"), "needs ../shared/data/importers"),
    arguments: ["zsh", "zoxide", "chromium", "atuin"])
  func `a newer copy adds only what is new`(format: String) throws {
    let all = try Self.object("successive/oracle.json")
    let oracle = try #require(all[format] as? [String: Any])
    let paths = try ["older", "newer"].map { age in
      Self.folder.appending(path: "successive/\(try #require(oracle[age] as? String))").path
    }
    let older = try ImportedHistory([(paths[0], format)])
    #expect(older.events.count == oracle["olderEvents"] as? Int)
    let newer = try ImportedHistory([(paths[1], format)], past: older.uses)
    let known = Set(older.ids)
    let added = zip(newer.events, newer.ids).filter { !known.contains($0.1) }.map(\.0)
    #expect(added.count == oracle["added"] as? Int)
    let duplicates = newer.events.count - added.count + (newer.skipped["as known"] ?? 0)
    #expect(duplicates == oracle["duplicates"] as? Int)
    let forms = Set(added.map(\.oracleForm) + added.map { Self.asLinks($0.oracleForm) })
    for sample in oracle["addedEvents"] as? [[String: Any]] ?? [] {
      #expect(forms.contains(OracleValue.form(sample)), "\(sample)")
    }
    try Self.compareMostViewed(older.events + added, oracle["topViewedAfterBoth"])
  }
}
