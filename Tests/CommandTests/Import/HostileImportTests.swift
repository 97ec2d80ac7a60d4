import Foundation
import Testing

/// Files that nobody should give an importer; `make hostile` has many more, and larger ones.
@Suite(.enabled(if: LogReader.isPresent, "needs python3")) struct HostileImportTests {
  @Test func `an empty file is refused by name in every format, and auto leaves it alone`() throws {
    let formats = try Store().run("import", "--list", "--json").objects().compactMap {
      $0["format"] as? String
    }
    #expect(formats.count > 50)
    let empty = try Scratch.file("empty", Data())
    for format in formats where !["ndjson", "cloudevents", "csv", "git"].contains(format) {
      let result = try Store().run("import", format, empty)
      #expect(result.status == 65, "\(format) \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(format) \(result.errors)")
    }
    let table = try Scratch.file("empty", Data())
    try FileManager.default.moveItem(atPath: table, toPath: table + ".csv")
    for path in [empty, table + ".csv"] {
      #expect(try Store().run("import", path).errors == "cairn: \(path): is empty\n")
    }
    let list = try Scratch.file("my $(id) list", Data("[{\"kind\":\"view\"}]\n".utf8))
    let advised = try Store().run("import", list).errors
    #expect(advised.contains("jq -c '.[]' '\(list)' | cairn import -"), "\(advised)")
    let home = Scratch.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: home + "/.zsh_history"))
    try Data("make test\n".utf8).write(to: URL(filePath: home + "/.bash_history"))
    let found = try Store().run("import", "auto", home, "--yes")
    #expect(found.status == 0 && found.text.contains("1 accepted"), "\(found.errors)")
  }

  @Test func `folders that lead in a circle cost the bookmarks in them, and no time`() throws {
    let path = Scratch.path("places.sqlite")
    let made = try Shell.run(
      "python3", "-c",
      """
      import sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      base.executescript('''
        create table moz_places(id integer primary key, url, title);
        create table moz_historyvisits(id integer primary key, from_visit, place_id, visit_date,
          visit_type);
        create table moz_bookmarks(id integer primary key, type, fk, parent, title, dateAdded, guid);
        insert into moz_places values(1,'https://a.test/','A'),(2,'https://b.test/','B');
        insert into moz_bookmarks values(1,2,null,0,'','0','toolbar_____'),
          (2,2,null,3,'two',0,'g2'),(3,2,null,2,'three',0,'g3'),(4,2,null,4,'self',0,'g4'),
          (5,1,1,2,'x',1700000000000000,'g5'),(6,1,1,4,'y',1700000000000000,'g6'),
          (7,1,2,1,'z',1700000000000000,'g7');
        ''')
      base.commit()
      """, path)
    try #require(made.status == 0, "\(made.errors)")
    let store = Store()
    let result = try store.run("import", "firefox", path)
    #expect(result.status == 65 && result.text.contains("1 accepted, 0 duplicates, 2 rejected"))
    #expect(result.errors.contains("in a circle"), "\(result.errors)")
  }

  @Test func `a tag without an end keeps what came before it`() throws {
    let text =
      "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF=\"http://a.test/\" ADD_DATE=1700000000>A</A>"
      + "<DT><A HREF=\"http://b.test/" + String(repeating: "b", count: 3 << 20)
    let path = try Scratch.file("bookmarks.html", Data(text.utf8))
    let result = try Store().run("import", "netscape", path)
    #expect(result.status == 65 && result.text.contains("1 accepted, 0 duplicates, 1 rejected"))
    #expect(result.errors.contains("the file ends in the middle of a tag"), "\(result.errors)")
  }
}
