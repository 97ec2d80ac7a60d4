import Foundation
import Testing

/// Exports as they are downloaded: zip and tar.
@Suite(.enabled(if: LogReader.isPresent, "needs python3")) struct ArchiveImportTests {
  private struct Row: Decodable {
    var item: String
    var title: String?
  }

  /// Makes archives in a folder by a Python program, which has `z(name, …members)` and `t(…)`.
  private func archives(_ program: String) throws -> String {
    let folder = Scratch.path("archives")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let whole = """
      import io, os, sqlite3, tarfile, zipfile
      os.chdir("\(folder)")
      visits = b'{"Browser History":[' + b",".join(b'{"url":"https://a.example/%d","title":"Page %d","time_usec":%d,"page_transition":"LINK"}' % (n, n, 1700000000000000 + n) for n in range(300)) + b"]}"
      base = sqlite3.connect("h"); base.executescript("create table history (title text, url text, last_visited text); create table x(y)"); base.close()
      files = [("Takeout/Chrome/BrowserHistory.json", visits), ("Takeout/photo.jpg", os.urandom(300000)), ("bash/.bash_history", b"#1700000000\\nmake all\\n"), ("x/some.db", open("h", "rb").read())]
      def z(name, members, kind=zipfile.ZIP_DEFLATED):
          with zipfile.ZipFile(name, "w", kind) as archive:
              for path, body in members: archive.writestr(path, body)
      def t(name, members, how, form=tarfile.PAX_FORMAT):
          with tarfile.open(name, how, format=form) as archive:
              for path, body in members:
                  info = tarfile.TarInfo(path); info.size = len(body)
                  archive.addfile(info, io.BytesIO(body))
      \(program)
      """
    let made = try Shell.run("python3", "-c", whole)
    try #require(made.status == 0, "\(made.errors)")
    return folder
  }

  @Test func `what has no time is as old as its file was when it was packed`() throws {
    let folder = try archives(
      """
      import time
      os.makedirs("home"); open("home/.bash_history", "w").write("make\\n")
      os.utime("home/.bash_history", (1583280000, 1583280000))
      with tarfile.open("a.tgz", "w:gz") as archive: archive.add("home/.bash_history")
      with zipfile.ZipFile("a.zip", "w") as archive:
          info = zipfile.ZipInfo("home/.bash_history", (2020, 3, 4, 1, 0, 0))
          archive.writestr(info, b"make\\n")
      with zipfile.ZipFile("b.zip", "w") as archive:
          info = zipfile.ZipInfo("home/.bash_history", (2020, 3, 4, 7, 0, 0))
          info.extra = b"\\x55\\x54\\x05\\x00\\x03" + (1583280000).to_bytes(4, "little")
          archive.writestr(info, b"make\\n")
      with tarfile.open("d.tar", "w", format=tarfile.PAX_FORMAT) as archive:
          info = tarfile.TarInfo("home/.bash_history"); info.size, info.mtime = 5, 1583280000.5
          archive.addfile(info, io.BytesIO(b"make\\n"))
      with zipfile.ZipFile("c.zip", "w") as archive:
          archive.writestr(zipfile.ZipInfo("home/.bash_history"), b"make\\n")
      """)
    for (name, zone, time) in [
      ("a.tgz", "UTC", "2020-03-04T00:00:00"), ("a.zip", "UTC", "2020-03-04T01:00:00"),
      ("a.zip", "Europe/Berlin", "2020-03-04T00:00:00"), ("b.zip", "UTC", "2020-03-04T00:00:00"),
      ("d.tar", "UTC", "2020-03-04T00:00:00"),
    ] {
      let store = Store()
      let file = folder + "/" + name
      #expect(try store.run("import", file, "--timezone", zone).text.hasPrefix("1 accepted"))
      let event = try #require(try store.run("export").objects().first)
      #expect((event["time"] as? String)?.hasPrefix(time) == true, "\(name): \(event)")
      let late = try Store().run("import", file, "--since", "2025-01-01")
      #expect(late.text.hasPrefix("0 accepted"), "\(late.text)")
    }
    // 1980 stands for no time.
    let store = Store()
    #expect(try store.run("import", folder + "/c.zip", "--since", "2025").text.hasPrefix("1 acc"))
  }

  @Test func `an archive that is appended is one, and no lines`() throws {
    let folder = try archives(#"z("a.zip", files); t("a.tgz", files, "w:gz")"#)
    for name in ["a.zip", "a.tgz"] {
      let result = try Store("lines-of-\(name)").run("append", "\(folder)/\(name)")
      let told = "is an archive; what is in one comes in with: cairn import FILE\n"
      #expect(result.status == 65)
      #expect(result.errors == "cairn: \(folder)/\(name): \(told)", "\(result)")
    }
  }

  @Test func `a line that has a word of tar's where tar has it is a line`() throws {
    let head = #"{"kind":"index","item":"a","attributes":{"title":""#
    let title = String(repeating: "y", count: 257 - head.utf8.count) + "ustar"
    let line = head + title + "\"}}\n"
    let lines = Data(String(repeating: line, count: 2).utf8)
    let result = try Store("ustar").run(["append"], input: lines)
    #expect(result.text.hasPrefix("2 accepted"), "\(result)")
  }

  @Test func `an archive gives the histories in it, and another form of it nothing new`() throws {
    let long = String(repeating: "deep/", count: 60)
    let folder = try archives(
      """
      z("a.zip", files)
      z("stored.zip", files, zipfile.ZIP_STORED)
      t("a.tar", files, "w")
      deep = [("\(long)" + name, body) for name, body in files]
      t("a.tgz", deep, "w:gz")
      t("gnu.tar.gz", deep, "w:gz", tarfile.GNU_FORMAT)
      # As of files of 8 GiB: the size stands in the extended header alone.
      with tarfile.open("large.tar", "w", format=tarfile.PAX_FORMAT) as archive:
          for path, body in files:
              info = tarfile.TarInfo(path); info.size = len(body)
              info.pax_headers = {"size": str(len(body))}
              archive.addfile(info, io.BytesIO(body))
      large = bytearray(open("large.tar", "rb").read())
      for member in tarfile.open("large.tar").getmembers():
          large[member.offset_data - 388:member.offset_data - 377] = b"0" * 11
      open("large.tar", "wb").write(large)
      """)
    let store = Store()
    let first = try store.run("import", folder + "/a.zip", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try store.stats().head == 301)
    for name in ["stored.zip", "a.tar", "large.tar", "a.tgz", "gnu.tar.gz"] {
      let again = try store.run("import", folder + "/" + name)
      #expect(again.status == 0 && again.text.contains("0 accepted"), "\(name): \(again)")
    }
    let one = Store()
    #expect(try one.run("import", "takeout-chrome", folder + "/a.zip").status == 0)
    #expect(try one.stats().head == 300)
    let all = Store()
    #expect(try all.run("import", "takeout", folder + "/a.zip").status == 0)
    #expect(try all.stats().head == 301)
  }

  @Test func `a database with its log in an archive is not taken for all of it`() throws {
    let folder = try archives(
      """
      d = sqlite3.connect("v"); d.execute("pragma journal_mode=wal")
      d.execute("pragma wal_autocheckpoint=0")
      d.execute("create table urls(id, url, title)")
      d.execute("create table visits(url, visit_time, transition)")
      d.execute("insert into urls values(1, 'https://a.example/', 'A')")
      d.execute("insert into visits values(1, 13344473600000000, 0)"); d.commit()
      d.execute("pragma wal_checkpoint(truncate)")
      def members(): return [("p/" + n, open(n, "rb").read()) for n in ["v", "v-wal"]]
      z("whole.zip", members() + files)
      d.execute("insert into visits values(1, 13344473600000001, 0)"); d.commit()
      z("log.zip", members())
      t("log.tar", members()[::-1], "w")
      z("other.zip", [("c", open("h", "rb").read()), ("c-wal", b"7")] + files)
      """)
    for (name, status) in [("whole.zip", 0), ("log.zip", 65), ("log.tar", 65), ("other.zip", 0)] {
      let result = try Store().run("import", "\(folder)/\(name)")
      #expect(result.status == Int32(status), "\(name): \(result)")
      #expect(result.errors.contains("unpack it first") == (status == 65), "\(result.errors)")
    }
  }

  @Test func `damaged, encrypted, empty and hostile archives are one clear line each`() throws {
    let folder = try archives(
      """
      z("a.zip", files)
      whole = open("a.zip", "rb").read()
      open("cut.zip", "wb").write(whole[:len(whole) // 2])
      locked = bytearray(whole); at = locked.rindex(b"PK\\x01\\x02", 0, locked.index(b"PK\\x01\\x02") + 4); locked[at + 8] |= 1
      open("locked.zip", "wb").write(locked)
      z("none.zip", [("photo.jpg", b"\\xff\\xd8")])
      z("empty.zip", [])
      z("outer.zip", [("takeout.zip", whole)])
      z("bomb.zip", [("History.csv", b"a,b\\n" * 10), ("bomb.html", b"<!DOCTYPE NETSCAPE-Bookmark-file-1>" + b"<DL>" * (60 << 20))])
      t("t.tar", files, "w")
      tar = open("t.tar", "rb").read()
      open("cut.tar", "wb").write(tar[:5000])
      end = whole.rindex(b"PK\\5\\6")
      start = int.from_bytes(whole[end + 16:end + 20], "little")
      entries, number = whole[start:end] * 9, lambda value, size: value.to_bytes(size, "little")
      open("overlap.zip", "wb").write(whole[:start] + entries + whole[end:end + 8]
          + number(9, 2) * 2 + number(len(entries), 4) + number(start, 4) + b"\\0\\0")
      """)
    for (name, reason) in [
      ("cut.zip", "damaged"), ("locked.zip", "encrypted"), ("none.zip", "no history"),
      ("outer.zip", "but another archive; unpack it first"),
      ("empty.zip", "no history"), ("bomb.zip", "unpacks to more"), ("cut.tar", "in the middle"),
      ("overlap.zip", "over one another"),
    ] {
      let result = try Store().run("import", folder + "/" + name)
      #expect(result.status == 65 && result.errors.contains(reason), "\(name): \(result)")
      #expect(result.errors.split(separator: "\n").count <= 2, "\(result.errors)")
    }
  }

  @Test func `a damaged file in an archive gives nothing and costs no history beside it`() throws {
    // A history, and a file that is none by what is left of it.
    let folder = try archives(
      """
      def spoil(name, path, kind, place=None):
          z(name, files, kind)
          at = zipfile.ZipFile(name).getinfo(path).header_offset
          at += 50 + len(path) if place is None else place
          whole = bytearray(open(name, "rb").read()); whole[at] ^= 1
          open(name, "wb").write(whole)
      spoil("headless.zip", files[2][0], zipfile.ZIP_DEFLATED, 1)
      spoil("stored.zip", files[0][0], zipfile.ZIP_STORED)
      spoil("packed.zip", files[0][0], zipfile.ZIP_DEFLATED)
      files[0], files[1] = files[1], ("Takeout/Notes.txt", b"nothing " * 100)
      files.append(("Takeout/Chrome/BrowserHistory.json", visits))
      spoil("other.zip", files[1][0], zipfile.ZIP_STORED)
      """)
    for (name, events) in [
      ("headless.zip", 300), ("stored.zip", 1), ("packed.zip", 1), ("other.zip", 301),
    ] {
      let store = Store()
      let result = try store.run("import", folder + "/" + name)
      #expect(result.status == 65 && result.errors.contains("is damaged and was passed over"))
      #expect(try store.stats().head == events, "\(name)")
    }
  }

  @Test func `a file that is packed otherwise costs no history beside it`() throws {
    let folder = try archives(
      """
      z("a.zip", files[1:2], zipfile.ZIP_LZMA)
      with zipfile.ZipFile("a.zip", "a", zipfile.ZIP_DEFLATED) as archive:
          for path, body in files: archive.writestr("two/" + path, body)
      """)
    let store = Store()
    let result = try store.run("import", folder + "/a.zip")
    #expect(result.status == 65 && result.errors.contains("packed by method 14"), "\(result)")
    #expect(try store.stats().head == 301)
  }

  @Test func `what in an archive is packed by other programs or damaged costs no history`() throws {
    let folder = try archives(
      #"""
      import bz2
      packed = [("a.bz2", bz2.compress(visits)), ("b.gz", b"\x1f\x8bnothing"), ("c.zst", b"\x28\xb5\x2f\xfd")]
      z("a.zip", packed + files)
      t("takeout-1.tgz", packed + files, "w:gz")
      os.makedirs("Takeout")
      for path, body in packed + [("d", b"#1700000000\nmake all\n")]:
          open("Takeout/" + path, "wb").write(body)
      """#)
    for (name, count) in [("a.zip", 301), ("takeout-1.tgz", 301), ("Takeout", 1)] {
      let store = Store()
      let result = try store.run("import", "\(folder)/\(name)")
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
      #expect(try store.stats().head == count, "\(name)")
    }
    let found = try Store().run("import", "auto", folder, "--dry-run").text
    #expect(found.contains("a.zip") && found.contains("takeout-1.tgz"), "\(found)")
  }

  @Test func `a backup of Firefox in an archive is read, however long it is`() throws {
    let folder = try archives(
      #"""
      node = b'{"type":"text/x-moz-place","uri":"https://a.example/%d","title":"%s","dateAdded":1700000000000000}'
      nodes = b",".join(node % (n, os.urandom(500).hex().encode()) for n in range(300))
      text = b'{"root":"placesRoot","type":"text/x-moz-place-container","children":[' + nodes + b"]}"
      # A block of LZ4 may be letters alone.
      count = len(text) - 15
      block = b"\xf0" + b"\xff" * (count // 255) + bytes([count % 255]) + text
      backup = [("b.jsonlz4", b"mozLz40\0" + len(text).to_bytes(4, "little") + block)]
      z("a.zip", backup)
      t("a.tar", backup, "w")
      import gzip
      tar = open("a.tar", "rb").read()
      cut = tar.index(b"mozLz40") + 4
      open("a.tgz", "wb").write(gzip.compress(tar[:cut]) + gzip.compress(tar[cut:]))
      """#)
    for name in ["a.zip", "a.tar", "a.tgz"] {
      let store = Store(name)
      let result = try store.run("import", folder + "/" + name)
      #expect(result.status == 0, "\(result)")
      #expect(try store.stats().head == 300)
    }
  }

  @Test func `a file of a folder that cannot be opened is told, and costs no other`() throws {
    let folder = try archives(
      #"""
      os.makedirs(b"Takeout/Aktivit\xe4ten")
      open(b"Takeout/Aktivit\xe4ten/a.json", "wb").write(visits)
      open("Takeout/b.json", "wb").write(visits)
      """#)
    let store = Store()
    let result = try store.run("import", folder + "/Takeout")
    #expect(result.status == 65 && result.errors.contains("cannot be opened"), "\(result)")
    #expect(try store.stats().head == 300)
  }

  @Test func `a damaged database in an archive or a folder is told, and costs no other`() throws {
    let folder = try archives(
      #"""
      whole = open("h", "rb").read()
      damaged = [("old/History", whole[:100] + b"\xff" * (len(whole) - 100))]
      z("a.zip", damaged + files)
      os.makedirs("Takeout")
      for path, body in damaged + files[2:]: open("Takeout/" + path.replace("/", "-"), "wb").write(body)
      """#)
    for (name, count) in [("a.zip", 301), ("Takeout", 1)] {
      let store = Store()
      let result = try store.run("import", "\(folder)/\(name)")
      #expect(result.status == 65 && result.errors.contains("damaged database"), "\(result)")
      #expect(try store.stats().head == count, "\(name)")
    }
  }
}
