import Events
import Foundation
import Testing

@testable import Importers

/// What is looked for on a machine.
@Suite struct FindingTests {
  @Test func `a pipe is no history, and nobody waits for one`() throws {
    let path = try MadeFile.file(".bash_history", Data())
    try MadeFile.shell("rm '\(path)' && mkfifo '\(path)'")
    let home = String(path.dropLast("/.bash_history".count))
    try #require(HistoryPlaces.find(home: home, root: nil, shellHistory: path).isEmpty)
    let content = HistoryPlaces.look(in: home, archives: true, options: ImportedHistory.options)
    #expect(content.found.isEmpty && content.pages.isEmpty)
  }

  @Test(arguments: [
    (".config/opera/History", "chromium"), (".config/opera/Default/History", "chromium"),
    ("AppData/Roaming/Opera Software/Opera Stable/Default/Bookmarks", "chromium-bookmarks"),
    (".zen/a.default/places.sqlite", "firefox"), (".floorp/b.default/places.sqlite", "firefox"),
    (".var/app/org.gnome.Epiphany/data/epiphany/ephy-history.db", "epiphany"),
    (".var/app/org.kde.falkon/config/falkon/profiles/default/browsedata.db", "falkon"),
    (".var/app/com.vivaldi.Vivaldi/config/vivaldi/Profile 1/History", "chromium"),
    (".config/google-chrome/Default/AccountBookmarks", "chromium-bookmarks"),
    (".var/app/org.mozilla.firefox/config/mozilla/firefox/a.default/places.sqlite", "firefox"),
    (
      "Library/Containers/com.apple.Safari/Data/Library/Safari/Profiles/1F2E/History.db", "safari"
    ),
    (".local/share/nvim/shada/main.shada", "shada"), (".config/emacs/recentf", "recentf"),
    ("Library/Application Support/zoxide/db.zo", "zoxide"),
    ("Library/autojump/autojump.txt", "autojump"),
    ("Library/Application Support/activitywatch/aw-server/peewee-sqlite.v2.db", "aw-db"),
    (".local/share/activitywatch/aw-server-rust/sqlite.db", "aw-server-rust"),
    (".histdb/zsh-history.db", "zsh-histdb"),
    (".local/share/xonsh/history_json/xonsh-de16.json", "xonsh-json"),
    (".local/state/bash/history", "bash"), (".local/state/zsh/history", "zsh"),
    (".cache/zsh/history", "zsh"), (".config/emacs/.local/cache/recentf", "recentf"),
    (".config/microsoft-edge-dev/Default/History", "chromium"),
    (".config/librewolf/librewolf/a.default/places.sqlite", "firefox"),
    (".local/share/z/data", "z"), ("Library/Application Support/McFly/history.db", "mcfly"),
    ("AppData/Local/nvim-data/shada/main.shada", "shada"),
    ("documents/My Clippings.txt", "kindle"),
    (".config/Code - OSS/User/History", "vscode"), (".config/fish/fish_history", "fish"),
    ("AppData/Roaming/nushell/history.sqlite3", "nushell"),
    ("AppData/Roaming/librewolf/Profiles/a.default/places.sqlite", "firefox"),
    (".adds/koreader/settings/statistics.sqlite3", "koreader"),
    (".local/share/powershell/PSReadLine/Visual Studio Code Host_history.txt", "powershell"),
  ])
  func `a history is found where other versions and machines keep it`(
    path: String, format: String
  ) throws {
    let home = try MadeFile.file("x", "") + "-home"
    try MadeFile.shell("mkdir -p \"$(dirname '\(home)/\(path)')\" && echo x > '\(home)/\(path)'")
    let found = HistoryPlaces.find(home: home, root: nil)
    #expect(found.map(\.path) == [home + "/" + path])
    #expect(found.map { $0.format.name } == [format])
  }

  @Test func `a history is found where a variable has its program keep it`() throws {
    let home = try MadeFile.file("x", "") + "-home"
    let (data, jump) = (home + "/elsewhere", home + "/jump")
    try MadeFile.shell(
      "mkdir -p '\(data)/fish' '\(jump)' && echo x > '\(data)/fish/fish_history' && "
        + "echo x > '\(jump)/db.zo'")
    let moved = [(from: ".local/share", to: data), (from: ".local/share/zoxide", to: jump)]
    let found = HistoryPlaces.find(home: home, root: nil, moved: moved)
    #expect(found.map(\.path) == [data + "/fish/fish_history", jump + "/db.zo"])
    #expect(HistoryPlaces.find(home: home, root: nil).isEmpty)
  }

  @Test func `logins are looked for in no database of another program`() throws {
    let root = try MadeFile.file("x", "") + "-root"
    let names = ["wtmp", "wtmp-20240101.xz", "wtmp.1", "wtmp.2.gz", "wtmp.db"]
    try MadeFile.shell("mkdir -p '\(root)/var/log'")
    for name in names { try MadeFile.shell("echo x > '\(root)/var/log/\(name)'") }
    let found = HistoryPlaces.find(home: root, root: root).map(\.path)
    #expect(Set(found) == Set(names.dropLast().map { "\(root)/var/log/\($0)" }))
  }

  @Test func `a program or a picture is no log of logins`() throws {
    var login = Data([7, 0, 0, 0]) + Data(count: 380)
    login.replaceSubrange(340..<344, with: [0, 0xF1, 0x53, 0x65])
    for (first, format) in [
      (Data(count: 384), "utmp"), (Data("\u{7F}ELF".utf8) + Data(count: 380), nil),
    ] {
      let path = try MadeFile.file("x", first + login + login + login)
      let file = try InputFile(path, options: ImportedHistory.options)
      #expect(HistoryFormats.format(of: file)?.name == format)
    }
  }

  @Test func `a profile to which a link leads is found once`() throws {
    let home = try MadeFile.file("x", "") + "-home"
    let profiles = "\(home)/.config/falkon/profiles"
    try MadeFile.shell(
      "mkdir -p '\(profiles)/a' && cd '\(profiles)' && echo x > a/browsedata.db && ln -s a b")
    let found = HistoryPlaces.find(home: home, root: nil)
    #expect(found.map(\.path) == ["\(profiles)/a/browsedata.db"])
  }

  @Test func `what the newest copy says of a bookmark stands`() throws {
    func bookmarks(_ name: String) -> String {
      #"{"roots":{"bookmark_bar":{"children":[{"type":"url","name":"\#(name)","#
        + #""url":"https://a.example/","date_added":"13300000000000000"}]}}}"#
    }
    let path = try MadeFile.file("Bookmarks", bookmarks("New"))
    try Data(bookmarks("Old").utf8).write(to: URL(filePath: path + ".bak"))
    try MadeFile.shell("touch -d 2024-01-01 '\(path).bak'")
    let content = HistoryPlaces.look(
      in: String(path.dropLast("/Bookmarks".count)), archives: true,
      options: ImportedHistory.options)
    #expect(content.found.map(\.path) == [path + ".bak", path])
    let history = try ImportedHistory(content.found.map { (path: $0.path, format: $0.format.name) })
    #expect(history.events.map { $0.text("title") } == ["Old", "New"])
  }

  @Test func `a folder where a program keeps a file is no history`() throws {
    let path = try MadeFile.file("a", "x")
    let home = String(path.dropLast("/a".count))
    try MadeFile.shell("mkdir -p '\(home)/.zsh_history' '\(home)/.config/Code/User/History'")
    let found = HistoryPlaces.find(home: home, root: nil, shellHistory: home)
    #expect(found.map { $0.format.name } == ["vscode"])
  }

  @Test(arguments: [("#1700000000", "bash"), (": 1700000000:0;pwd", "zsh")])
  func `a home's .histfile is of the shell that wrote it`(stamp: String, shell: String) throws {
    let path = try MadeFile.file(".histfile", "\(stamp)\nls\n")
    let home = String(path.dropLast("/.histfile".count))
    let found = HistoryPlaces.find(home: home, root: nil)
    #expect(found.map { $0.format.name } == [shell])
  }

  @Test func `a bare repository is known, and a checkout told once`() throws {
    let folder = ImportedHistory.scratch + "-files/\(UUID().uuidString)"
    try MadeFile.shell(
      """
      git init -q '\(folder)/one' && git init -q --bare '\(folder)/two.git'
      mkdir -p '\(folder)/three/HEAD' '\(folder)/three/refs'
      """)
    let options = ImportedHistory.options
    for (path, found) in [("", ["one", "two.git"]), ("/one", ["one"]), ("/two.git", ["two.git"])] {
      let content = HistoryPlaces.look(in: folder + path, archives: true, options: options)
      #expect(Set(content.found.map { $0.format.name }) == ["git"])
      #expect(content.found.map { ($0.path as NSString).lastPathComponent }.sorted() == found)
    }
  }

  @Test(arguments: ["zsh/history", "shell/lines"])
  func `what HISTFILE names is of the shell that wrote it`(name: String) throws {
    let folder = ImportedHistory.scratch + "-files/\(UUID().uuidString)"
    let text = ": 1700000000:0;make test"
    try MadeFile.shell(
      "mkdir -p '\(folder)/zsh' '\(folder)/shell' && echo '\(text)' > '\(folder)/\(name)'")
    let found = HistoryPlaces.find(
      home: folder, root: nil, shellHistory: "\(folder)/\(name)")
    #expect(found.map { $0.format.name } == ["zsh"])
  }

  @Test(arguments: HistoryFormats.all.filter { !$0.readsFolders }.map { $0.name })
  func `a folder is told to be one by every format of files`(format: String) throws {
    let path = try MadeFile.file("a", "x")
    let history = try ImportedHistory([(String(path.dropLast("/a".count)), format)])
    #expect(history.failure?.message == "is a folder; name a file in it")
  }

  @Test(arguments: ["/home/ann", "/home/ann/", "/home/ann//"])
  func `a file below a home is one, however the home is written`(home: String) throws {
    let options = ImportOptions(host: "desk", home: home, scratch: ImportedHistory.scratch)
    let text = "# This viminfo file was generated by Vim 9.0.\n|4,48,1,0,1700000000,\"~/a\"\n"
    let path = try MadeFile.file(".viminfo", text)
    let history = try ImportedHistory([(path, "viminfo")], options: options)
    #expect(history.events.compactMap(\.item) == ["file:///home/ann/a"])
  }

  @Test(
    arguments: [
      ("payments_history.txt", "Paid 5 to Ann\nPaid 6 to Bob\n", nil),
      ("notes.txt", "My notes\n#1\nbuy milk\n", nil),
      ("notes.txt", "#99999999999999999999\nbuy milk\n", nil),
      ("NEWS", "Version 2\n==========\n- Tides are faster\n", nil),
      ("random.py", "\"\"\"Random variable generators.\n", nil),
      ("site.json", "{\"generator\":\"Hugo\",\"items\":[1]}", nil),
      ("sizes", "4\t/home/ann\n", nil), ("autojump.txt", "14.1\t/home/ann\n", "autojump"),
      ("README", "Tides\n==========\n\nHow high\n----------\n- a | b\n", nil),
      ("My Clippings.txt", "A\n- Notiz | Heute\n\nx\n==========\n", "kindle"),
      ("My Clippings.txt", "A\r- Your Note | Added\r\rx\r==========\r", "kindle"),
      ("Visual Studio Code Host_history.txt", "ls\n", "powershell"),
      ("history", "make\n#1700000000\nls\n", "bash"),
    ] as [(String, String, String?)])
  func `a text that somebody wrote is no history`(
    name: String, text: String, format: String?
  ) throws {
    let path = try MadeFile.file(name, text)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == format)
  }

  @Test(arguments: [
    ("ConsoleHost_history.txt", "powershell"), ("nushell/history.txt", "nushell-text"),
    (".zsh_history", "zsh"), (".bash_history", "bash"),
  ])
  func `a history that is known by its name is so when it is packed`(
    name: String, format: String
  ) throws {
    let folder = ImportedHistory.scratch + "-files/\(UUID().uuidString)"
    try MadeFile.shell(
      "mkdir -p '\(folder)/nushell' && echo 'make test' | gzip > '\(folder)/\(name).gz'")
    let file = try InputFile("\(folder)/\(name).gz", options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == format)
  }

  @Test func `photos and papers in a folder of histories take no time`() throws {
    let noise = (0..<(1 << 17)).map { _ in UInt8.random(in: 1...255) }
    let photo = try MadeFile.file("a.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10] + noise))
    let paper = try MadeFile.file("a.txt", String(repeating: "What is a text?\n", count: 10_000))
    // It was a third of a second for each photo.
    let time = try ContinuousClock().measure {
      for path in Array(repeating: photo, count: 400) + Array(repeating: paper, count: 10) {
        let file = try InputFile(path, options: ImportedHistory.options)
        #expect(HistoryFormats.format(of: file) == nil)
      }
    }
    #expect(time < .seconds(60))
  }

  @Test func `what a Mac keeps beside a file is no history by the file's name`() throws {
    let home = try MadeFile.file("x", "") + "-home"
    try MadeFile.shell(
      """
      mkdir -p '\(home)/.local/share/fish' && cd '\(home)' && echo ls > .bash_history
      echo '- cmd: ls' > .local/share/fish/fish_history
      for name in ._.bash_history .local/share/fish/._fish_history; do
        printf '\\000\\005\\026\\007\\000' > $name
      done
      """)
    let found = HistoryPlaces.find(home: home, root: nil)
    let names = found.map { $0.format.name }
    #expect(names == ["bash", "fish"])
    let content = HistoryPlaces.look(in: home, archives: true, options: ImportedHistory.options)
    #expect(content.found.map(\.path) == ["\(home)/.bash_history"])
    let beside = try InputFile("\(home)/._.bash_history", options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: beside) == nil)
  }
}
