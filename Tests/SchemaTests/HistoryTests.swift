import Events
import TestSupport
import Testing

@testable import Schema

/// Versions as a tree, and the way of an event through it.
@Suite struct HistoryTests {
  static let domain =
    #""domains":{"films":{"attributes":{"year":{"type":"integer","aliases":["yr"]}}}}"#

  static func define(_ steps: [String], after parent: SchemaDefinition, domains: String = domain)
    throws -> SchemaDefinition
  {
    let list = steps.map { #"{"domain":"films",\#($0)}"# }.joined(separator: ",")
    let file = #"{"cairnSchema":1,\#(domains),"upcasters":[\#(list)]}"#
    return try SchemaDefinition(parsing: Array(file.utf8), after: parent)
  }

  static let a = #""op":"rename","from":"a","to":"b""#
  static let b = #""op":"rename","from":"b","to":"c""#
  static let other = #""op":"rename","from":"a","to":"d""#

  /// 1 · 2 on it · 3 undoes 2 · 4 on 1 · 5 undoes 4 · 6 undoes 1.
  static func history() throws -> SchemaHistory {
    var history = SchemaHistory()
    let time = Timestamp(seconds: 0)
    let one = try define([], after: .none)
    history = history.proposing(one, at: 10, time)
    history = history.proposing(try define([a, b], after: one), at: 20, time)
    history = try #require(history.proposingUndo(at: 30, time))
    history = history.proposing(try define([other], after: one), at: 40, time)
    history = try #require(history.proposingUndo(at: 50, time))
    history = try #require(history.proposingUndo(at: 60, time))
    return history
  }

  @Test func countsUndoingAsAVersion() throws {
    let history = try Self.history()
    #expect(history.versions.map(\.version) == [1, 2, 3, 4, 5, 6])
    #expect(history.versions.map(\.parent) == [0, 1, 0, 1, 0, 0])
    #expect(history.versions.map(\.reverts) == [nil, nil, 2, nil, 4, 5])
    #expect((0...6).map { history.node($0) } == [0, 1, 2, 1, 4, 1, 0])
    #expect(history.undone == nil)
    #expect(history.definition == .none)
    #expect([1, 10, 11, 20, 21, 61].map { history.version(at: $0) } == [0, 0, 1, 1, 2, 6])
  }

  @Test func readsAnEventAlongTheTree() throws {
    let history = try Self.history()
    func way(_ from: Int, _ to: Int, _ attributes: Attributes) -> Attributes {
      var event = EventShape(role: .index, domain: .value("films"), attributes: attributes)
      ShapePath(history, from: from, to: to).apply(to: &event)
      return event.attributes
    }
    #expect(way(1, 2, ["a": 1, "yr": 2]) == ["c": 1, "year": 2])
    #expect(way(2, 1, ["c": 1]) == ["a": 1])
    #expect(way(2, 4, ["c": 1, "yr": 2]) == ["d": 1, "year": 2])
    #expect(way(4, 2, ["d": 1]) == ["c": 1])
    #expect(way(0, 4, ["a": 1, "yr": 2]) == ["d": 1, "year": 2])
    #expect(way(4, 0, ["d": 1, "yr": 3]) == ["a": 1, "year": 3])
    #expect(way(2, 2, ["c": 1, "yr": 2]) == ["c": 1, "year": 2])
  }

  @Test func tellsWhichVersionsHaveTheSameRows() throws {
    let time = Timestamp(seconds: 0)
    let one = try Self.define([], after: .none)
    let strict = try Self.define(
      [], after: one,
      domains:
        #""domains":{"films":{"unknown":"refuse","attributes":{"year":{"type":"integer","aliases":["yr"],"required":true}}}}"#
    )
    var history = SchemaHistory().proposing(one, at: 1, time)
    #expect(history.shape == 1)
    history = history.proposing(strict, at: 2, time)
    #expect(history.shape == 1)
    history = history.proposing(try Self.define([Self.a], after: strict), at: 3, time)
    #expect(history.shape == 3)
    history = try #require(history.proposingUndo(at: 4, time))
    #expect(history.shape == 1)
  }

  /// Down a random list of steps that lose nothing, and up again: what was, is.
  @Test(arguments: 0..<200) func comesBackAsItWas(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var keys = ["a", "b", "c", "d"]
    var steps: [String] = []
    var next = 0
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: keys.indices, using: &random)
      let key = keys[place]
      next += 1
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        steps.append(#""op":"rename","from":"\#(key)","to":"n\#(next)""#)
        keys[place] = "n\(next)"
      case 1:
        steps.append(
          #""op":"split","from":"\#(key)","to":["n\#(next)","m\#(next)"],"at":"-""#)
        keys[place] = "n\(next)"
        keys.append("m\(next)")
      default:
        steps.append(#""op":"map","key":"\#(key)","values":{"x":"y\#(next)","y":"x\#(next)"}"#)
      }
    }
    let time = Timestamp(seconds: 0)
    let definition = try Self.define(steps, after: .none, domains: #""domains":{}"#)
    let history = SchemaHistory().proposing(definition, at: 1, time)
    for _ in 0..<50 {
      var attributes = Attributes()
      for key in ["a", "b", "c", "d"] where Bool.random(using: &random) {
        let parts = (0..<Int.random(in: 1...8, using: &random)).map { _ in
          ["x", "y", "z", ""].randomElement(using: &random) ?? ""
        }
        attributes[key] = .string(parts.joined(separator: "-"))
      }
      var event = EventShape(role: .index, domain: .value("films"), attributes: attributes)
      ShapePath(history, from: 0, to: 1).apply(to: &event)
      ShapePath(history, from: 1, to: 0).apply(to: &event)
      let shown = Attributes(
        event.attributes.filter { !HiddenAttribute.isHidden($0.key) }.map { ($0.key, $0.value) })
      #expect(shown == attributes, "seed \(seed): \(steps)")
    }
  }
}
