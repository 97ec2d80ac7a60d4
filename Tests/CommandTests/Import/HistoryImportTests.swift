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
  }

  @Test func `a file is known by its content, or refused in one line`() throws {
    let home = try Self.home()
    let store = Store("known")
    let known = try store.run("import", home + "/export/bookmarks.html")
    #expect(known.status == 0 && known.text.contains("1 accepted"), "\(known.errors)")
    let unknown = try Scratch.file("unknown", Data([1, 2, 3]))
    for (arguments, status) in [
      ([unknown], Int32(65)), (["firefox", unknown], 65), (["firefox", home + "/nowhere"], 66),
      (["firefox"], 64), ([], 64),
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
    #expect(try store.json(["items"], as: Row.self).count == 1)
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
  }

  @Test func `what goes out to a peer comes in again`() throws {
    let home = try Self.home()
    let store = Store("out")
    let files = ["bookmarks.html", "BrowserHistory.json"].map { home + "/export/" + $0 }
    #expect(try store.run(["import"] + files).status == 0)
    for (format, count) in [("browserexport", 2), ("netscape", 1), ("activitywatch", 2)] {
      let exported = try store.run("export", "--format", format)
      #expect(exported.status == 0, "\(exported.errors)")
      let other = Store("in-\(format)")
      let file = try Scratch.file("exported-\(format)", Data(exported.text.utf8))
      #expect(try other.run("import", format, file).text.contains("\(count) accepted"))
    }
    for format in ["opml", "atom"] {
      let document = try store.run("export", "--format", format).text
      #expect(document.contains("https://swift.example/guide"))
    }
  }
}
