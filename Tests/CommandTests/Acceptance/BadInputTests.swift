import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SharedData.has("bad-input"), "needs ../shared/data/bad-input"))
struct `Input that others made to break parsers` {
  private static func suite() throws -> [(name: String, bytes: Data)] {
    let folder = SharedData.folder.appending(path: "bad-input/JSONTestSuite/test_parsing")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
      $0.hasSuffix(".json")
    }.map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
  }

  private static func neighbour(_ number: Int) -> Data {
    Data(#"{"kind":"index","item":"neighbour-\#(number)"}"#.utf8)
  }

  @Test func `no file of the suite is an event, each is refused by line, its neighbours stay`()
    throws
  {
    var lines = EventLines()
    var bad: [Int: Data] = [:]
    var number = 0
    var good = 0
    for file in try Self.suite() {
      lines.add(raw: Self.neighbour(good))
      good += 1
      number += 1
      for line in file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        lines.add(raw: Data(line))
        number += 1
        // A blank line is none.
        if !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { bad[number] = Data(line) }
      }
    }
    let input = try Scratch.file("suite.ndjson", lines.data)
    let rejects = Scratch.path("rejects")
    let store = Store("json-suite")
    let result = try store.run("append", input, "--rejects", rejects, "--json")
    #expect(result.status == 65 && result.signal == 0)
    let summary = try JSONDecoder().decode(AppendResult.self, from: result.output)
    #expect(summary.accepted == good && summary.rejected == bad.count)
    let reported = result.errors.split(separator: "\n").compactMap { line -> Int? in
      guard line.hasPrefix(input + ":") else { return nil }
      return Int(line.dropFirst(input.count + 1).prefix { $0.isNumber })
    }
    #expect(reported == bad.keys.sorted())
    let kept = try Data(contentsOf: URL(filePath: rejects))
    let expected = bad.keys.sorted().reduce(into: Data()) {
      $0 += bad[$1] ?? Data()
      $0.append(0x0A)
    }
    #expect(kept == expected)
    #expect(try store.stats().items == good)
  }

  @Test func `what is JSON is kept under an unknown key, what is not is refused`() throws {
    let store = Store("json-values")
    var lines = EventLines()
    var expectation: [(name: String, line: Int)] = []
    for (index, file) in try Self.suite().enumerated() {
      let value =
        file.name.hasPrefix("y_") ? Data(file.bytes.map { $0 == 0x0A ? 0x20 : $0 }) : file.bytes
      // A newline would end the line and make two of one file.
      guard !value.contains(0x0A) else { continue }
      expectation.append((file.name, expectation.count + 1))
      lines.add(
        raw: Data(#"{"kind":"index","item":"\#(index)","extra":"#.utf8) + value + Data("}".utf8))
    }
    let input = try Scratch.file("values.ndjson", lines.data)
    let result = try store.run("append", input, "--json")
    #expect(result.status == 65 && result.signal == 0)
    let refused = Set(
      result.errors.split(separator: "\n").compactMap {
        Int($0.dropFirst(input.count + 1).prefix { $0.isNumber })
      })
    for (name, line) in expectation {
      if name.hasPrefix("y_") { #expect(!refused.contains(line), "\(name)") }
      if name.hasPrefix("n_") { #expect(refused.contains(line), "\(name)") }
    }
  }

  @Test func `515 naughty strings come back byte for byte as id, title, domain and query`() throws {
    let strings = try SharedData.json("bad-input/blns/blns.json", as: [String].self)
      // Foundation's own decoder drops a lone byte order mark; it has a test of its own.
      .filter { !$0.isEmpty && $0 != "\u{FEFF}" }
    var lines = EventLines()
    let domain = { (text: String) in text.replacing("%", with: "%25").replacing(".", with: "%2E") }
    for text in strings {
      try lines.add([
        "kind": "index", "item": text, "domain": domain(text),
        "attributes": ["title": text, text: text],
      ])
      try lines.add([
        "kind": "select", "item": text, "query": text, "actor": text, "unknown \(text)": [text],
      ])
    }
    let store = Store("naughty")
    #expect(try store.append(lines.data).rejected == 0)
    let events = try store.run("log", "--json").objects()
    try #require(events.count == strings.count * 2)
    func same(_ value: Any?, _ text: String) -> Bool {
      (value as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
    }
    for (index, text) in strings.enumerated() {
      let (put, chosen) = (events[index * 2], events[index * 2 + 1])
      let attributes = put["attributes"] as? [String: Any]
      #expect(same(put["item"], text) && same(put["domain"], domain(text)))
      #expect(same(attributes?["title"], text) || text == "title")
      #expect(same(attributes?[text], text))
      #expect(same(chosen["query"], text) && same(chosen["actor"], text))
      #expect(same((chosen["unknown \(text)"] as? [Any])?.first, text))
    }
    let items = try store.json(["items"], as: ItemRow.self).map(\.item)
    #expect(
      items.map { Array($0.utf8) }
        == inByteOrder(
          Set(strings.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
        ).map { Array($0.utf8) })
  }

  @Test func `a byte order mark is a string like any other`() throws {
    let store = Store("byte-order-mark")
    let mark = "\"\u{FEFF}\""
    try store.append(
      Data("{\"kind\":\"index\",\"item\":\(mark),\"attributes\":{\"title\":\(mark)}}".utf8))
    let items = try store.run("items", "--json")
    #expect(items.output.range(of: Data("\"item\":\(mark)".utf8)) != nil)
    #expect(items.output.range(of: Data("\"title\":\(mark)".utf8)) != nil)
  }

  @Test func `naughty strings as queries are answered, each in its place`() throws {
    let strings = try SharedData.json("bad-input/blns/blns.json", as: [String].self)
    let store = Store("naughty-queries")
    var lines = EventLines()
    for (index, text) in strings.enumerated() {
      try lines.add(["kind": "index", "item": "\(index)", "attributes": ["title": text]])
    }
    try store.append(lines.data)
    var queries = EventLines()
    for text in strings { try queries.add(["query": text]) }
    let answers = try store.json(
      ["search", "--queries", "-"], as: QueryAnswer.self, input: queries.data)
    #expect(answers.map { Array($0.query.utf8) } == strings.map { Array($0.utf8) })
    for (text, answer) in zip(strings, answers)
    where !text.contains(where: { $0.isLetter || $0.isNumber }) {
      #expect(answer.hits.isEmpty || text.unicodeScalars.contains { $0.properties.isEmoji })
    }
  }
}
