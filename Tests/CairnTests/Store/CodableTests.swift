import Cairn
import Foundation
import Rows
import Testing

/// Events and answers through Swift's own coders.
@Suite struct CodableTests {
  @Test(arguments: [
    #"{"kind":"index","item":"a","domain":"b.c","attributes":{"n":-9007199254740993,"x":0.1,"f":2.5,"#
      + #""ok":true,"none":null,"list":["é",1],"bytes":{"base64":"AAE="}},"#
      + #""time":"2026-01-02T03:04:05.123456789Z","id":"11111111-2222-4333-8444-555555555555"}"#,
    #"{"kind":"select","item":"a","query":"\"q\" \u0000","position":2,"shown":["a","b"],"dwell":1.5}"#,
    #"{"kind":"update","item":"a","domain":null,"expires":"2026-01-01T00:00:00Z","own":{"deep":[{}]}}"#,
    #"{"kind":"delete","all":true}"#, #"{"kind":"view","item":"a","own":18446744073709551615}"#,
  ]) func `an event comes back from its own JSON, whoever reads it`(text: String) throws {
    let event = try JSONDecoder().decode(Event.self, from: Data(text.utf8))
    let told = try Event(json: text)
    #expect(event == told)
    let json = try told.json
    // What is written names the shape in which it was written.
    var same = told
    same.schema = EventSchema.current
    #expect(try Event(json: json) == same)
    let written = try JSONEncoder().encode(event)
    #expect(try JSONDecoder().decode(Event.self, from: written) == same)
    let values = try JSONDecoder().decode([JSONValue].self, from: Data("[\(json)]".utf8))
    let again = try JSONEncoder().encode(values)
    #expect(try JSONDecoder().decode([Event].self, from: again) == [same])
  }

  @Test(arguments: [
    #"{"item":"a"}"#, #"{"kind":"view"}"#, #"{"kind":"purge","item":"a"}"#, #""view""#, "7",
    #"{"kind":"view","item":"a","time":1763881200000}"#,
  ]) func `what is no event is refused as a decoder refuses, with the reason`(text: String) throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Event.self, from: Data(text.utf8))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((context.underlyingError as? CairnError)?.code == .badEvent)
  }

  @Test(arguments: ["1e999", "[1e999]", #"{"a":[[],[1e999]]}"#])
  func `a number that no double holds is told as one`(json: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("number"))
  }

  @Test func `names of attributes are no names of properties`() throws {
    let event = Event(kind: .index, item: "a", attributes: ["contentURL": "x", "last_seen": "y"])
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let written = try encoder.encode(event)
    #expect(try decoder.decode(Event.self, from: written).attributes == event.attributes)
  }

  @Test func `times are texts`() throws {
    let time = try #require(Timestamp(rfc3339: "2026-01-02T03:04:05.000000001Z"))
    let data = try JSONEncoder().encode([time])
    #expect(String(decoding: data, as: UTF8.self) == #"["2026-01-02T03:04:05.000000001Z"]"#)
    #expect(try JSONDecoder().decode([Timestamp].self, from: data) == [time])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Timestamp].self, from: Data(#"["yesterday"]"#.utf8))
    }
  }

  @Test func `names and values of attributes stand in one order`() {
    let attributes: Attributes = ["title": "Harbour", "due": "2026", "n": 3]
    #expect(attributes.keys == ["n", "due", "title"])
    #expect(attributes.values == [3, "2026", "Harbour"])
    #expect(attributes["title"]?.url?.absoluteString == "Harbour")
    #expect(attributes["n"]?.url == nil)
  }

  @Test func `a history is what happened to one item, and a timeline may be a part`() async throws {
    let day = try #require(Timestamp(rfc3339: "2026-03-04T12:00:00Z"))
    let later = day + .seconds(86_400)
    try await withStore { store in
      try await store.append([
        .index("a", title: "Harbour"), .view("b"), .view("a", time: day), .delete("a"),
      ])
      #expect(try store.history(of: "a").map(\.sequence) == [1, 3, 4])
      #expect(try store.history(of: "c").isEmpty)
      #expect(try store.timeline(by: .day, within: day...day).map(\.eventCount) == [1])
      #expect(try store.timeline().map(\.eventCount).reduce(0, +) == 4)
      #expect(try store.timeline(by: .month, within: later...later).map(\.kinds) == [["view": 1]])
      #expect(try store.timeline(by: .day, within: later...later).isEmpty)
    }
  }

  @Test func `answers are written as the rows of the command are`() async throws {
    try await withStore { store in
      try await store.append([
        Event(
          kind: .index, item: "a", domain: "work",
          attributes: [
            "title": "Harbour", "textContent": "The tide tables of the harbour",
            "bytes": Data([0, 1]), "pages": 3, "list": ["x", "y"],
          ], expires: Date.distantFuture),
        .index("b", title: "Tide"), .view("a"), .view("b"),
      ])
      for item in try store.items() { try expectRow(item) { $0.fields(of: item) } }
      let hits = try store.search("tide")
      #expect(hits.count == 2 && hits.contains { !$0.highlights.isEmpty })
      for hit in hits { try expectRow(hit) { $0.fields(of: hit) } }
      for item in try store.top() { try expectRow(item) { $0.fields(of: item) } }
      for event in try store.history(of: "a") {
        #expect(try object(JSONEncoder().encode(event)) == object(Data(event.json.utf8)))
      }
    }
  }

  private func expectRow(_ answer: some Encodable, _ fields: (inout JSONLine) -> Void) throws {
    var line = JSONLine()
    fields(&line)
    #expect(try object(JSONEncoder().encode(answer)) == object(Data(line.value)))
  }

  private func object(_ json: Data) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: json)
  }
}
