import Foundation
import Testing

/// Histories of other programs, through the command, as a user takes them in.
@Suite struct `Importing histories` {
  /// A home with a shell's, a browser's and a jumper's history.
  private static func home() throws -> String {
    let home = Scratch.path("home")
    func write(_ path: String, _ text: String) throws {
      let file = URL(filePath: home + "/" + path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try write(".bash_history", "#1700000000\nmake test\n#1700000100\ngit push\n")
    try write(".z", "/home/mira/src|3.2|1700000050\n")
    try write(
      "export/bookmarks.html",
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>Reading</H3><DL><p>
      <DT><A HREF="https://swift.example/guide" ADD_DATE="1700000200" TAGS="swift">The guide</A>
      <DD>Harbour &amp; tide</DL></DL>
      """)
    try write(
      "export/BrowserHistory.json",
      """
      {"Browser History":[
      {"url":"https://swift.example/guide","title":"The guide","time_usec":1700000300000000,
       "page_transition":"TYPED"},
      {"url":"https://bank.example/account","title":"Account","time_usec":1700000400000000,
       "page_transition":"LINK"}]}
      """)
    return home
  }

  private struct Row: Decodable {
    var item: String
    var domain: String?
    var title: String?
  }

  @Test(.enabled(if: geteuid() != 0, "nothing is closed to root"))
  func `a folder that may not be looked into is no folder without histories`() throws {
    let folder = Scratch.path("closed")
    let files = FileManager.default
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try files.setAttributes([.posixPermissions: 0], ofItemAtPath: folder)
    // Whoever takes the scratch folder away looks into it.
    defer { try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
    let result = try Store().run("import", "auto", folder, "--yes")
    #expect(result.status == 66)
    #expect(result.errors.hasPrefix("cairn: \(folder): cannot be looked through: "))
  }

  @Test func `everything found is one history, and again it adds nothing`() throws {
    let home = try Self.home()
    let store = Store("auto")
    let arguments = ["import", "auto", home, home + "/export", "--yes", "--host", "desk"]
    let first = try store.run(arguments + ["--json"])
    try #require(first.status == 0, "\(first.errors)")
    #expect(try store.stats().head == 6)
    let again = try store.run(arguments)
    #expect(again.status == 0 && again.text.contains("0 accepted"), "\(again.text)")
    let items = Set(try store.json(["items"], as: Row.self).map(\.item))
    #expect(items.contains("shell:make test") && items.contains("https://swift.example/guide"))
    #expect(items.contains("file:///home/mira/src"))
    let log = try store.run("log", "--json").objects().compactMap { $0["item"] as? String }
    #expect(log.first == "shell:make test" && log.last == "https://bank.example/account")
    let hits = try store.json(["search", "guide"], as: Row.self)
    #expect(hits.first?.item == "https://swift.example/guide")
    // The words of an address are found, too.
    let byAddress = try store.json(["search", "bank"], as: Row.self)
    #expect(byAddress.first?.item == "https://bank.example/account")
  }

  @Test func `without a terminal and a yes nothing is imported, and a dry run changes nothing`()
    throws
  {
    let home = try Self.home()
    let store = Store("dry")
    #expect(try store.run("import", "auto", home).status == 64)
    let dry = try store.run("import", "auto", home, "--dry-run")
    #expect(dry.status == 0 && dry.text.contains("bash") && dry.text.contains("view: 3"))
    #expect(!FileManager.default.fileExists(atPath: store.path))
    #expect(try store.run("import", "bash", home + "/.bash_history").status == 0)
    let again = try store.run("import", "bash", home + "/.bash_history", "--dry-run")
    #expect(again.text.contains("known already, and not added again: 2"), "\(again.text)")
  }

  @Test func `a plan has the days of the zone in which its times are shown`() throws {
    let file = try Scratch.file("bash_history", Data("#1700010000\nls\n".utf8))
    for (zone, day) in [("America/Los_Angeles", "2023-11-14"), ("UTC", "2023-11-15")] {
      let plan = try Shell.run(
        Store.binary, ["import", "bash", file, "--dry-run", "--store", Store("zone").path],
        environment: ["TZ": zone]
      ).text
      #expect(plan.contains("\(day) – \(day)") && plan.contains("  \(day) "), "\(plan)")
    }
  }

  @Test func `a file is known by its content, or refused in one line`() throws {
    let home = try Self.home()
    let store = Store("known")
    let known = try store.run("import", home + "/export/bookmarks.html")
    #expect(known.status == 0 && known.text.contains("1 accepted"), "\(known.errors)")
    let unknown = try Scratch.file("unknown", Data([1, 2, 3]))
    for (arguments, status) in [
      ([unknown], Int32(65)), (["firefox", unknown], 65), (["firefox", home + "/nowhere"], 66),
      (["firefox"], 64), ([], 64), (["auto", "--home", home + "/nowhere", "--yes"], 66),
    ] {
      let result = try store.run(["import"] + arguments)
      #expect(result.status == status, "\(arguments) \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
    #expect(try store.run("import", "--list").text.contains("chromium"))
  }

  @Test func `what a purge took comes back with a word, and stays away with a block`() throws {
    let home = try Self.home()
    let store = Store("purged")
    let file = home + "/export/BrowserHistory.json"
    #expect(try store.run("import", file).status == 0)
    #expect(try store.run("purge", "--domain", "web.example.bank", "--yes").status == 0)
    let back = try store.run("import", file)
    #expect(back.status == 0 && back.errors.contains("--block"), "\(back.errors)")
    #expect(
      try store.run("purge", "--domain", "web.example.bank", "--block", "--yes").status == 0)
    let blocked = try store.run("import", file)
    #expect(blocked.status == 0 && blocked.text.contains("a purge blocks them"))
    #expect(blocked.errors.isEmpty, "\(blocked.errors)")
    #expect(try store.json(["items"], as: Row.self).count == 1)
    // The first purge did not block: what it took may be what this import brings.
    let more = try Scratch.file("zsh", Data(": 1700000000:0;ls\n".utf8))
    let other = try store.run("import", file, more)
    #expect(other.text.contains("1 accepted") && other.errors.contains("at most 1"), "\(other)")
  }

  @Test func `an import after a purge that blocks does not say that it comes back`() throws {
    let file = try Self.home() + "/export/BrowserHistory.json"
    let store = Store("blocked")
    #expect(try store.run("import", file).status == 0)
    let purge = ["purge", "--domain", "web.example.bank", "--block", "--yes"]
    #expect(try store.run(purge).status == 0)
    let plan = try store.run("import", file, "--dry-run").text
    #expect(plan.contains("view: 1\n") && plan.contains("a purge blocks them: 1"), "\(plan)")
    #expect(!plan.contains("Account"), "\(plan)")
    let more = try Scratch.file("zsh", Data(": 1700000000:0;ls\n".utf8))
    let result = try store.run("import", file, more)
    #expect(result.text.contains("1 accepted") && result.text.contains("a purge blocks them"))
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(try store.run("import", file, "--json").text.contains(#""blocked":1"#))
    #expect(try store.json(["items"], as: Row.self).count == 2)
  }

  @Test func `what retention took does not come back with the next import`() throws {
    let now = Int(Date().timeIntervalSince1970)
    let text = "#\(now - 900_000)\nold\n#\(now - 800_000)\nolder\n#\(now - 60)\nnew\n"
    let file = try Scratch.file("bash", Data(text.utf8))
    let store = Store("kept-days")
    #expect(try store.run("import", "bash", file).text.hasPrefix("3 accepted"))
    #expect(try store.run("retention", "add", "--domain", "shell", "--days", "5").status == 0)
    // A rule that was not applied takes nothing.
    let more = try Scratch.file("zsh", Data(": \(now - 700_000):0;ls\n".utf8))
    #expect(try store.run("import", "zsh", more).text.hasPrefix("1 accepted"))
    #expect(try store.run("retention", "apply", "--yes", "--all-of-it").status == 0)
    let again = try store.run("import", "bash", file, "--json")
    #expect(again.text.contains(#""accepted":0,"duplicates":1"#), "\(again)")
    #expect(again.text.contains(#""older than retention keeps":2"#), "\(again)")
    #expect(again.status == 0 && again.errors.isEmpty, "\(again.errors)")
    #expect(try store.run("import", "bash", file, "--dry-run").errors.isEmpty)
  }

  @Test func `a dry run counts once what two files tell`() throws {
    let homes = [try Self.home(), try Self.home()]
    let files = homes.flatMap {
      [$0 + "/export/BrowserHistory.json", $0 + "/export/bookmarks.html"]
    }
    let store = Store("twice")
    let plan = try store.run(["import"] + files + ["--dry-run"]).text
    #expect(plan.contains("known already, and not added again: 1"), "\(plan)")
    #expect(plan.contains("2 same page and microsecond"), "\(plan)")
    let done = try store.run(["import"] + files).text
    #expect(done.contains("3 accepted, 1 duplicates"), "\(done)")
    let folders = homes.map { $0 + "/export" }
    let auto = try Store("twice").run(["import", "auto"] + folders + ["--yes"]).text
    #expect(auto.contains("3 accepted, 1 duplicates"), "\(auto)")
    #expect(auto.contains("left out: 2 same page and microsecond"), "\(auto)")
  }

  @Test func `what a rule by count took does not come back, and what is newer comes`() throws {
    let lines = (1...6).map { "#\(1_700_000_000 + $0)\ncommand\($0)\n" }
    let file = try Scratch.file("bash", Data(lines.prefix(5).joined().utf8))
    let store = Store("kept-count")
    #expect(try store.run("import", "bash", file).text.hasPrefix("5 accepted"))
    #expect(try store.run("retention", "add", "--domain", "shell", "--events", "2").status == 0)
    #expect(try store.run("retention", "apply", "--yes", "--all-of-it").status == 0)
    #expect(try store.run("import", "bash", file).text.hasPrefix("0 accepted"))
    try Data(lines.joined().utf8).write(to: URL(filePath: file))
    #expect(try store.run("import", "bash", file).text.hasPrefix("1 accepted"))
  }

  /// The disk of another machine, with a home on it.
  private static func disk() throws -> String {
    let disk = Scratch.path("disk")
    for (path, text) in [
      ("etc/hostname", "# by hand\r\n\r\nattic.example\r\nother\r\n"),
      ("home/eva/.bash_history", "#1700000000\nmake\n"),
      ("home/eva/.viminfo", "*encoding=utf-8\n|1,4\n|4,48,1,0,1700000001,\"~/a.txt\"\n"),
      (
        "var/log/apt/history.log",
        "\nStart-Date: 2024-01-02  03:04:05\nPurge: tide:amd64 (1)\nEnd-Date: 2024-01-02  03:04:06\n"
      ),
      ("../away/.bash_history", "#1700000000\nls\n"),
    ] {
      let file = URL(filePath: disk + "/" + path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    for (link, target) in [("alias", "eva"), ("out", "../../away"), ("all", "..")] {
      try FileManager.default.createSymbolicLink(
        atPath: disk + "/home/" + link, withDestinationPath: target)
    }
    return disk
  }

  @Test func `what another machine's disk holds is of that machine and of its homes`() throws {
    let disk = try Self.disk()
    let dry = try Store().run("import", "auto", disk, "--dry-run")
    #expect(dry.text.contains("  delete  package:tide:amd64\n"), "\(dry.text)")
    #expect(dry.text.split(separator: ".bash_history").count == 2, "\(dry.text)")
    for (folder, arguments, domains) in [
      (disk, [], ["files.home.eva", "packages.attic", "shell.attic"]),
      (disk + "/home/eva", [], ["files.home.eva", "shell.attic"]),
      (
        disk, ["--host", "desk", "--home", "/home/mira"],
        ["files.home.mira", "packages.desk", "shell.desk"]
      ),
    ] {
      let store = Store()
      let result = try store.run(["import", "auto", folder, "--yes"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      let events = try store.run("export").text.split(separator: "\n")
      #expect(events.count == domains.count)
      for domain in domains {
        #expect(events.contains { $0.contains(#""domain":"\#(domain)""#) }, "\(domain)")
      }
    }
  }

  @Test func `the disks of a Mac and of Windows name their machines, and hold homes`() throws {
    let preferences = """
      <plist version="1.0"><dict><key>ComputerName</key><string>Eva’s Mac</string>
        <key>LocalHostName</key>\n<string>Evas-Mac</string></dict></plist>
      """
    // The value of a registry: its mark, the lengths of its name and its data, where these are, and
    // that they are a text; the data come after the first 4 KiB and 4 bytes.
    var registry = Data(repeating: 0, count: 4096) + Data("ComputerName vk".utf8)
    registry += Data([0x76, 0x6B, 12, 0, 16, 0, 0, 0, 64, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    registry += Data("ComputerName".utf8)
    registry += Data(repeating: 0, count: 4096 + 64 + 4 - registry.count)
    registry += Data("DESK-7\0\0".utf8.flatMap { [$0, 0] })
    let list = "Library/Preferences/SystemConfiguration/preferences.plist"
    for (place, bytes, host, home) in [
      (list, Data(preferences.utf8), "Evas-Mac", "/Users/eva"),
      ("Windows/System32/config/SYSTEM", registry, "DESK-7", "/C:/Users/eva"),
    ] {
      let disk = Scratch.path("other")
      for (path, bytes) in [
        (place, bytes), ("Users/eva/.bash_history", Data("#1700000000\nmake\n".utf8)),
        ("Users/eva/.viminfo", Data("\n|1,4\n|4,48,1,0,1700000001,\"~/a.txt\"\n*encoding=\n".utf8)),
      ] {
        let file = URL(filePath: disk + "/" + path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
      }
      let store = Store()
      let result = try store.run("import", "auto", disk, "--yes")
      try #require(result.status == 0, "\(result.errors)")
      let text = try store.run("export").text
      #expect(text.contains(#""domain":"shell.\#(host)""#), "\(text)")
      #expect(text.contains(#""item":"file://\#(home)/a.txt""#), "\(text)")
    }
  }

  @Test func `auto passes over empty files, takes archives, names pages and lists once`() throws {
    let home = try Self.home()
    try Data().write(to: URL(filePath: home + "/.zsh_history"))
    try Data("<html><title>Tide</title>".utf8).write(to: URL(filePath: home + "/export/page.html"))
    let zip = """
      import zipfile, sys
      with zipfile.ZipFile(sys.argv[1] + '/takeout.zip', 'w') as z:
        z.write(sys.argv[1] + '/BrowserHistory.json', 'Takeout/Chrome/BrowserHistory.json')
      with zipfile.ZipFile(sys.argv[1] + '/other.zip', 'w') as z: z.writestr('a.txt', 'nothing')
      """
    try #require(try Shell.run("python3", "-c", zip, home + "/export").status == 0)
    try FileManager.default.removeItem(atPath: home + "/export/BrowserHistory.json")
    let store = Store("looked")
    let result = try store.run("import", "auto", home, home + "/export", "--yes")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("page.html") && result.errors.contains("cairn import web"))
    #expect(!result.errors.contains("zsh") && !result.errors.contains("other.zip"))
    let lines = result.text.split(separator: "\n")
    #expect(lines.count { $0.contains(".bash_history") } == 1, "\(result.text)")
    #expect(
      try store.json(["items"], as: Row.self).contains { $0.item == "https://bank.example/account" }
    )
  }

  @Test func `what is no history says which import takes it`() throws {
    let home = try Self.home()
    let page = try Scratch.file("page.html", Data("<html><title>Tide</title>".utf8))
    try FileManager.default.moveItem(atPath: page, toPath: page + ".html")
    let wide = try Scratch.file("wide", Data([0xFF, 0xFE, 0x6C, 0, 0x73, 0] as [UInt8]))
    let widePage = wide + ".html"
    try FileManager.default.copyItem(atPath: wide, toPath: widePage)
    let store = Store("pointers")
    for (path, status, advice) in [
      (home, Int32(65), "cairn import auto \(home)"),
      (page + ".html", 65, "cairn import web \(page).html"),
      (wide, 65, "iconv -f UTF-16 -t UTF-8 \(wide)"),
      (widePage, 65, "iconv -f UTF-16 -t UTF-8 \(widePage)"),
      ("https://swift.example/guide", 66, "cairn import web https://swift.example/guide"),
    ] {
      let result = try store.run("import", path)
      #expect(result.status == status && result.errors.contains(advice), "\(result.errors)")
    }
  }

  @Test func `a history and a file of events go together`() throws {
    let home = try Self.home()
    let events = try Scratch.file(
      "f.ndjson", Data(#"{"kind":"view","item":"a","attributes":{"title":"A"}}"#.utf8))
    let store = Store("mixed")
    let words = ["import", home + "/.bash_history", events]
    let rows = try store.json(words, as: AppendResult.self)
    #expect(rows.map(\.accepted) == [3])
    #expect(try store.json(words, as: AppendResult.self).map(\.duplicates) == [3])
  }

  @Test func `commands with a secret stay out and are counted, unless asked for`() throws {
    let file = try Scratch.file(
      "history",
      Data(
        """
        #1700000000
        curl -H 'Authorization: Bearer 0123456789abcdef0123' https://a.example
        #1700000001
        mysql --password=hunter22
        #1700000002
        export AWS_KEY=AKIAIOSFODNN7EXAMPLE
        #1700000003
        mysql --password=$PW
        #1700000004
        git log --author=me
        #1700000005
        aws configure set aws_secret_access_key wJalrXUtnFEMI
        #1700000006
        curl -u bob:hunter2 https://a.example
        #1700000007
        sshpass -p hunter2 ssh bob@a.example
        #1700000008
        git clone https://bob:hunter2@a.example/x.git
        #1700000009
        gh auth login --token hunter22
        #1700000010
        docker run -u 1000:1000 --secret id=a image
        #1700000011
        curl -u "$USER:$PW" https://$USER:$PW@a.example
        #1700000012
        scp bob@a.example:/tmp/x . && grep password x
        #1700000013
        sshpass -phunter2 ssh bob@a.example
        #1700000014
        gpg --passphrase hunter22 -d x
        #1700000015
        curl -H 'X-Api-Key: 0123456789abcdef0123' https://a.example
        #1700000016
        curl -H 'Authorization: Bearer s3cr3tTok9' https://a.example
        #1700000017
        curl -H "Authorization: token abcdef12" https://a.example
        #1700000018
        curl -d '{"user":"a", "password": "hunter2"}' https://a.example
        #1700000019
        curl -d "{\\"token\\":\\"hunter2\\"}" https://a.example
        #1700000019
        echo "{'password' : 'hunter2'}" > x
        #1700000019
        echo '{"SecretAccessKey": "wJalrXUtnFEMI"}' > y
        #1700000020
        git commit -m 'Read the bearer token: a header, "password": no'
        #1700000021
        git commit -m "Fix authorization: token refresh on login"
        #1700000022
        grep -rn "Authorization: Bearer token" docs; rg "x-api-key: required"
        #1700000023
        kubectl patch x -p '{"automountServiceAccountToken": false}'
        #1700000024
        jq '{"token": .access_token}' a.json; export A=${TOKEN:=$B}
        #1700000025
        set -gx API_TOKEN abcdef123456
        #1700000026
        $env:API_TOKEN = "abcdef123456"
        #1700000027
        mysql -u root -phunter2 shop
        #1700000028
        docker login -u me -p hunter22 registry.example
        #1700000029
        curl -H "X-Any: glpat-0123456789abcdefghij"
        #1700000030
        export SECRET_KEY_BASE=abcdef123
        #1700000031
        mysql -P3306 shop; set -l token_count 12345; mkdir -p login; git commit -m "token = x"
        #1700000032
        docker login && docker run -p 8080:80 nginx; cd login && mkdir -p build; ssh login -p 2222
        #1700000033
        set -x; kubectl get secret mysecret; set -euo pipefail; source token vars.sh
        #1700000034
        echo hf_transfer_enable_this_long_name_variable
        #1700000035
        sudo mysql -u root -p12345678

        """.utf8))
    let store = Store("secrets")
    let result = try store.run("import", "bash", file)
    #expect(result.status == 0 && result.text.hasPrefix("14 accepted"), "\(result.text)")
    #expect(result.errors.contains("left out 24 commands"), "\(result.errors)")
    #expect(try store.run("import", "bash", file, "--secrets").text.hasPrefix("24 accepted"))
  }

  @Test func `lines of a shell that have no stamp of their own stay what they were`() throws {
    let folder = Scratch.path("untimed")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let first = "git status\nmake\nmake\n"
    for (shell, then, count) in [
      ("bash", "#1700000100\nls\n", 1),
      ("zsh", ": 1700000100:0;ls\n: 1700000200:0;ls\n", 2),
    ] {
      let store = Store("untimed-\(shell)")
      let file = "\(folder)/\(shell)"
      func imported(_ text: String) throws -> Int {
        try Data(text.utf8).write(to: URL(filePath: file))
        let result = try store.json(["import", shell, file], as: AppendResult.self)
        return try #require(result.first).accepted
      }
      #expect(try imported(first) == 3)
      #expect(try imported(first + then) == count)
      // The head goes as the file is trimmed, and what is left takes another time.
      for second in 5...7 {
        let head = shell == "bash" ? "make\n#170000000\(second)\n" : "make\n: 170000000\(second):0;"
        #expect(try imported(head + "x\(second)\n") == 1)
      }
    }
  }

  @Test func `what is left out is said, and no command is too long for --except`() throws {
    let file = Scratch.path("except")
    let long = "echo secretbank " + String(repeating: "a", count: 5_000)
    try Data("#1700000000\n\(long)\n#1700000001\nsee bank of x\n#1700000002\nls\n".utf8)
      .write(to: URL(filePath: file))
    let store = Store("except")
    let result = try store.run("import", "bash", file, "--except", "B*NK", "--host", "h")
    #expect(result.text.hasPrefix("1 accepted"), "\(result.text)")
    #expect(result.text.contains("left out: 2 --except"), "\(result.text)")
    let told = try store.run("import", "bash", file, "--since", "2030", "--host", "h", "--json")
    let skipped = try #require(try told.objects().first?["skipped"] as? [String: Int])
    #expect(skipped == ["before --since": 3])
  }

  @Test func `what is left out for more reasons than are named is counted`() throws {
    let schemes = ["about", "data", "blob", "chrome", "edge", "place"]
    let visits = schemes.map { #"{"url": "\#($0):x", "time_usec": 1700000000000000}"# }
    let file = Scratch.path("internal-pages")
    try Data(#"{"Browser History": [\#(visits.joined(separator: ","))]}"#.utf8)
      .write(to: URL(filePath: file))
    let text = try Store("internal-pages").run("import", "takeout-chrome", file).text
    let named = "1 about:, 1 blob:, 1 chrome:, 1 data:"
    #expect(text.contains("left out: \(named), 2 for other reasons"), "\(text)")
  }

  @Test func `lines without a time are left out by that of their file`() throws {
    let file = Scratch.path("no-times")
    try Data("ls\nmake\n".utf8).write(to: URL(filePath: file))
    let written = Date(timeIntervalSince1970: 1_700_000_000)
    try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: file)
    let store = Store("no-times")
    let none = try store.run("import", "bash", file, "--since", "2024", "--json")
    let skipped = try #require(try none.objects().first?["skipped"] as? [String: Int])
    #expect(skipped == ["before --since": 2])
    let all = try store.run("import", "bash", file, "--since", "2023", "--json")
    #expect(try all.objects().first?["accepted"] as? Int == 2)
  }

  @Test func `an import that fails makes no store`() throws {
    let store = Store("none-made")
    #expect(try store.run("import", "zsh", Scratch.path("no-such-file")).status == 66)
    let file = Scratch.path("noise")
    try Data([0, 1, 2, 255]).write(to: URL(filePath: file))
    #expect(try store.run("import", "chromium", file).status == 65)
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `a database behind a link is read with its log`() throws {
    let folder = Scratch.path("linked")
    let script = """
      import os, shutil, sqlite3, sys
      os.makedirs(sys.argv[1] + "/a"); os.makedirs(sys.argv[1] + "/b")
      c = sqlite3.connect(sys.argv[1] + "/h")
      c.execute("pragma journal_mode=wal")
      c.execute("pragma wal_autocheckpoint=0")
      c.executescript("create table urls (id integer primary key, url text, title text); create table visits (id integer primary key, url integer, visit_time integer, transition integer)")
      c.execute("insert into urls values (1, 'https://a.example/', 'A')")
      c.execute("insert into visits values (1, 1, 13350000000000000, 0)")
      c.commit()
      for end in ["", "-wal"]: shutil.copy(sys.argv[1] + "/h" + end, sys.argv[1] + "/a/History" + end)
      os.symlink("../a/History", sys.argv[1] + "/b/History")
      """
    try #require(try Shell.run("python3", "-c", script, folder).status == 0)
    let store = Store("linked")
    let result = try store.run("import", "chromium", folder + "/b/History")
    #expect(result.text.hasPrefix("1 accepted"), "\(result.text) \(result.errors)")
  }

  @Test func `a purge says what was meant, what is refused and what comes back`() throws {
    let store = Store("said")
    let line = ["index", "https://secret.example.org/a", "--domain", "web.org.example.secret"]
    try #require(try store.run(line).status == 0)
    func purge(_ words: String...) throws -> ProcessResult { try store.run(["purge"] + words) }
    for words in [["--yes"], ["--dry-run"]] {
      let slip = try store.run(["purge", "--domain", "secret.example.org"] + words)
      #expect(slip.status == 0, "\(slip.errors)")
      #expect(slip.errors.contains("--domain web.org.example.secret"))
    }
    let filter = try purge("--filter", "nosuch == 1", "--yes")
    #expect(filter.errors.contains("no item has an attribute 'nosuch'"), "\(filter.errors)")
    let block = try purge("--domain", "later", "--block", "--yes")
    #expect(block.text.contains("refused from now on: events in the domain later"))
    let open = try purge("--domain", "later", "--unblock")
    #expect(open.status == 0 && open.text.contains("accepted again: events in the domain later"))
    let done = try purge("--domain", "web", "--yes", "--all-of-it")
    #expect(done.text.contains("brings it back; --block keeps it away"), "\(done.text)")
  }

  @Test func `counts that grew add what is new`() throws {
    let home = try Self.home()
    let store = Store("counts")
    let file = home + "/.z"
    #expect(try store.run("import", "z", file).status == 0)
    try Data("/home/mira/src|7.1|1700009000\n".utf8).write(to: URL(filePath: file))
    #expect(try store.run("import", "z", file).status == 0)
    let visits = try store.run("log", "--json").objects().map { $0["visits"] as? Int ?? 1 }
    #expect(visits == [3, 4])
  }

  @Test func `watch takes in what is there and what came since`() throws {
    let home = try Self.home()
    let store = Store("watched")
    #expect(try store.run("watch", home, "--once").status == 0)
    let before = try store.stats().head
    let history = home + "/.bash_history"
    let text = try String(contentsOfFile: history, encoding: .utf8) + "#1700000500\nls\n"
    try Data(text.utf8).write(to: URL(filePath: history))
    #expect(try store.run("watch", home, "--once").text.contains("1 new of bash"))
    #expect(try store.stats().head == before + 1)
    // What is still being written waits until its line ends; an import takes the file as it is.
    try Data((text + "#1700000600\ngit commit --am").utf8).write(to: URL(filePath: history))
    #expect(try store.run("watch", home, "--once").text.isEmpty)
    try Data((text + "#1700000600\ngit commit --amend\n").utf8).write(to: URL(filePath: history))
    #expect(try store.run("watch", home, "--once").text.contains("1 new of bash"))
    #expect(try store.run("show", "shell:git commit --amend").status == 0)
    let open = text + "#1700000600\ngit commit --amend\n#1700000700\nls -l"
    try Data(open.utf8).write(to: URL(filePath: history))
    #expect(try store.run("import", "bash", history).text.hasPrefix("1 accepted"))
  }

  @Test func `watch says what is new of a history that has records that are none`() throws {
    let home = Scratch.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let text = """
      {"Browser History":[
      {"url":"https://a.example/","title":"A","time_usec":1700000300000000},{"title":"B"}]}
      """
    try Data(text.utf8).write(to: URL(filePath: home + "/BrowserHistory.json"))
    let result = try Store("watched").run("watch", home, "--once")
    #expect(result.text.contains("1 new of takeout-chrome"), "\(result)")
    #expect(result.status == 0 && result.errors.contains("no URL"), "\(result.errors)")
  }

  @Test func `watch makes no store where there is nothing to take in`() throws {
    let home = Scratch.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let store = Store("nothing-to-watch")
    for text in ["", "  \n", "#1700000000\n\n"] {
      try Data(text.utf8).write(to: URL(filePath: home + "/.bash_history"))
      #expect(try store.run("watch", home, "--once").status == 0)
      #expect(!FileManager.default.fileExists(atPath: store.path), "\(text)")
    }
    try Data("ls\n".utf8).write(to: URL(filePath: home + "/.bash_history"))
    #expect(try store.run("watch", home, "--once").text.contains("1 new of bash"))
  }

  @Test func `what goes out to a peer comes in again`() throws {
    let home = try Self.home()
    let store = Store("out")
    let files = ["bookmarks.html", "BrowserHistory.json"].map { home + "/export/" + $0 }
    #expect(try store.run(["import"] + files).status == 0)
    let formats = [
      ("browserexport", 2), ("activitywatch", 2), ("netscape", 1), ("opml", 1), ("atom", 1),
    ]
    for (format, count) in formats {
      let exported = try store.run("export", "--format", format)
      #expect(exported.status == 0, "\(exported.errors)")
      let other = Store("in-\(format)")
      let file = try Scratch.file("exported-\(format)", Data(exported.text.utf8))
      #expect(try other.run("import", format, file).text.contains("\(count) accepted"))
      // What a browser told is known by page and time, in whichever format it comes.
      if count == 2 {
        #expect(try store.run("import", format, file).text.contains("0 accepted, 2 duplicates"))
      }
      let again = try other.run("export", "--format", format)
      // What tells when it was written may differ.
      let lines = [again, exported].map { output in
        output.text.split(separator: "\n").filter {
          !$0.contains("\"created\"") && !$0.contains("<id>urn:cairn")
        }
      }
      #expect(lines[0] == lines[1])
    }
    #expect(try store.run("export", "--format", "netscape").text.contains("<H3>Reading</H3>"))
    #expect(try store.run("export", "--format", "opml").text.contains("created=\"Tue, 14 Nov 2023"))
  }

  @Test func `bookmarks of any page and of files go out, and what is left out is counted`() throws {
    let addresses = ["HTTPS://A.example/", "gemini://b.example/", "gopher://c.example/1"]
    let others = ["file:///home/mira/a.html", "note:5"]
    let lines = (addresses + others).map {
      #"{"kind":"index","item":"\#($0)","domain":"d","#
        + #""attributes":{"title":"T","contentType":"public.bookmark"}}"#
    }
    // The last one is a program's name.
    let views = (addresses + ["gemini"]).map { #"{"kind":"view","item":"\#($0)"}"# }
    let store = Store("any-page")
    let file = try Scratch.file("any-page", Data((lines + views).joined(separator: "\n").utf8))
    #expect(try store.run("append", file).text.hasPrefix("9 accepted"))
    for (format, count) in [("netscape", 4), ("opml", 4), ("atom", 4), ("browserexport", 3)] {
      let exported = try store.run("export", "--format", format)
      let told = "left out 1 bookmark of what is neither a page nor a file"
      #expect(exported.errors.contains(told) == (count == 4), "\(exported.errors)")
      let copy = try Scratch.file("any-page.\(format)", Data(exported.text.utf8))
      let again = try Store("any-page-\(format)").run("import", format, copy)
      #expect(again.text.hasPrefix("\(count) accepted"), "\(again)")
    }
  }

  @Test func `a description of more than one line goes out and comes in as it is`() throws {
    let page = """
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
      <DT><A HREF="https://a.example/" ADD_DATE="1700000000">A</A>
      <DD>Harbour
      \tand tide
      </DL>
      """
    let store = Store("lines")
    let file = try Scratch.file("lines.html", Data(page.utf8))
    #expect(try store.run("import", "netscape", file).status == 0)
    for format in ["netscape", "opml", "atom"] {
      let exported = try store.run("export", "--format", format)
      let other = Store("lines-\(format)")
      let copy = try Scratch.file("lines-\(format)", exported.output)
      #expect(try other.run("import", format, copy).status == 0)
      let event = try #require(try other.run("export").objects().first)
      let attributes = event["attributes"] as? [String: Any]
      #expect(attributes?["contentDescription"] as? String == "Harbour\n\tand tide", "\(format)")
    }
  }

  @Test(arguments: ["netscape", "opml", "atom"])
  func `folders go out and come in as they are`(format: String) throws {
    let page = """
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>A / B &amp; 5%</H3><DL><p>
      <DT><H3>In</H3><DL><p><DT><A HREF="https://a.example/" ADD_DATE="1700000000">A</A></DL>
      <DT><A HREF="https://a.example/" ADD_DATE="1700000000" TAGS="t">A</A></DL></DL>
      """
    let store = Store("folders")
    let file = try Scratch.file("folders.html", Data(page.utf8))
    #expect(try store.run("import", "netscape", file).status == 0)
    let exported = try store.run("export", "--format", format)
    let copy = try Scratch.file("folders-\(format)", exported.output)
    #expect(try store.run("import", format, copy).text.hasPrefix("0 accepted, 1 duplicate"))
    let other = Store("folders-\(format)")
    #expect(try other.run("import", format, copy).status == 0)
    let event = try #require(try other.run("export").objects().first)
    let attributes = event["attributes"] as? [String: Any]
    #expect(
      attributes?["bookmarkFolders"] as? [String] == ["A %2F B & 5%25", "A %2F B & 5%25/In"])
    #expect(attributes?["keywords"] as? [String] == ["t"])
  }
}
