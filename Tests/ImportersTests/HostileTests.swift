import Events
import Foundation
import TestSupport
import Testing

/// Damaged and malicious files: a clear line, nothing half, never a crash.
@Suite struct HostileTests {
  static let names: [String] = {
    let expected = try? OracleTests.object("hostile/EXPECTED.json")
    return (expected ?? [:]).keys.sorted()
  }()

  @Test(
    .enabled(if: SharedData.has("importers/hostile"), "needs ../shared/data/importers"),
    arguments: names) func `a hostile file is refused or taken in part`(name: String) throws
  {
    let all = try OracleTests.object("hostile/EXPECTED.json")
    let expected = try #require(all[name] as? [String: Any])
    let path = SharedData.folder.appending(path: "importers/hostile/\(name)").path
    let history = try ImportedHistory([(path, try #require(expected["format"] as? String))])
    #expect(history.events.count <= expected["acceptedAtMost"] as? Int ?? 0)
    if (expected["why"] as? String)?.contains("exit 0 or 65") != true {
      #expect(history.failure != nil || !history.malformed.isEmpty)
    }
    if let failure = history.failure { #expect(!failure.message.contains("\n")) }
  }

  @Test(
    .enabled(if: SharedData.has("xbel"), "needs ../shared/data/xbel"))
  func `what GLib refuses is refused whole`() throws {
    let folder = SharedData.folder.appending(path: "xbel")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names.sorted() where name.hasPrefix("fail-") {
      let history = try ImportedHistory([(folder.appending(path: name).path, "xbel")])
      #expect(history.events.isEmpty, "\(name)")
    }
  }
}
