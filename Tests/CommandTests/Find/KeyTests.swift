import Testing

@testable import CairnCommand

@Suite struct KeyTests {
  private static func keys(_ text: String, pieces: Bool) -> [Key] {
    var reader = KeyReader()
    var keys: [Key] = []
    for byte in text.utf8 {
      reader.feed([byte])
      if pieces { while let key = reader.next(isQuiet: false) { keys.append(key) } }
    }
    while let key = reader.next(isQuiet: true) { keys.append(key) }
    return keys
  }

  @Test(
    arguments: [true, false],
    [
      ("a", [Key.text("a")]), ("é日👍", [.text("é"), .text("日"), .text("👍")]),
      ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}OA\u{1B}OH", [.up, .home]),
      ("\u{1B}[1;3D\u{1B}[1;5D\u{1B}b", [.earlier, .earlier, .earlier]),
      ("\u{1B}[1;3C\u{1B}[1;5C\u{1B}f", [.later, .later, .later]),
      ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.pageUp, .pageDown, .delete]), ("\u{1B}", [.escape]),
      ("\u{1B}\u{1B}", [.escape, .escape]), ("\r\u{3}\u{7F}", [.enter, .interrupt, .backspace]),
      ("\u{4}", [.deleteOrLeave]),
      ("\u{1B}[200~a\nb\u{1B}[201~\r", [.text("a"), .text(" "), .text("b"), .enter]),
      ("\u{1B}[99;99Zx\u{1B}[<1;2Mx", [.text("x"), .text("x")]),
    ] as [(String, [Key])]) func `bytes make keys, however they come`(
      pieces: Bool, expected: (String, [Key])
    )
  { #expect(Self.keys(expected.0, pieces: pieces) == expected.1) }

  @Test func `no bytes are too strange`() {
    var state: UInt64 = 7
    for _ in 0..<2_000 {
      var reader = KeyReader()
      for _ in 0..<60 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Half of them from what sequences are made of.
        let byte = UInt8(truncatingIfNeeded: state >> 40)
        reader.feed([state >> 33 & 1 == 0 ? byte : Array("\u{1B}[O~;019AZ".utf8)[Int(byte) % 10]])
        if state >> 60 & 3 == 0 { while reader.next(isQuiet: false) != nil {} }
      }
      while reader.next(isQuiet: true) != nil {}
      #expect(!reader.isWaiting)
    }
  }

  @Test func `of a frame only the lines that differ are written`() {
    var screen = Screen()
    let frame = Frame(lines: ["one", "two", "three"])
    #expect(String(decoding: screen.bytes(for: frame), as: UTF8.self).contains("one"))
    #expect(screen.bytes(for: frame).isEmpty)
    var next = frame
    next.lines[1] = "zwei"
    let text = String(decoding: screen.bytes(for: next), as: UTF8.self)
    #expect(text == "\u{1B}[?25l\u{1B}[2;1Hzwei\u{1B}[K\u{1B}[1;1H\u{1B}[?25h")
  }

  @Test func `what is on screen never takes more room than there is`() {
    var view = FindView("harbour")
    view.list((0..<50).map { .init(item: "item-\($0)", domain: "日本", title: "Harbour \($0)") })
    view.preview = Array(repeating: "日本語の長い文章", count: 12)
    for lines in 1...40 {
      for columns in [1, 2, 5, 20, 80, 200] {
        view.move(by: 7, lines)
        let frame = view.frame((lines, columns))
        #expect(frame.lines.count <= lines)
        for line in frame.lines {
          let plain = line.replacing(/\u{1B}\[[0-9]*m/, with: "")
          #expect(DisplayText.width(plain) < max(2, columns))
        }
        if lines > 3 { #expect(view.shown(lines).contains(view.found[view.chosen])) }
      }
    }
  }
}
