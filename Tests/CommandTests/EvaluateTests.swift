import Foundation
import Testing

@Suite struct EvaluateTests {
  private struct Row: Decodable {
    var formula: String
    var mrr: Double
    var hit1: Double
    var hit10: Double
    var keystrokesSaved: Double
    var predictions: Int
  }

  @Test func `every formula is measured on the same uses`() throws {
    let store = Store()
    var lines = (0..<8).map {
      #"{"kind":"index","item":"i\#($0)","attributes":{"title":"n\#($0)"}}"#
    }
    lines += (0..<70).map { number in
      #"{"kind":"view","item":"i\#(number * number % 8)","time":\#(1_700_000_000 + number * 900)}"#
    }
    let input = Data(lines.joined(separator: "\n").utf8)
    #expect(try store.run("append", "-", input: input).status == 0)
    let rows = try store.json(["evaluate"], as: Row.self)
    #expect(
      Set(rows.map(\.formula)) == [
        "cairn", "cairn-context", "cairn-fitted", "cairn-full", "z", "zoxide", "firefox",
        "firefox-old", "chrome", "kde", "atuin", "count", "recent",
      ])
    #expect(rows.first?.formula == "cairn")
    #expect(rows.allSatisfy { $0.predictions == 40 && (0...1).contains($0.mrr) })
    #expect(rows.allSatisfy { $0.hit1 <= $0.hit10 && (0...1).contains($0.keystrokesSaved) })
    let text = try store.run("evaluate")
    #expect(text.status == 0)
    #expect(text.text.contains("uses predicted"))
  }

  @Test func `a history too short to predict from is told so, with its uses`() throws {
    let store = Store()
    for line in [["index", "a", "--title", "A"], ["view", "a"], ["view", "a"]] {
      try #require(store.run(line).status == 0)
    }
    let result = try store.run("evaluate")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("cairn: 2 uses here, and none to predict"), "\(result.errors)")
    let asked = try store.run("evaluate", "--json")
    #expect(asked.status == 1 && asked.errors == result.errors, "\(asked.errors)")
    #expect(try asked.objects().first?["predictions"] as? Int == 0)
  }

  @Test func `a store that is not there is not evaluated`() throws {
    #expect(try Store("nowhere").run("evaluate").status == 66)
  }
}
