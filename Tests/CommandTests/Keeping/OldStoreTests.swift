import Foundation
import TestSupport
import Testing

/// Stores that earlier versions wrote, each with what it answered then.
@Suite struct OldStoreTests {
  private static let folder = Checkout.root.appending(path: "Migrations/Stores")

  /// A copy of one, as that version left it.
  private static func copy(_ name: String) throws -> Store {
    let store = Store("old-\(name)")
    let files = FileManager.default
    try files.createDirectory(atPath: store.path, withIntermediateDirectories: true)
    let source = folder.appending(path: name).path
    try files.copyItem(atPath: source + "/log.store", toPath: store.path + "/log.mdb")
    try files.copyItem(atPath: source + "/view.store", toPath: store.path + "/view-1.mdb")
    try Data("1\n".utf8).write(to: URL(filePath: store.path + "/CURRENT"))
    return store
  }

  private static func answers(_ name: String) throws -> [String: [[String: Any]]] {
    let data = try Data(contentsOf: folder.appending(path: name + "/answers.json"))
    return try JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]] ?? [:]
  }

  /// What must be as it was: keys and projections that were added since, and scores of another
  /// formula, may differ.
  private static func kept(_ row: [String: Any], of old: [String: Any]) throws -> String {
    var kept = row.filter { old.keys.contains($0.key) && !["score", "snippet"].contains($0.key) }
    let names = Set(projections(old).map { $0["name"] as? String })
    if !names.isEmpty {
      kept["projections"] = projections(row).filter { names.contains($0["name"] as? String) }
    }
    let data = try JSONSerialization.data(withJSONObject: kept, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  private static func projections(_ row: [String: Any]) -> [[String: Any]] {
    row["projections"] as? [[String: Any]] ?? []
  }

  @Test(arguments: ["0.1.0", "0.2.0", "0.2.2"])
  func `open, migrate and answer as they did`(name: String) throws {
    let store = try Self.copy(name)
    let answers = try Self.answers(name)
    #expect(answers.count == 8)
    func expectAnswers() throws {
      for (command, rows) in answers.sorted(by: { $0.key < $1.key }) {
        let found = try store.run(command.split(separator: " ").map(String.init) + ["--json"])
        #expect(found.status == 0, "\(name): \(command): \(found.errors)")
        let now = try found.objects()
        #expect(now.count == rows.count, "\(name): \(command)")
        for (row, old) in zip(now, rows) {
          #expect(try Self.kept(row, of: old) == Self.kept(old, of: old), "\(name): \(command)")
        }
      }
    }
    try expectAnswers()
    let plan = try store.run("migrate", "--plan", "--json")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(try store.run("migrate", "--apply").status == 0)
    let steps = try store.run("migrate", "--status", "--json").objects()
    #expect(steps.count >= 4)
    #expect(steps.allSatisfy { $0["state"] as? String == "applied" }, "\(steps)")
    #expect(try store.run("migrate", "--plan", "--json").objects().isEmpty)
    try expectAnswers()
    #expect(try store.run("verify", "--deep").status == 0)
    #expect(try store.append(Data(#"{"kind":"view","item":"item-1"}"#.utf8)).accepted == 1)
    #expect(try store.run("replay", "--verify").status == 0)
  }

  @Test(arguments: [
    // Those of 0.2.0 have their checkpoint elsewhere.
    ("0.1.0", 2...13), ("0.2.0", 3...13), ("0.2.2", 9...13), ("0.2.3", 11...13),
    ("0.2.4", 12...13),
  ])
  func `a plan names what is pending and changes nothing`(
    name: String, numbers: ClosedRange<Int>
  ) throws {
    let store = try Self.copy(name)
    func view() -> Data? { FileManager.default.contents(atPath: store.path + "/view-1.mdb") }
    let before = view()
    for option in ["--plan", "--dry-run"] {
      let plan = try store.run("migrate", option, "--json").objects()
      #expect(plan.allSatisfy { $0["state"] as? String == "pending" }, "\(plan)")
      let ids = plan.compactMap { $0["id"] as? String }
      #expect(ids.compactMap { Int($0.prefix(4)) } == Array(numbers))
      let last = try #require(plan.last)
      #expect(ids.last == "0013_weights_multiply")
      #expect(last["events"] as? Int ?? 0 > 0 && last["bytes"] as? Int ?? 0 > 0)
    }
    let steps = try store.run("migrate", "--status", "--json").objects()
    #expect(steps.last?["state"] as? String == "pending")
    #expect(try store.run("migrate", "--rollback", "--dry-run").status == 1)
    #expect(before != nil && view() == before)
    #expect(!FileManager.default.fileExists(atPath: store.path + "/view-2.mdb"))
    #expect(try store.run("migrate", "--apply").status == 0)
    #expect(try store.run("migrate", "--plan", "--json").objects().isEmpty)
  }

  /// The items that each search finds once the steps are done, where they change that on purpose.
  private static func afterwards(_ name: String) throws -> [String: [String]] {
    let data = try Data(contentsOf: folder.appending(path: name + "/after.json"))
    return try JSONSerialization.jsonObject(with: data) as? [String: [String]] ?? [:]
  }

  @Test func `steps of words and of searched attributes make the answers they promise`() throws {
    let store = try Self.copy("0.2.1")
    let (before, after) = (try Self.answers("0.2.1"), try Self.afterwards("0.2.1"))
    func found(_ command: String) throws -> [[String: Any]] {
      try store.run(command.split(separator: " ").map(String.init) + ["--json"]).objects()
    }
    func items(_ rows: [[String: Any]]) -> [String] {
      rows.compactMap { $0["item"] as? String }.sorted()
    }
    #expect(try store.run("migrate", "--apply").status == 0)
    var changed = 0
    for (command, expected) in after.sorted(by: { $0.key < $1.key }) {
      #expect(items(try found(command)) == expected, "\(command)")
      if expected != items(before[command] ?? []) { changed += 1 }
    }
    #expect(changed == 9)
    for command in ["items", "log", "top --now 2024-01-01T00:00:00Z"] {
      let (now, then) = (try found(command), before[command] ?? [])
      #expect(now.count == then.count, "\(command)")
      for (row, old) in zip(now, then) {
        #expect(try Self.kept(row, of: old) == Self.kept(old, of: old), "\(command)")
      }
    }
    #expect(try store.run("verify", "--deep").status == 0)
    let rebuilt = try store.run(["rebuild", "--json"]).objects()
    #expect(rebuilt.allSatisfy { $0["equal"] as? Bool == true })
  }

  @Test(arguments: [("0.2.3", 7), ("0.2.4", 3)])
  func `what parts told is found as it should be, once the steps are done`(
    name: String, count: Int
  ) throws {
    let store = try Self.copy(name)
    let (before, after) = (try Self.answers(name), try Self.afterwards(name))
    let verified = try store.run("verify", "--deep")
    #expect(verified.status == 0, "\(verified.errors)")
    // With checkpoints of before they are not even read, but made anew when the store is opened.
    #expect(!verified.text.contains("not compared"))
    let row = try store.run("verify", "--json").objects().first
    #expect(row?["outdated"] == nil)
    let replayed = try store.run("replay", "--verify").errors
    #expect(!replayed.contains(": another version or schema made the projection;"))
    #expect(try store.run("migrate", "--apply").status == 0)
    var changed = 0
    for (command, expected) in after.sorted(by: { $0.key < $1.key }) {
      let rows = try store.run(command.split(separator: " ").map(String.init) + ["--json"])
      let found = try rows.objects().compactMap { $0["item"] as? String }.sorted()
      #expect(found == expected, "\(command)")
      let old = before[command] ?? []
      if expected != old.compactMap({ $0["item"] as? String }).sorted() { changed += 1 }
    }
    #expect(changed == count)
    #expect(try store.run("verify", "--deep").status == 0)
    let rebuilt = try store.run(["rebuild", "--json"]).objects()
    #expect(rebuilt.allSatisfy { $0["equal"] as? Bool == true })
  }

  @Test func `weights multiply, once the step is done`() throws {
    let store = try Self.copy("0.2.5")
    let (before, after) = (try Self.answers("0.2.5"), try Self.afterwards("0.2.5"))
    func items(_ rows: [[String: Any]]) -> [String] { rows.compactMap { $0["item"] as? String } }
    #expect(try store.run("migrate", "--apply").status == 0)
    var changed = 0
    for (command, expected) in after.sorted(by: { $0.key < $1.key }) {
      let rows = try store.run(command.split(separator: " ").map(String.init) + ["--json"])
      #expect(items(try rows.objects()) == expected, "\(command)")
      if expected != items(before[command] ?? []) { changed += 1 }
    }
    // All but the list of items.
    #expect(changed == 5)
    #expect(try store.run("verify", "--deep").status == 0)
    let rebuilt = try store.run(["rebuild", "--json"]).objects()
    #expect(rebuilt.allSatisfy { $0["equal"] as? Bool == true })
  }

  @Test func `a step that cannot be taken back is refused, and nothing changes`() throws {
    let store = try Self.copy("0.2.0")
    let before = try store.stats().head
    for arguments in [
      ["migrate", "--rollback"], ["migrate", "--rollback", "--dry-run"],
      ["migrate", "--rollback", "0001_keywords_become_arrays"], ["migrate", "--rollback", "none"],
    ] {
      let result = try store.run(arguments)
      #expect(result.status == 1, "\(arguments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(try store.stats().head == before)
    for arguments in [["migrate", "x"], ["migrate", "--plan", "--apply"]] {
      #expect(try store.run(arguments).status == 64)
    }
  }
}
