import Events
import Foundation
import TestSupport
import Testing

@Suite struct `The JSON grammar` {
  struct File: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var testDescription: String { name }
  }

  static let files: [File] = {
    let folder = SharedData.folder.appending(path: "bad-input/JSONTestSuite/test_parsing")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).sorted().compactMap { name in
      guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
      return File(name: name, bytes: Array(data))
    }
  }()

  @Test(
    .enabled(if: SharedData.has("bad-input"), "needs ../shared/data/bad-input"), arguments: files)
  func `is that of JSONTestSuite, for a value alone and inside an event`(_ file: File) {
    let alone = Result { try JSONValue(parsing: file.bytes.span) }
    let line = Array(#"{"kind":"view","item":"a","x":"#.utf8) + file.bytes + [UInt8(ascii: "}")]
    let inside = Result { try EventLine.parse(line) }
    _ = try? EventLine.parse(file.bytes)
    switch file.name.prefix(2) {
    case "y_":
      #expect(throws: Never.self) { try alone.get() }
      #expect(throws: Never.self) { try inside.get() }
    case "n_":
      #expect(throws: CairnError.self) { try alone.get() }
      #expect(throws: CairnError.self) { try inside.get() }
    default:
      // Either will do, but the two ways must agree.
      #expect((try? alone.get()) != nil || (try? inside.get()) == nil)
    }
  }

  @Test(arguments: [
    ("{\"kind\":\"view\",\"item\":\"\u{1}\"}", 23), (#"{"kind":"view","item":"\ud800"}"#, 25),
    (#"{"kind":"view","item":"\ud800\u0041"}"#, 25), (#"{"kind":"view","item":"\udc00"}"#, 25),
    (#"{"kind":"view","item":"\x"}"#, 24), (#"{"kind":"view","item":"a""#, 25),
    (#"{"kind":"view","item":"a",}"#, 26), (#"{"kind":"view" "item":"a"}"#, 15),
    (#"{"kind":"view","item":"a"} x"#, 27), (#"{"kind":"view","item":"a","x":01}"#, 31),
    (#"{"kind":"view","item":"a","x":tru}"#, 30), ("\u{feff}{}", 0), ("[]", 0), ("", 0), ("   ", 3),
  ]) func `names the byte at fault`(_ line: String, _ offset: Int) {
    let error = #expect(throws: CairnError.self) { try EventLine.parse(Array(line.utf8)) }
    #expect(error?.offset == offset)
  }

  @Test(arguments: [
    (#""\ud800""#, "\u{fffd}"), (#""\udc00\ud800""#, "\u{fffd}\u{fffd}"),
    (#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"), (#""\ud800\u0041""#, "\u{fffd}A"),
    (#""\ud800\n""#, "\u{fffd}\n"), (#""\ud83d\ude00""#, "\u{1f600}"),
  ]) func `half a pair of another program's text stands for U+FFFD`(_ json: String, _ text: String)
    throws
  {
    let value = try JSONValue(parsing: Array(json.utf8).span, replacesHalfPairs: true)
    #expect(value == .string(text))
  }

  @Test(
    arguments: [
      [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80], [0xe2, 0x82], [0xff],
      [0xf0, 0x82, 0x82, 0xac], [0xe0, 0x9f, 0xbf], [0xc3],
    ] as [[UInt8]]) func `refuses bytes that are not UTF-8`(_ bytes: [UInt8])
  {
    let line = Array(#"{"kind":"view","item":"aaaaaaaa"#.utf8) + bytes + Array(#""}"#.utf8)
    expectError(.badEvent) { try EventLine.parse(line) }
  }

  @Test func `allows nesting up to the limit and refuses more without running out of stack`() {
    func line(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
      Array(
        (#"{"kind":"view","item":"a","x":"# + String(repeating: open, count: depth) + "1"
          + String(repeating: close, count: depth) + "}").utf8)
    }
    for (open, close) in [("[", "]"), (#"{"":"#, "}")] {
      #expect(throws: Never.self) { try EventLine.parse(line(127, open, close)) }
      expectError(.badEvent) { try EventLine.parse(line(128, open, close)) }
      expectError(.badEvent) { try EventLine.parse(line(500_000, open, close)) }
    }
  }

  @Test func `keeps the last of two values of one key, everywhere`() throws {
    let line =
      #"{"item":"x","kind":"delete","kind":"view","a":1,"item":"\u0061","attributes":{"t":1,"u":2,"t":3},"a":{"b":1,"b":[]},"domain":"q","domain":null}"#
    #expect(
      try roundTrip(line)
        == #"{"kind":"view","item":"a","domain":null,"attributes":{"t":3,"u":2},"schema":2,"a":{"b":[]}}"#
    )
  }

  @Test func `sorts and keeps the last among a thousand keys`() throws {
    var line = #"{"kind":"view","item":"a","attributes":{"#
    for index in 0..<3000 { line += "\"k\((index * 7919) % 1000)\":\(index)," }
    line += #""z":0}}"#
    let event = try EventLine.parse(Array(line.utf8))
    let attributes = try Event(event.payload, kind: event.kind).attributes
    #expect(attributes.count == 1001)
    for index in 2000..<3000 {
      #expect(attributes["k\((index * 7919) % 1000)"] == .integer(Int64(index)))
    }
  }
}
