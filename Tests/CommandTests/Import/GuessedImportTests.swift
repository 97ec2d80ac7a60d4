import Foundation
import Testing

/// Imports as people type them first.
@Suite struct GuessedImportTests {
  private static let bookmarks = """
    <!DOCTYPE NETSCAPE-Bookmark-file-1>
    <TITLE>Bookmarks</TITLE>
    <DL><p>
    <DT><A HREF="https://a.example/" ADD_DATE="1700000000">Tide</A>
    </DL><p>

    """

  @Test(arguments: [
    ("1 accepted", Data(bookmarks.utf8)),
    ("2 accepted", Data(": 1700000000:0;ls\n: 1700000100:0;pwd\n".utf8)),
    ("1 accepted", Data("{\"kind\":\"view\",\"item\":\"a\"}\n".utf8)),
    ("1 accepted", Data("kind,item\nview,a\n".utf8)),
  ]) func `standard input is recognised as a file is`(said: String, bytes: Data) throws {
    let piped = Store()
    let result = try piped.run("import", "-", input: bytes)
    #expect(result.status == 0 && result.text.contains(said), "\(result.errors)")
    let file = try Scratch.file("input", bytes)
    let store = Store()
    let line = "\(Store.binary) import - --store \(store.path) < \(file)"
    let read = try Shell.run("/bin/sh", "-c", line)
    #expect(read.status == 0 && read.text.contains(said), "\(read.errors)")
    #expect(try store.run("import", file).text.contains("0 accepted"))
  }

  @Test func `a database comes in by a pipe`() throws {
    let file = Scratch.path("places.sqlite")
    let make = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.executescript('''create table moz_places(id integer primary key, url text, title text);
        create table moz_historyvisits(id integer primary key, from_visit integer,
          place_id integer, visit_date integer, visit_type integer);
        insert into moz_places values(1, 'https://a.example/', 'A');
        insert into moz_historyvisits values(1, 0, 1, 1700000000000000, 1);''')
      """
    try #require(Shell.run("python3", "-c", make, file).status == 0)
    let store = Store()
    let bytes = try Data(contentsOf: URL(filePath: file))
    let result = try store.run("import", "-", input: bytes)
    #expect(result.text.contains("1 accepted"), "\(result.errors)")
  }

  @Test func `where a database cannot be copied, the folder for copies is named`() throws {
    let file = Scratch.path("History")
    let make = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('create table a(b)')"
    try #require(Shell.run("python3", "-c", make, file).status == 0)
    let cache = Scratch.path("cache")
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: cache + "/cairn", withDestinationPath: "/tmp")
    let store = Store()
    for words in [[file], ["chromium", file]] {
      let result = try Shell.run(
        Store.binary, ["import"] + words + ["--store", store.path],
        environment: ["XDG_CACHE_HOME": cache])
      #expect(result.status == 74, "\(result.errors)")
      #expect(result.errors.contains("\(cache)/cairn: is no folder"), "\(result.errors)")
    }
  }

  @Test func `auto reads what HISTFILE names for the home of whoever asks alone`() throws {
    let (own, other) = (Scratch.path("own"), Scratch.path("other"))
    for folder in [own, other] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    let history = own + "/commands"
    try Data("#1700000000\nls tide\n".utf8).write(to: URL(filePath: history))
    for (words, isRead) in [([], true), (["--home", other], false)] {
      let line = ["import", "auto", "--dry-run", "--only", "shell", "--store", Store().path]
      let result = try Shell.run(
        Store.binary, line + words, environment: ["HOME": own, "HISTFILE": history])
      #expect(result.text.contains("ls tide") == isRead, "\(result.text)\(result.errors)")
    }
  }

  @Test func `what this machine logs is the history of no other home`() throws {
    let other = Scratch.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    // A machine without logs has none to offer either.
    let result = try Store().run("import", "auto", "--home", other, "--dry-run")
    #expect(result.status == 66, "\(result.text)\(result.errors)")
  }

  @Test func `auto takes what the machine logged whose disk it is given`() throws {
    let disk = Scratch.path("disk")
    let logs = disk + "/var/log/apt"
    try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
    let text = "\nStart-Date: 2024-01-01  10:00:00\nInstall: a:amd64 (1)\nEnd-Date: x\n"
    try Data(text.utf8).write(to: URL(filePath: logs + "/history.log"))
    let store = Store()
    let result = try store.run("import", "auto", disk, "--yes", "--host", "old")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try store.run("items", "--json").text.contains("packages.old"))
  }

  @Test func `auto takes the folder itself where it is a history`() throws {
    let folder = Scratch.path("checkout")
    let line = """
      git init -q '\(folder)' && cd '\(folder)' && echo 1 > tide.txt && git add . \
      && git -c user.name=a -c user.email=a@b.example commit -qm one
      """
    try #require(Shell.run("/bin/sh", "-c", line).status == 0)
    let store = Store()
    let result = try store.run("import", "auto", folder, "--yes")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try store.run("items", "--json").objects().count == 1)
  }

  @Test(arguments: [
    ("chrome", "did you mean chromium?"), ("firefx", "did you mean firefox?"), ("qqqqq", "; see: "),
  ]) func `a format that is none is named`(word: String, offer: String) throws {
    let file = try Scratch.file("input", Data("x\n".utf8))
    let store = Store()
    let result = try store.run("import", word, file)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.hasPrefix("cairn: no format is named '\(word)'"), "\(result.errors)")
    #expect(result.errors.contains(offer), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
      "needs script of util-linux"))
  func `who says no has no store, and who says yes has one that knows its events`() throws {
    let home = Scratch.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try Data("#1700000000\nls\n".utf8).write(to: URL(filePath: home + "/.bash_history"))
    let store = Store()
    func answer(_ text: String) throws -> String {
      let command = "\(Store.binary) import auto \(home) --store \(store.path)"
      return try Shell.run(
        "/usr/bin/script", ["-qec", command, "/dev/null"], input: Data(text.utf8)
      ).text
    }
    #expect(try answer("n\n").contains("nothing was imported"))
    #expect(!FileManager.default.fileExists(atPath: store.path))
    let done = try answer("y\n")
    #expect(done.contains("1 accepted") && done.contains("to undo it: cairn undo 1"), "\(done)")
    #expect(try answer("y\n").contains("0 accepted, 1 duplicates"))
    #expect(try store.run("import", "auto", home, "--yes").text.contains("0 accepted"))
  }

  @Test(.enabled(if: TmuxScreen.isHere, "SKIPPED: needs tmux (apt-get install tmux)"))
  func `an import goes on where another one made the store meanwhile`() throws {
    let home = Scratch.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let file = home + "/.bash_history"
    try Data("#1700000000\nls\n#1700000001\ndate\n#99999999999999\n".utf8)
      .write(to: URL(filePath: file))
    let store = Store()
    let screen = try TmuxScreen("clear; cairn import auto \(home)", lines: 40, store: store)
    try screen.wait("the question") { $0.contains { $0.contains("Type yes or y") } }
    let first = try Scratch.file("first", Data("#1700000000\nls\n".utf8))
    #expect(try store.run("import", "bash", first).text.contains("1 accepted"))
    try screen.type("y")
    try screen.press("Enter")
    let seen = try screen.wait("the end") { $0.contains { $0.contains("1 duplicates") } }
    #expect(seen.count { $0.contains("accepted, 1 duplicates, 1 rejected") } == 1, "\(seen)")
    #expect(try store.run("import", "bash", file).text.contains("0 accepted"))
  }

  @Test func `auto tells of a damaged database and of a Takeout that did not come whole`() throws {
    let folder = Scratch.path("downloads")
    let make = """
      import os, sqlite3, sys, zipfile
      os.makedirs(sys.argv[1])
      os.chdir(sys.argv[1])
      sqlite3.connect("History").execute("create table visits(id, url)")
      with open("History", "r+b") as file:
        file.seek(100)
        file.write(b"\\xff" * 3000)
      with zipfile.ZipFile("whole.zip", "w") as archive:
        archive.writestr("Takeout/photo", os.urandom(4000))
      whole = open("whole.zip", "rb").read()
      os.remove("whole.zip")
      for name in ["holiday.zip", "takeout-1.zip"]:
        open(name, "wb").write(whole[:3000])
      """
    try #require(Shell.run("python3", "-c", make, folder).status == 0)
    for words in [["--yes"], ["--dry-run"]] {
      let result = try Store().run(["import", "auto", folder] + words)
      #expect(result.status == 65, "\(result.text)\(result.errors)")
      #expect(result.errors.contains("\(folder)/History: has a damaged page"), "\(result.errors)")
      #expect(result.errors.contains("\(folder)/takeout-1.zip: is damaged"), "\(result.errors)")
      #expect(!result.errors.contains("holiday"), "\(result.errors)")
    }
  }
}
