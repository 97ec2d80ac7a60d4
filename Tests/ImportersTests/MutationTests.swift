import Foundation
import Importers
import TestSupport
import Testing
import Values

/// Every sample with bytes changed, cut, doubled and put in, again and again from one seed.
///
/// `CAIRN_MUTATIONS=2000` makes so many of each, `CAIRN_SEED` others.
@Suite struct MutationTests {
  private static func number(_ name: String, else value: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
  }

  /// What parsers stumble over.
  private static let tokens: [[UInt8]] =
    [
      "\"", "'", "{", "[[[[", "]", "}", ",", ":", ";", "\n", "\r", "\\", "<", "</", "&#x110000;",
      "9999999999999999999", "-1", "1e999", "NaN", "0000000000000", "\u{FEFF}", "%00", "%",
      "file://", "https://", "://", "==========", "BEGIN:VEVENT", "#1\n",
    ].map { Array($0.utf8) } + [
      [0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [UInt8](repeating: 0xFF, count: 8),
      [UInt8](repeating: 0, count: 16), [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0],
    ]

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      guard !bytes.isEmpty else { return }
      let at = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, at + Int.random(in: 1...64, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
      case 2: bytes.removeSubrange(at..<end)
      case 3: bytes.insert(contentsOf: bytes[at..<end], at: at)
      case 4: bytes.removeSubrange(at...)
      case 5:
        for place in at..<end { bytes[place] = UInt8.random(in: .min ... .max, using: &random) }
      default:
        let token = tokens[Int.random(in: tokens.indices, using: &random)]
        bytes.insert(contentsOf: token, at: at)
      }
    }
  }

  @Test(
    .enabled(if: SharedData.has("importers"), "needs ../shared/data/importers"),
    arguments: OracleTests.samples.filter { $0.file != "History" || $0.folder != "vscode" })
  func `a sample with changed bytes is read or refused`(sample: OracleTests.Sample) throws {
    let oracle = try OracleTests.object("\(sample.folder)/oracle.json")
    let format = try #require((oracle[sample.file] as? [String: Any])?["format"] as? String)
    let whole = try Data(contentsOf: URL(filePath: sample.path))
    let log = try? Data(contentsOf: URL(filePath: sample.path + "-wal"))
    let folder = ImportedHistory.scratch + "-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/" + (sample.file.split(separator: "/").last ?? "")
    var random = SeededGenerator(
      seed: UInt64(Self.number("CAIRN_SEED", else: 1)) &* 31 &+ UInt64(whole.count))
    for round in 0..<Self.number("CAIRN_MUTATIONS", else: 3) {
      var bytes = Array(whole)
      var logBytes = log.map { Array($0) }
      if var changed = logBytes, Bool.random(using: &random) {
        Self.mutate(&changed, &random)
        logBytes = changed
      } else {
        Self.mutate(&bytes, &random)
      }
      try Data(bytes).write(to: URL(filePath: path))
      if let logBytes { try Data(logBytes).write(to: URL(filePath: path + "-wal")) }
      let history = try ImportedHistory([(path, format)])
      // What is given reads as events; what is said is said in one line.
      for line in history.malformed + history.files.compactMap({ $0.failure?.message }) {
        #expect(!line.contains("\n"), "round \(round): \(line)")
      }
      #expect(history.events.count <= 20 * (bytes.count + (logBytes?.count ?? 0)))
    }
  }
}
