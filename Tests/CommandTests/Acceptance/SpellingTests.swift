import Foundation
import Testing

/// A likelier spelling is said beside the answer, which has its usual keys otherwise.
struct SpellingTests {
  private func keys(_ answer: Data) throws -> [[String]] {
    try answer.split(separator: 0x0A).map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      return (object ?? [:]).keys.sorted()
    }
  }

  @Test func `only a query that may be misspelt is answered with a spelling`() throws {
    let store = Store("spelling")
    let lines = (0..<12).map {
      #"{"kind":"index","item":"i\#($0)","attributes":{"title":"harbour \#($0)"}}"#
    }
    _ = try store.run("append", "-", input: Data(lines.joined(separator: "\n").utf8))
    let queries = Data("{\"query\":\"harbour\"}\n{\"query\":\"harbuor\"}\n".utf8)
    let many = try store.run("search", "--queries", "-", "--json", input: queries)
    #expect(
      try keys(many.output) == [
        ["hits", "micros", "query"], ["didYouMean", "hits", "micros", "query"],
      ])
    let one = try store.run("search", "harbuor", "--json")
    #expect(one.errors == "Did you mean: harbour\n" && one.status == 0)
    #expect(try store.run("search", "harbour", "--json").errors.isEmpty)
  }

  @Test func `no spelling is offered that finds nothing`() throws {
    let store = try Store(running: [
      ["index", "a", "--title", "Harbour survey of boats"],
      ["index", "b", "--title", "the surveys of harbours and the boats"],
    ])
    #expect(try store.run("search", "harbor toy").errors.isEmpty)
    #expect(try store.run("search", "harbuor survey").errors == "Did you mean: harbour survey\n")
    // An ending and a slip in one query.
    #expect(try store.run("search", "surveying harbuors", "--json").objects().count == 1)
  }

  @Test func `an exact search and one that finds enough are offered no spelling`() throws {
    let store = Store("spelling-enough")
    let titles = ["harbour", "harbor"].flatMap { word in (0..<60).map { "\(word) \($0)" } }
    let lines = titles.enumerated().map {
      #"{"kind":"index","item":"i\#($0)","attributes":{"title":"\#($1)"}}"#
    }
    _ = try store.run("append", "-", input: Data(lines.joined(separator: "\n").utf8))
    #expect(try store.run("search", "harbuor", "--exact").errors.isEmpty)
    #expect(try store.run("search", "harbor").errors.isEmpty)
    #expect(try store.run("search", "harbuor", "--limit", "3").errors.hasPrefix("Did you mean: "))
  }

  /// A closer misspelling elsewhere, or one of many, does not hide the one that is asked for.
  @Test func `a misspelling is found where closer or more frequent ones are not meant`() throws {
    let store = Store("spelling-elsewhere")
    var lines = [
      #"{"kind":"index","item":"a","domain":"x","attributes":{"title":"receiving lamp"}}"#,
      #"{"kind":"index","item":"b","domain":"y","attributes":{"title":"recieving stone"}}"#,
      #"{"kind":"index","item":"wanted","domain":"x","attributes":{"title":"harbous tide"}}"#,
    ]
    for letter in "abcdefghijklmnopqtuvwxyz" {
      for place in 1...4 {
        var word = Array("harbours")
        word[place] = letter
        lines.append(
          #"{"kind":"index","item":"\#(letter)\#(place)","domain":"y","#
            + #""attributes":{"title":"\#(String(word)) stone"}}"#)
      }
    }
    _ = try store.run("append", "-", input: Data(lines.joined(separator: "\n").utf8))
    func found(_ line: String...) throws -> [String?] {
      try store.run(["search", "--json"] + line).objects().map { $0["item"] as? String }
    }
    #expect(try found("recieveing", "--domain", "x") == ["a"])
    #expect(try found("recieveing lamp") == ["a"])
    #expect(try found("recieveing", "--domain", "z") == [])
    #expect(try found("harboursx", "--domain", "x") == ["wanted"])
    #expect(try found("harbours tide") == ["wanted"])
  }

  @Test(arguments: [["--exact"], ["--match", "phrase"], ["--match", "all"]])
  func `every word of a long query is looked for`(options: [String]) throws {
    let store = Store("long-query")
    let words = (0..<150).map { "w\($0 * 7919 % 1000)" }
    let kanji = (0x4E00..<0x4E5A).compactMap { Unicode.Scalar($0) }.map(String.init).joined()
    for (item, text) in [("p", words.joined(separator: " ")), ("k", kanji)] {
      let attributes = ["title": item, "textContent": text]
      var lines = EventLines()
      try lines.add(["kind": "index", "item": item, "attributes": attributes])
      try store.append(lines.data)
    }
    func found(_ query: String) throws -> [String?] {
      try store.run(["search", query, "--json"] + options).objects().map { $0["item"] as? String }
    }
    for count in [63, 64, 65, 127, 128, 150] {
      let query = words.prefix(count).joined(separator: " ")
      #expect(try found(query) == ["p"], "\(count) words")
      #expect(try found("\"\(query)\"") == ["p"], "\(count) words quoted")
      #expect(try found("\(query) murder") == [], "\(count) words and one more")
      let skipped = words.prefix(count - 1) + [words[(count + 3) % 150], "murder"]
      #expect(try found("\"\(skipped.joined(separator: " "))\"") == [])
    }
    for count in [63, 64, 65, 66, 90] {
      #expect(try found(String(kanji.prefix(count))) == ["k"], "\(count) characters")
      #expect(try found(kanji.prefix(count) + "龘龘龘") == [], "\(count) characters and more")
    }
    // Words that may be looked for as very many parts.
    let parts = (0..<40).map { "a\($0)" }.joined()
    for query in [parts, "\(parts) \(parts)", "\(parts) \(parts)x tide"] {
      #expect(try found(query) == [], "\(query)")
    }
    #expect(try found(words.prefix(64).joined(separator: " ") + " \(parts) \(parts)") == [])
    #expect(try found(words.prefix(70).joined(separator: " ") + " murder OR weapon") == [])
  }
}
