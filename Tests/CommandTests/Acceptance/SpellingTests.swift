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
}
