import Cairn
import TestSupport
import Testing

/// What an item no longer had when a schema was set, or undone, does not come back by it.
@Suite struct OverwrittenValueTests {
  struct Life: Sendable, CustomTestStringConvertible {
    /// What the item was indexed with, and how it was updated; the domain of both is `a`.
    var events: [Attributes]
    var step: String
    /// Updates under the schema.
    var later: [Attributes] = []
    var shown: Attributes
    /// What is shown once the schema was undone.
    var undone: Attributes
    /// Where it was indexed.
    var origin = "a"

    var testDescription: String { "\(step), \(events), \(later)" }
  }

  static let split = #""op":"split","from":"n","to":["g","f"],"at":",""#
  static let array = #""op":"split","from":"n","to":"g","at":",""#
  static let join = #""op":"join","from":["j","k"],"to":"n","with":" ""#
  static let rename = #""op":"rename","from":"n","to":"m""#
  static let drop = #""op":"drop","key":"n""#

  static let lives: [Life] = [
    Life(
      events: [["n": 5], ["n": "A,B"]], step: split, shown: ["g": "A", "f": "B"],
      undone: ["n": "A,B"]),
    Life(events: [["n": 5], ["n": .null]], step: split, shown: [:], undone: [:]),
    Life(events: [["n": ["x"]], ["n": .null]], step: split, shown: [:], undone: [:]),
    Life(events: [["n": 5], ["n": "A"]], step: array, shown: ["g": ["A"]], undone: ["n": "A"]),
    Life(events: [["k": true], ["k": .null]], step: join, shown: [:], undone: [:]),
    Life(events: [["k": true], ["k": "t"]], step: join, shown: ["n": "t"], undone: ["k": "t"]),
    Life(
      events: [["k": true, "j": "s"], ["k": "t"]], step: join, shown: ["n": "s t"],
      undone: ["j": "s", "k": "t"]),
    // What stands under the new name is overwritten by what is written under the schema.
    Life(
      events: [["m": 1]], step: rename, later: [["m": 2]], shown: ["m": 2], undone: ["n": 2]),
    // Where it came from no step took anything.
    Life(
      events: [["n": 1], ["n": 2]], step: rename, shown: ["m": 2], undone: ["n": 2], origin: "b"),
    Life(events: [["n": 1], ["n": 2]], step: drop, shown: [:], undone: ["n": 2], origin: "b"),
    Life(
      events: [["f": "q"]], step: split, later: [["f": .null], ["g": "z"]], shown: ["g": "z"],
      undone: ["n": "z"]),
    Life(
      events: [["n": "a,b", "f": "q"]], step: split, later: [["f": .null], ["g": "z"]],
      shown: ["g": "z"], undone: ["n": "z"]),
    Life(
      events: [["n": "good"], ["f": "q"]], step: split, later: [["g": "z"]],
      shown: ["g": "z", "f": "q"], undone: ["f": "q", "n": "z,q"]),
  ]

  @Test(arguments: lives) func staysAway(_ life: Life) async throws {
    try await withStore { store in
      func update(_ attributes: Attributes) throws {
        let comes = life.origin == "a" ? Change<String>.absent : .value("a")
        let event = Event(kind: .update, item: "i", domain: comes, attributes: attributes)
        #expect(try store.appendBlocking([event]).rejectedCount == 0)
      }
      try store.appendBlocking(.index("i", attributes: life.events[0], domain: life.origin))
      for attributes in life.events.dropFirst() { try update(attributes) }
      let step = #"{"domain":"a",\#(life.step)}"#
      try store.setSchema(try store.readSchema(SchemaStoreTests.file("", step)))
      for attributes in life.later { try update(attributes) }
      #expect(try store.at().item("i")?.attributes == life.shown)
      try store.undoSchema()
      #expect(try store.at().item("i")?.attributes == life.undone)
    }
  }

  /// A key that one step frees and another makes is the other's.
  @Test func whatAnotherStepMakesOfTheNameStays() async throws {
    try await withStore { store in
      let steps = [
        #"{"domain":"a",\#(Self.split)}"#,
        #"{"domain":"a","op":"rename","from":"x","to":"n"}"#,
        #"{"domain":"a","op":"rename","from":"p","to":"t"}"#,
        #"{"domain":"a","op":"rename","from":"q","to":"p"}"#,
        #"{"domain":"a","op":"rename","from":"t","to":"q"}"#,
      ].joined(separator: ",")
      try store.appendBlocking(
        .index("i", attributes: ["n": "A,B", "x": 7, "p": 1, "q": 2], domain: "a"))
      try store.appendBlocking(.update("i", attributes: ["n": "C,D", "p": 3]))
      try store.setSchema(try store.readSchema(SchemaStoreTests.file("", steps)))
      #expect(
        try store.at().item("i")?.attributes == ["g": "C", "f": "D", "n": 7, "q": 3, "p": 2])
    }
  }
}
