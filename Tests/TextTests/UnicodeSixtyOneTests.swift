import TestSupport
import Testing
import Text

/// Words of spaced scripts are those of SQLite's `unicode61 remove_diacritics 2`.
struct UnicodeSixtyOneTests {
  /// Letters that `unicode61` leaves as they are and that Unicode's case folding, compatibility
  /// forms or later versions fold further.
  private static let foldedFurther: Set<UInt32> = [
    0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE, 0xDF, 0x130, 0x132, 0x133, 0x13F, 0x140,
    0x149, 0x17F,
  ]

  private static func line(_ random: inout SeededGenerator) -> String {
    var view = String.UnicodeScalarView()
    for _ in 0..<24 {
      let range: ClosedRange<UInt32> =
        switch Int.random(in: 0..<10, using: &random) {
        case 0...4: 0x61...0x7A
        case 5: 0x41...0x5A
        case 6: 0x20...0x40
        case 7: 0xA0...0x17F
        case 8: 0x1EA0...0x1EF9
        default: 0x20...0x20
        }
      let value = UInt32.random(in: range, using: &random)
      guard !foldedFurther.contains(value), value != 0xAD, value != 0x27 else { continue }
      if let scalar = Unicode.Scalar(value) { view.append(scalar) }
      if Int.random(in: 0..<16, using: &random) == 0, let last = view.last,
        last.properties.isAlphabetic
      {
        view.append(["\u{301}", "\u{308}", "\u{323}"][Int.random(in: 0..<3, using: &random)])
      }
    }
    return String(view)
  }

  private func words(_ text: String, _ buffer: inout TokenBuffer) -> [String] {
    Analyzer().analyze(Array(text.utf8), into: &buffer)
    return buffer.tokens.filter { $0.space == .word }.map {
      String(decoding: buffer.term($0), as: UTF8.self)
    }
  }

  @Test(.enabled(if: Program.output(of: ["sqlite3", "-version"]) != nil))
  func `random Latin text is cut as by SQLite where it is installed`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let lines = (0..<400).map { _ in Self.line(&random) }
    var script = """
      .mode list
      CREATE VIRTUAL TABLE t USING fts5(a, tokenize='unicode61 remove_diacritics 2');
      CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance');

      """
    for (index, line) in lines.enumerated() {
      script += "INSERT INTO t(rowid, a) VALUES (\(index), '\(line)');\n"
    }
    script += "SELECT doc, term FROM v ORDER BY doc, offset;\n"
    let output = try #require(
      Program.output(of: ["sqlite3", ":memory:"], input: script), "the script of seed \(seed)")
    var wanted: [Int: [String]] = [:]
    for row in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let fields = row.split(separator: "|", maxSplits: 1)
      guard fields.count == 2, let document = Int(fields[0]) else { continue }
      wanted[document, default: []].append(String(fields[1]))
    }
    #expect(wanted.count > 300, "the table of SQLite's terms")
    var buffer = TokenBuffer()
    for (index, line) in lines.enumerated() {
      #expect(words(line, &buffer) == wanted[index, default: []], "seed \(seed): \(line)")
    }
  }

  @Test(
    "texts are cut as SQLite cut them",
    arguments: [
      ("node.js foo_bar a.example.com /usr/bin/x", "node js foo bar a example com usr bin x"),
      ("don't user@host.org C++ C# .NET", "don t user host org c c net"),
      ("Ærø Łódź Đakovo İzmir Ça đâu tiếng Việt", "ærø łodz đakovo izmir ca đau tieng viet"),
      ("naïve Übergröße", "naive ubergrosse"), ("x86_64 3.14 1,000 0xFF", "x86 64 3 14 1 000 0xff"),
    ]) func pinned(text: String, expected: String)
  {
    var buffer = TokenBuffer()
    #expect(words(text, &buffer).joined(separator: " ") == expected)
  }
}
