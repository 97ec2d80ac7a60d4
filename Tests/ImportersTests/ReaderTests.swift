import Compression
import Events
import Foundation
import Testing

@testable import Importers

/// Input that nobody has seen yet: long, packed, deep, in use.
@Suite struct ReaderTests {
  @Test func `a line longer than any command is refused and its neighbours are kept`() throws {
    let path = try MadeFile.file("history", Data("#1700000000\nls\n".utf8))
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    // A hole reads as zeros: one line of 64 MiB.
    try handle.seek(toOffset: 64 << 20)
    try handle.write(contentsOf: Data("\n#1700000001\npwd\n".utf8))
    let history = try ImportedHistory([(path, "bash")])
    #expect(history.events.compactMap(\.item) == ["shell:ls", "shell:pwd"])
    #expect(history.malformed.count == 1)
  }

  @Test func `what is packed is unpacked piece by piece, and half of it is refused`() throws {
    let folder = ImportedHistory.scratch + "-files/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try MadeFile.shell(
      "cd '\(folder)' && (echo '- cmd: ls'; head -c 100000000 /dev/zero; echo) | gzip > bomb.gz"
        + " && printf -- '- cmd: a\\n- cmd: b\\n' | gzip > whole.gz && head -c 25 whole.gz > half.gz"
    )
    let bomb = try ImportedHistory([(folder + "/bomb.gz", "fish")])
    #expect(bomb.events.count <= 1 && bomb.malformed.count == 1)
    let whole = try ImportedHistory([(folder + "/whole.gz", "fish")])
    #expect(whole.events.count == 2)
    let half = try ImportedHistory([(folder + "/half.gz", "fish")])
    #expect(half.events.isEmpty && half.failure != nil)
  }

  @Test func `lines of JSON are taken as far as they can be unpacked`() throws {
    let path = try MadeFile.file("listens.gz", "")
    let line = #"{"listened_at":16000&,"track_metadata":{"artist_name":"A","track_name":"T"}}"#
    try MadeFile.shell("seq 10000 29999 | sed 's/.*/\(line)/' | gzip | head -c -1000 > '\(path)'")
    let history = try ImportedHistory([(path, "listenbrainz")])
    #expect(history.events.count > 10_000 && history.events.count < 20_000)
    #expect(history.failure == nil && history.malformed.count == 1, "\(history.malformed)")
    #expect(history.refused.map { $0.hasPrefix("{\"listened_at\"") } == [true])
  }

  @Test func `what zlib holds when its input ends is unpacked, too`() throws {
    // A b and 131,076 times a: five bytes more than a piece, in a byte that was read by then.
    let packed: [UInt8] =
      [237, 193, 33, 1, 0, 0, 0, 2, 160, 173, 250, 127, 132, 213, 17, 64, 3]
      + [UInt8](repeating: 0, count: 126) + [112, 6]
    let inflater = try Unpacker(.deflate)
    inflater.feed(packed)
    var unpacked: [UInt8] = []
    var piece: [UInt8] = []
    while try inflater.next(into: &piece) { unpacked += piece }
    #expect(inflater.isComplete)
    #expect(unpacked == Array("b".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 131_076))
  }

  @Test func `nothing behind the rest of a packed file is taken for another member`() throws {
    // "b", packed as raw deflate is in no file alone: gzip with head and end.
    let packed: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 2, 0, 0xF9, 0xEF, 0xBE, 0x71, 1, 0, 0, 0,
    ]
    let unpacker = try Unpacker(.gzip)
    var unpacked: [UInt8] = []
    var piece: [UInt8] = []
    for bytes in [packed + [0, 1], packed] {
      unpacker.feed(bytes)
      while try unpacker.next(into: &piece) { unpacked += piece }
    }
    #expect(unpacker.isComplete && unpacker.hasRest)
    #expect(unpacked == Array("b".utf8))
  }

  @Test func `a copy that a killed process left is deleted by the next`() throws {
    let scratch = ImportedHistory.scratch + "-\(UUID().uuidString)"
    try MadeFile.shell(
      """
      mkdir -p '\(scratch)/cairn-import-old' '\(scratch)/cairn-import-new' && cd '\(scratch)'
      echo x > cairn-import-old/copy && echo x > cairn-import-new/copy
      touch -d '2 hours ago' cairn-import-old
      """)
    let path = try MadeFile.database("history.sqlite", "create table History(url, atime);")
    var options = ImportedHistory.options
    options.scratch = scratch
    #expect(try ImportedHistory([(path, "qutebrowser")], options: options).failure == nil)
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch)
    #expect(left == ["cairn-import-new"])
  }

  @Test func `xz is unpacked, one after the other, and half of it is refused`() throws {
    // `- cmd: ls`, `  when: 1700000000`.
    let packed = try #require(
      Data(
        base64Encoded: "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jMAQAcLSBjbWQ6IGxzCiAgd2hlbjog"
          + "MTcwMDAwMDAwMAoAAAAAewKUzYFZH9cAATUdRBux4R+2830BAAAAAARZWg=="))
    let twice = try ImportedHistory([(try MadeFile.file("h.xz", packed + packed), "fish")])
    #expect(twice.events.compactMap(\.item) == ["shell:ls", "shell:ls"])
    let half = try ImportedHistory([(try MadeFile.file("h.xz", packed.dropLast(20)), "fish")])
    #expect(half.events.isEmpty && half.failure?.code == .malformed)
    // Padding may stand between, and something else is told.
    let padded = packed + Data(count: 4) + packed + Data(count: 8)
    let both = try ImportedHistory([(try MadeFile.file("h.xz", padded), "fish")])
    #expect(both.events.count == 2 && both.malformed.isEmpty)
    let path = try MadeFile.file("h.xz", packed + Data("x".utf8))
    let more = try ImportedHistory([(path, "fish")])
    #expect(more.events.count == 1)
    let place = "\(path):byte \(packed.count + 1)"
    #expect(more.malformed == [place + ": something else stands behind what is packed in the file"])
  }

  @Test func `a first line longer than the head and with a return costs no other`() throws {
    let long = "echo \r" + String(repeating: "x", count: 200_000)
    let path = try MadeFile.file("h", long + "\nls\nmake\n")
    let history = try ImportedHistory([(path, "bash")])
    #expect(history.events.compactMap(\.item).suffix(2) == ["shell:ls", "shell:make"])
  }

  @Test(arguments: ["bash", "zsh"])
  func `something behind what is packed is told where a file is read twice`(format: String) throws {
    let path = try MadeFile.file("h", "#1700000000\nls\n: 1700000001:0;make\n")
    try MadeFile.shell("(gzip -c '\(path)'; printf rest) > '\(path).gz'")
    #expect(try ImportedHistory([(path, format)]).malformed.isEmpty)
    #expect(try ImportedHistory([(path + ".gz", format)]).malformed.count == 1)
  }

  @Test func `a database in use is copied with its log and stays as it is`() throws {
    let path = try MadeFile.file("places.sqlite", Data())
    let make = """
      pragma journal_mode=wal; create table moz_places(id integer primary key, url, title);
      create table moz_historyvisits(id integer primary key, from_visit, place_id, visit_date,
        visit_type);
      insert into moz_places values (1, 'https://a.example/', 'A');
      insert into moz_historyvisits values (1, 0, 1, 1700000000000000, 1);
      """
    // The reader that stays open keeps all rows in the log.
    let writer = Process()
    writer.executableURL = URL(filePath: "/usr/bin/env")
    writer.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()
      print("ready", flush=True); sys.stdin.read()
      """, path, make,
    ]
    let (input, output) = (Pipe(), Pipe())
    writer.standardInput = input
    writer.standardOutput = output
    try writer.run()
    _ = output.fileHandleForReading.availableData
    let before = try Data(contentsOf: URL(filePath: path))
    let history = try ImportedHistory([(path, "firefox")])
    #expect(history.failure == nil && history.events.count == 1)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    try input.fileHandleForWriting.close()
    writer.waitUntilExit()
    let left = (try? FileManager.default.contentsOfDirectory(atPath: ImportedHistory.scratch)) ?? []
    #expect(left.allSatisfy { !$0.hasPrefix("cairn-import") } || left.count < 16)
  }

  @Test func `views and triggers of a database are not run`() throws {
    let make = """
      create table urls(id integer primary key, url, title);
      create view visits as with recursive n(i) as (select 1 union all select i + 1 from n)
        select i as id, 1 as url, i as visit_time, 0 as transition from n;
      """
    let path = try MadeFile.database("History", make)
    let history = try ImportedHistory([(path, "chromium")])
    #expect(history.failure?.message.contains("no table visits") == true)
  }

  @Test func `bookmarks in folders that bite their tail are refused`() throws {
    let make = """
      create table moz_places(id integer primary key, url, title);
      create table moz_historyvisits(id integer primary key, from_visit, place_id, visit_date, visit_type);
      create table moz_bookmarks(id integer primary key, type, fk, parent, title, dateAdded, guid);
      insert into moz_places values (1, 'https://a.example/', 'A');
      insert into moz_bookmarks values (2, 2, null, 3, 'x', 1700000000000000, 'g2'),
        (3, 2, null, 2, 'y', 1700000000000000, 'g3'), (4, 1, 1, 2, 'b', 1700000000000000, 'g4');
      """
    let path = try MadeFile.database("places.sqlite", make)
    let history = try ImportedHistory([(path, "firefox")])
    #expect(history.failure == nil && history.events.isEmpty)
    #expect(history.malformed.count == 1 && history.malformed.allSatisfy { $0.contains("circle") })
  }

  @Test func `the same visit from two programs is one, and the one that stayed`() throws {
    func visit(_ transition: String) -> Data {
      Data(
        """
        {"Browser History":[{"url":"https://a.example/","title":"A","time_usec":1700000000000000,
        "page_transition":"\(transition)"}]}
        """.utf8)
    }
    let first = try MadeFile.file("one.json", visit("TYPED"))
    let second = try MadeFile.file("two.json", visit("LINK"))
    let history = try ImportedHistory([(first, "takeout-chrome"), (second, "takeout-chrome")])
    #expect(history.events.count == 1)
    #expect(history.skipped["same page and microsecond"] == 1)
  }

  @Test func `all files are merged by time`() throws {
    let bash = try MadeFile.file("a", Data("#1700000000\none\n#1700000020\nthree\n".utf8))
    let zsh = try MadeFile.file("b", Data(": 1700000010:0;two\n: 1700000030:0;four\n".utf8))
    let history = try ImportedHistory([(bash, "bash"), (zsh, "zsh")])
    #expect(
      history.events.compactMap(\.item) == ["shell:one", "shell:two", "shell:three", "shell:four"])
  }

  @Test func `times without a zone are in the zone that is given`() throws {
    let path = try MadeFile.file(
      "history.log",
      Data("Start-Date: 2025-07-10  12:00:00\nInstall: a:amd64 (1)\n\n".utf8))
    var options = ImportedHistory.options
    let zone: Importers.TimeZone? = Importers.TimeZone(named: "Europe/Berlin")
    options.zone = try #require(zone)
    let history = try ImportedHistory([(path, "apt")], options: options)
    #expect(history.events.first?.time?.rfc3339 == "2025-07-10T10:00:00Z")
    // Clocks left 02:30 out on one day, and showed it twice on another.
    let found = try ["2026-03-29", "2026-10-25"].map { day in
      let log = Data("Start-Date: \(day)  02:30:00\nInstall: a:amd64 (1)\n\n".utf8)
      return try ImportedHistory(
        [(try MadeFile.file("history.log", log), "apt")], options: options
      ).events.first?.time?.rfc3339
    }
    #expect(found == ["2026-03-29T01:30:00Z", "2026-10-25T00:30:00Z"])
    #expect(
      Importers.TimeZone(named: "../../etc/passwd") == nil
        && Importers.TimeZone(named: "Nowhere/None") == nil)
  }

  @Test func `what is not wanted is left out`() throws {
    let path = try MadeFile.file(
      "dump.jsonl",
      Data(
        """
        {"url":"https://mail.example/a","dt":1700000000,"metadata":{}}
        {"url":"https://mail.example/b","dt":1500000000,"metadata":{}}
        {"url":"https://bank.example/c","dt":1700000000,"metadata":{}}
        {"url":"https://other.test/","dt":1700000000,"metadata":{}}
        """.utf8))
    var options = ImportedHistory.options
    options.since = 1_600_000_000_000_000
    options.domains = ["web.example"]
    options.except = ["*bank.*"]
    let history = try ImportedHistory([(path, "browserexport")], options: options)
    #expect(history.events.compactMap(\.item) == ["https://mail.example/a"])
    #expect(history.skipped.values.reduce(0, +) == 3)
  }

  @Test func `an item is left out for the text it holds, not for what is said in it`() throws {
    let clippings = """
      Tides (Ann)
      - Your Note on page 2 | Added on Tuesday, 16 January 2024 22:00:00

      by the bank
      ==========

      """
    var options = ImportedHistory.options
    options.except = ["bank"]
    let path = try MadeFile.file("My Clippings.txt", clippings)
    let history = try ImportedHistory([(path, "kindle")], options: options)
    #expect(history.events.map { $0.text("textContent") } == ["by the bank"])
  }

  @Test(arguments: ["My Bank/é", "My%20Bank", "home/*/My B"])
  func `a path that is left out is written as people read it`(text: String) throws {
    let list = #"(setq recentf-list '("/home/a/My Bank/é.txt" "/home/a/b.txt"))"#
    var options = ImportedHistory.options
    options.except = [text]
    let path = try MadeFile.file("recentf", list)
    let history = try ImportedHistory([(path, "recentf")], options: options)
    #expect(history.events.compactMap(\.item) == ["file:///home/a/b.txt"])
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a database in UTF-16 is read as one in UTF-8 is`(encoding: String) throws {
    let path = try MadeFile.database(
      "history.sqlite",
      "pragma encoding = '\(encoding)'; create table History(url, atime, title);"
        + "insert into History values ('https://a.example/ä', '1700000000', 'Grün 😀');")
    let history = try ImportedHistory([(path, "qutebrowser")])
    #expect(history.failure == nil && history.malformed.isEmpty)
    #expect(history.events.compactMap(\.item) == ["https://a.example/ä"])
    #expect(history.events.map { $0.text("title") } == ["Grün 😀"])
    #expect(history.events.map { $0.time?.seconds } == [1_700_000_000])
  }

  @Test func `a newer copy of counts adds what is new, in one import as in two`() throws {
    let old = try MadeFile.file(".z", "/a|6|1700000000\n/b|2|1700000001\n")
    let new = try MadeFile.file(".z", "/a|10|1700100000\n/b|2|1700000001\n")
    let both = try ImportedHistory([(old, "z"), (new, "z")])
    #expect(both.events.map(\.visitCount) == [6, 2, 4])
    #expect(both.skipped == ["as known": 1])
    let turned = try ImportedHistory([(new, "z"), (old, "z")])
    #expect(turned.events.map(\.visitCount) == [2, 10])
    let list = "<xbel><bookmark href='file:///a' added='2024-01-01T00:00:00Z'/>"
    let broken = try MadeFile.file("a.xbel", list)
    let whole = try MadeFile.file("b.xbel", list + "</xbel>")
    #expect(try ImportedHistory([(broken, "xbel"), (whole, "xbel")]).events.count == 1)
  }

  @Test func `counts that are too large to be added up hide no later use`() throws {
    var past = PastUses()
    for time: Int64 in [1, 2] {
      let key = PastUses.key(source: "z", item: "file:///home/a", application: nil)
      past.note(key, visits: .max, time: time, source: "z")
    }
    let path = try MadeFile.file(".z", "/home/a|5|1700000000\n")
    let history = try ImportedHistory([(path, "z")], past: past)
    #expect(history.events.map(\.visitCount) == [1])
  }

  @Test func `a database is copied whole while its log grows, not when that begins anew`() throws {
    let path = try MadeFile.file("History", "pages")
    let log = Data(repeating: 1, count: 32)
    try (log + Data("transaction".utf8)).write(to: URL(filePath: path + "-wal"))
    let before = PrivateCopies.State(of: path)
    try (log + Data("transactions".utf8)).write(to: URL(filePath: path + "-wal"))
    #expect(PrivateCopies.State(of: path) == before)
    try Data(repeating: 2, count: 100).write(to: URL(filePath: path + "-wal"))
    #expect(PrivateCopies.State(of: path) != before)
    try (log + Data("transactions".utf8)).write(to: URL(filePath: path + "-wal"))
    try Data("journal".utf8).write(to: URL(filePath: path + "-journal"))
    #expect(PrivateCopies.State(of: path) != before)
    try MadeFile.shell("rm '\(path)-journal' && echo more >> '\(path)'")
    #expect(PrivateCopies.State(of: path) != before)
  }
}
