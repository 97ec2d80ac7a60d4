import Testing

@testable import CairnCommand

@Suite struct `Text for a terminal` {
  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한글", 4), ("ｆｕｌｌ", 8), ("👩‍👩‍👧", 2),
    ("a\u{200B}b", 2), ("❤️", 2), ("", 0), ("กำ", 1), ("→", 1),
  ]) func `width is counted in columns`(text: String, columns: Int) {
    #expect(DisplayText.width(text) == columns)
  }

  @Test func `cut text never takes more columns than it may, and says that it was cut`() {
    for text in ["plain words", "日本語の文章", "mixed 日本 text", "👍👍👍👍", "x"] {
      for columns in 0...12 {
        let cut = DisplayText.fit(text, columns)
        #expect(DisplayText.width(cut) <= columns)
        if DisplayText.width(text) > columns && columns > 0 { #expect(cut.hasSuffix("…")) }
        if DisplayText.width(text) <= columns { #expect(cut == text) }
      }
    }
  }

  @Test(arguments: [
    ("Harbour", "a", "Harbour  (a)"),
    ("A title that is rather long", "r-7", "A title that …  (r-7)"),
    ("Tide", "https://example.org/", "Tide  (https://exam…)"),
    ("A title that is rather long", "https://example.org/", "A title…  (https://…)"),
  ]) func `a title leaves room for the identifier`(title: String, id: String, shown: String) {
    #expect(DisplayText.named(title, id, 21) == shown)
    #expect(DisplayText.width(DisplayText.named(title, id, 21)) <= 21)
    #expect(DisplayText.named(title, id, nil) == "\(title)  (\(id))")
  }

  @Test(arguments: [
    ("report-7", "report-7"), ("Buy milk", "'Buy milk'"), ("it's", #"'it'\''s'"#),
    ("it'\u{301};ls", "'it'\\''\u{301};ls'"),
    ("$(id)", "'$(id)'"), ("a`id`", "'a`id`'"), ("x;y", "'x;y'"), ("", "''"),
  ]) func `an identifier in a command that is shown is one word of it`(id: String, shown: String) {
    #expect(DisplayText.word(id) == shown)
  }

  @Test(arguments: [
    ("\u{1B}[31mred", " [31mred"), ("two\nlines", "two lines"), ("back\u{202E}wards", "backwards"),
    ("bell\u{7}", "bell "), ("c1\u{9B}x", "c1 x"), ("fine — ok", "fine — ok"),
  ]) func `nothing stored can steer the terminal`(text: String, shown: String) {
    #expect(DisplayText.harmless(text) == shown)
  }

  @Test func `rows fit the terminal, and are tabs where there is none`() {
    let columns: [Table.Column] = [.right(5), .share(2), .share(1), .left(4)]
    let cells = ["12", "a rather long name that has to be cut off", "日本語日本語日本語", "last one"]
    for width in [40, 60, 80, 120] {
      #expect(DisplayText.width(Table(columns, width: width).row(cells)) <= width)
    }
    #expect(Table(columns, width: nil).row(cells) == cells.joined(separator: "\t"))
  }

  @Test func `a row too wide for the terminal goes on in the next line, and loses nothing`() {
    let log = Table([.right(7), .left(22), .left(10), .share(3), .share(2)], width: 40)
    let row = ["3", "2026-11-28 11:25+05:45", "view", "notes/harbour", "Tide"]
    #expect(
      log.row(row) == """
              3  2026-11-28 11:25+05:45
            view        notes/harbour  Tide
        """)
    #expect(log.row(["3", "2026-11-28 11:25+05:45", "", "", ""]).contains("\n") == false)
    for width in 28...62 {
      let narrow = Table([.right(7), .left(22), .left(10), .share(3), .share(2)], width: width)
      for line in narrow.row(row).split(separator: "\n") {
        #expect(DisplayText.width(String(line)) <= width)
      }
    }
    for width in 20...80 {
      let items = Table([.share(3), .share(2), .share(2)], width: width)
      let cells = Array(repeating: "notes/harbour/tide", count: 3)
      for line in items.row(cells).split(separator: "\n") {
        #expect(DisplayText.width(String(line)) <= width)
      }
    }
    let top = Table([.right(4), .share(1), .right(10), .right(6), .left(22)], width: 40)
    let ranked = top.row(["1", "Harbour", "0.451", "12", "2026-11-28 11:25+05:45"])
    #expect(ranked.split(separator: "\n").count == 2)
    #expect(ranked.contains("12\n    2026-11-28 11:25+05:45"), "\(ranked)")
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
    (-999, "-999"),
  ]) func `thousands are set apart`(number: Int, text: String) {
    #expect(Readable.number(number) == text)
  }

  @Test(arguments: [
    (0.0, 2, "0.00"), (1.005, 1, "1.0"), (2.96, 1, "3.0"), (-0.04, 1, "0.0"), (-1.25, 1, "-1.3"),
    (12.0, 0, "12"),
  ]) func `decimals have as many digits as asked for`(value: Double, digits: Int, text: String) {
    #expect(Readable.decimal(value, digits) == text)
  }

  @Test(arguments: [
    (4.797, "4.797"), (99_999.5, "99999.500"), (123_456.7, "123457"),
    (1_795_809_194.84, "1795809195"), (0.00012, "1.2e-4"),
  ]) func `a score fits its column`(value: Double, text: String) {
    #expect(Readable.score(value) == text)
  }
}
