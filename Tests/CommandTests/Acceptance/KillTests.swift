import Foundation
import TestSupport
import Testing

/// What is left after the process is gone in the middle of its work.
///
/// Short by default; `CAIRN_KILL_ROUNDS=100` does what the promise says, `CAIRN_SEED` repeats it.
@Suite(.serialized) struct `Killed at any instant` {
  static let environment = ProcessInfo.processInfo.environment
  static let rounds = environment["CAIRN_KILL_ROUNDS"].flatMap { Int($0) } ?? 4
  static let seed =
    environment["CAIRN_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...99_999)
  /// A debug build on a machine that runs the rest of the suite at the same time is slower.
  static let secondsToOpen = environment["CAIRN_KILL_ROUNDS"] == nil ? 10.0 : 1.0

  private struct Logged: Decodable {
    var sequence: Int
    var id: String
  }

  /// Opens in time, numbers without gaps, and projections that equal a fresh fold.
  private static func check(_ store: Store, holds acknowledged: Int, _ note: Comment) throws
    -> [String]
  {
    guard FileManager.default.fileExists(atPath: store.path + "/log.mdb") else {
      #expect(acknowledged == 0, note)
      return []
    }
    let start = Date()
    let head: Int
    let opened = try store.run("stats", "--json")
    if opened.status == 66 {
      // Killed before the first commit had made it a store.
      head = 0
    } else {
      try #require(opened.status == 0, "\(note): \(opened.errors)")
      head = try JSONDecoder().decode(Stats.self, from: opened.output).head
    }
    #expect(Date().timeIntervalSince(start) < secondsToOpen, note)
    #expect(head >= acknowledged, note)
    guard head > 0 else { return [] }
    let events = try store.json(["log"], as: Logged.self)
    #expect(events.map(\.sequence) == Array(1...head), note)
    let verified = try store.run("replay", "--verify")
    #expect(verified.status == 0, "\(note): \(verified.errors)")
    return events.map(\.id)
  }

  @Test func `an append loses nothing that was acknowledged and keeps nothing half`() throws {
    var random = SeededGenerator(seed: Self.seed)
    let history = try MadeUpHistory(count: 3000, seed: Self.seed)
    let store = Store("killed-append")
    for round in 0..<Self.rounds {
      let note: Comment = "seed \(Self.seed), round \(round)"
      let batch = Int.random(in: 1...200, using: &random)
      let writer = try store.start(["append", "-", "--batch", "\(batch)"])
      let feeder = Thread {
        for line in history.lines where !writer.write(line + [0x0A]) { break }
        writer.closeInput()
      }
      feeder.start()
      usleep(UInt32.random(in: 20_000...500_000, using: &random))
      let acknowledged = try store.headNow()
      writer.kill(SIGKILL)
      _ = writer.finish()
      let ids = try Self.check(store, holds: acknowledged, note)
      #expect(ids == Array(history.ids.prefix(ids.count)), note)
    }
    let rest = try store.append(history.data)
    #expect(rest.accepted + rest.duplicates == history.lines.count)
    let clean = Store("never-killed")
    try clean.append(history.data)
    #expect(try store.digests() == clean.digests(), "seed \(Self.seed)")
  }

  @Test func `an import that was killed is finished by running it again`() throws {
    var random = SeededGenerator(seed: Self.seed &+ 1)
    var log = ""
    for number in 0..<3000 {
      let (minute, second) = (number / 60 % 60, number % 60)
      log += "h\(number % 40) - - [17/May/2015:\(10 + number / 3600):"
      log += String(format: "%02d:%02d", minute, second)
      log += " +0000] \"GET /page/\(number % 200)/view.html HTTP/1.1\" 200 1\n"
    }
    let file = try Scratch.file("access.log", Data(log.utf8))
    let store = Store("killed-import")
    for round in 0..<Self.rounds {
      let importer = try store.start(["import", "access-log", file])
      usleep(UInt32.random(in: 10_000...400_000, using: &random))
      let acknowledged = try store.headNow()
      importer.kill(SIGKILL)
      _ = importer.finish()
      _ = try Self.check(store, holds: acknowledged, "seed \(Self.seed), round \(round)")
    }
    #expect(try store.run("import", "access-log", file).status == 0)
    let clean = Store("clean-import")
    #expect(try clean.run("import", "access-log", file).status == 0)
    #expect(try store.stats().head == 3000)
    #expect(try store.digests() == clean.digests(), "seed \(Self.seed)")
  }

  @Test func `a rebuild that was killed changes no answer and can be run again`() throws {
    var random = SeededGenerator(seed: Self.seed &+ 2)
    let history = try MadeUpHistory(count: 3000, seed: Self.seed)
    let store = Store("killed-rebuild")
    try store.append(history.data)
    let before = try store.digests()
    let items = try store.run("items", "--json").text
    for round in 0..<Self.rounds {
      let note: Comment = "seed \(Self.seed), round \(round)"
      let rebuild = try store.start(["rebuild"])
      usleep(UInt32.random(in: 5_000...300_000, using: &random))
      rebuild.kill(SIGKILL)
      _ = rebuild.finish()
      #expect(try store.digests() == before, note)
      #expect(try store.run("items", "--json").text == items, note)
    }
    #expect(try store.run("rebuild").status == 0)
    #expect(try store.digests() == before)
    #expect(try store.append(Data(#"{"kind":"view","item":"item-1"}"#.utf8)).accepted == 1)
  }

  @Test func `a purge that was killed is whole or has not happened`() throws {
    var random = SeededGenerator(seed: Self.seed &+ 3)
    let store = Store("killed-purge")
    try Self.fill(store, 1_500) { "kanarie\($0 % 100)" }
    var left = 1_500
    for round in 0..<Self.rounds {
      let note: Comment = "seed \(Self.seed), round \(round)"
      let name = "kanarie\(round % 10 * 10)"
      let purge = try store.start(["purge", "--domain", "d.\(name)", "--yes"])
      usleep(UInt32.random(in: 5_000...700_000, using: &random))
      purge.kill(SIGKILL)
      _ = purge.finish()
      let items = try store.json(["items"], as: ItemRow.self).count
      #expect(items == left || items == left - 15, note)
      #expect(try store.run("replay", "--verify").status == 0, note)
      let isGone = try store.json(["items", "--domain", "d.\(name)"], as: ItemRow.self).isEmpty
      if isGone { #expect(try Self.files(of: store, holding: "\(name)-") == [], note) }
      left = items
      // What is left of it goes now, so that each round has its own domain.
      let receipts = try store.run("purge", "--domain", "d.\(name)", "--yes", "--json")
      #expect(receipts.status == 0, note)
      #expect(try Self.files(of: store, holding: "\(name)-") == [], note)
      left = try store.json(["items"], as: ItemRow.self).count
    }
    #expect(try store.run("verify", "--deep").status == 0, "seed \(Self.seed)")
  }

  @Test func `a purge is whole whatever is killed beside it`() throws {
    var random = SeededGenerator(seed: Self.seed &+ 6)
    let store = Store("killed-beside")
    try Self.fill(store, 200) { "kanarie\($0 % 100)" }
    for round in 0..<Self.rounds {
      let note: Comment = "seed \(Self.seed), round \(round)"
      try store.append(Data(#"{"kind":"view","item":"plain-1"}"#.utf8))
      let writer = try store.start(["append", "-"])
      writer.write(Data("{\"kind\":\"view\",\"item\":\"plain-2\"}\n".utf8))
      let purge = try store.start(["purge", "--kind", "view", "--yes", "--all-of-it"])
      usleep(UInt32.random(in: 0...30_000, using: &random))
      writer.kill(SIGKILL)
      _ = writer.finish()
      let purged = purge.finish()
      #expect(purged.status == 0, "\(note): \(purged.errors)")
      #expect(try store.run("verify", "--deep").status == 0, note)
    }
    #expect(try store.json(["items"], as: ItemRow.self).count == 200)
  }

  /// Every tenth item is named, and its domain too, as what a purge will take.
  private static func fill(_ store: Store, _ count: Int, _ purged: (Int) -> String) throws {
    var lines = EventLines()
    for number in 0..<count {
      let name = number % 10 == 0 ? purged(number) : "plain"
      try lines.add([
        "kind": "index", "item": "\(name)-\(number)", "domain": "d.\(name)",
        "attributes": ["title": "\(name) title \(number)"],
      ])
    }
    try store.append(lines.data)
  }

  private static func files(of store: Store, holding text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.path).filter { name in
      FileManager.default.contents(atPath: store.path + "/" + name)?.range(of: Data(text.utf8))
        != nil
    }
  }

  @Test func `a backup or copy that was killed is none, and can be taken again`() throws {
    var random = SeededGenerator(seed: Self.seed &+ 4)
    let history = try MadeUpHistory(count: 3000, seed: Self.seed)
    let store = Store("killed-backup")
    try store.append(history.data)
    for round in 0..<Self.rounds {
      let note: Comment = "seed \(Self.seed), round \(round)"
      let (backup, restored) = (Scratch.path("backup"), Scratch.path("restored"))
      let replayed = Scratch.path("replayed")
      for (arguments, directory) in [
        (["backup", backup], backup), (["restore", backup, "--into", restored], restored),
        (["replay", "--into", replayed], replayed),
      ] {
        let process = try store.start(arguments)
        usleep(UInt32.random(in: 5_000...300_000, using: &random))
        process.kill(SIGKILL)
        _ = process.finish()
        let isThere = FileManager.default.fileExists(atPath: directory + "/log.mdb")
        if !isThere { #expect(try store.run(arguments).status == 0, note) }
      }
      #expect(try Store(at: restored).digests() == store.digests(), note)
      #expect(try Store(at: replayed).digests() == store.digests(), note)
    }
  }

  @Test func `a restore that was killed is no store, or one without what was purged since`() throws
  {
    var random = SeededGenerator(seed: Self.seed &+ 5)
    let store = Store("killed-restore")
    try Self.fill(store, 3_000) { _ in "kanarie" }
    #expect(try store.run("snapshot", "create", "all").status == 0)
    let backup = Scratch.path("backup")
    #expect(try store.run("backup", backup).status == 0)
    #expect(try store.run("purge", "--domain", "d.kanarie", "--yes").status == 0)
    for round in 0..<Self.rounds {
      let note: Comment = "seed \(Self.seed), round \(round)"
      let path = Scratch.path("restored")
      let arguments = ["restore", backup, "--into", path]
      let process = try store.start(arguments)
      usleep(UInt32.random(in: 5_000...200_000, using: &random))
      process.kill(SIGKILL)
      _ = process.finish()
      let restored = Store(at: path)
      if !FileManager.default.fileExists(atPath: path + "/log.mdb") {
        #expect(try restored.run("log").status == 66, note)
        #expect(try store.run(arguments).status == 0, note)
      }
      #expect(try Self.files(of: restored, holding: "kanarie-") == [], note)
      #expect(try restored.json(["items"], as: ItemRow.self).count == 2_700, note)
      #expect(try restored.digests() == store.digests(), note)
      let leftovers = try FileManager.default.contentsOfDirectory(atPath: path).filter {
        $0.hasSuffix(".part")
      }.flatMap { try FileManager.default.contentsOfDirectory(atPath: path + "/" + $0) }
      #expect(leftovers == [], note)
    }
  }
}
