import Events
import Testing

@Suite struct `A factory of events` {
  private static let made: [(Event, String)] = [
    (
      .index("a", title: "A", attributes: ["size": .integer(1)], domain: "x.y"),
      #"{"kind":"index","item":"a","domain":"x.y","attributes":{"size":1,"title":"A"}}"#
    ),
    (.update("a", title: "B"), #"{"kind":"update","item":"a","attributes":{"title":"B"}}"#),
    (.delete("a"), #"{"kind":"delete","item":"a"}"#),
    (.delete(domain: "x"), #"{"kind":"delete","domain":"x"}"#),
    (.deleteAll(), #"{"kind":"delete","all":true}"#),
    (
      .view("a", dwell: 1.5, deliberate: true),
      #"{"kind":"view","item":"a","dwell":1.5,"deliberate":true}"#
    ),
    (
      .select(query: "q", item: "a", position: 2, shown: ["b", "a"], latency: 0.25),
      #"{"kind":"select","item":"a","query":"q","position":2,"shown":["b","a"],"latency":0.25}"#
    ),
    (.impression(query: "q", shown: ["a"]), #"{"kind":"impression","query":"q","shown":["a"]}"#),
  ]

  @Test(arguments: 0..<8) func `makes what a line says`(_ index: Int) throws {
    let (event, line) = Self.made[index]
    let parsed = try EventLine.parse(Array(line.utf8))
    #expect(try event.encoded().payload == parsed.payload)
  }

  @Test func `leaves the circumstances to their own keys`() throws {
    var event = Event.view("a")
    event.device = "desk"
    event.transition = "link"
    event.visits = 3
    event.feedback = "less"
    let line =
      #"{"kind":"view","item":"a","device":"desk","transition":"link","visits":3,"feedback":"less"}"#
    #expect(try event.encoded().payload == EventLine.parse(Array(line.utf8)).payload)
    event.device = nil
    #expect(event.extras["device"] == nil && event.extras.count == 3)
    event.extras["visits"] = .string("many")
    #expect(event.visits == nil)
  }
}
