import Events
import Testing

@testable import Schema

/// What each step does, row by row of the contract, and its inverse.
@Suite struct StepTests {
  static func step(_ json: String) throws -> UpcasterStep {
    let file = #"{"cairnSchema":1,"domains":{},"upcasters":[{"domain":"films",\#(json)}]}"#
    return try SchemaDefinition(parsing: Array(file.utf8)).upcasters[0]
  }

  static func attributes(_ json: String) throws -> Attributes {
    let line = #"{"kind":"update","item":"x","attributes":\#(json)}"#
    let encoded = try EventLine.parse(Array(line.utf8))
    return try Event(encoded.payload, kind: .update).attributes
  }

  static func apply(
    _ step: UpcasterStep?, _ role: EventShape.Role, _ attributes: Attributes, had: Attributes = [:]
  ) -> Attributes {
    var event = EventShape(
      role: role, domain: .value("films.short"), attributes: attributes, had: had)
    step?.apply(to: &event, named: "1.0")
    return Attributes(
      event.attributes.filter { !HiddenAttribute.isHidden($0.key) }.map { ($0.key, $0.value) })
  }

  struct Row: Sendable {
    var step: String
    var role: EventShape.Role = .index
    var before: String
    var after: String
    var back: String?
  }

  static let rename = #""op":"rename","from":"a","to":"b""#
  static let split = #""op":"split","from":"n","to":["g","f"],"at":" ""#
  static let array = #""op":"split","from":"n","to":"w","at":", ""#
  static let join = #""op":"join","from":["a","b"],"to":"c","with":", ""#
  static let one = #""op":"join","from":"w","to":"n","with":"-""#
  static let map =
    #""op":"map","key":"m","values":{"good":5,"bad":1,"?":null,"3":"three","true":"yes"},"else":0"#
  static let plain = #""op":"map","key":"m","values":{"good":5,"bad":1,"4":true}"#

  static let rows: [Row] = [
    Row(step: rename, before: #"{"a":1,"z":2}"#, after: #"{"b":1,"z":2}"#, back: #"{"a":1,"z":2}"#),
    Row(step: rename, role: .update, before: #"{"a":null}"#, after: #"{"b":null}"#),
    Row(step: rename, before: #"{"a":1,"b":2}"#, after: #"{"b":2}"#, back: #"{"a":2}"#),
    Row(
      step: split, before: #"{"n":"Ada King Noel"}"#, after: #"{"g":"Ada","f":"King Noel"}"#,
      back: #"{"n":"Ada King Noel"}"#),
    Row(step: split, before: #"{"n":"Ada"}"#, after: #"{"g":"Ada"}"#, back: #"{"n":"Ada"}"#),
    Row(step: split, role: .update, before: #"{"n":"Ada"}"#, after: #"{"g":"Ada","f":null}"#),
    Row(step: split, role: .update, before: #"{"n":null}"#, after: #"{"g":null,"f":null}"#),
    Row(step: split, before: #"{"n":7}"#, after: #"{"n":7}"#),
    Row(step: split, before: #"{"n":"A B","f":"C"}"#, after: #"{"g":"A","f":"C"}"#),
    Row(
      step: array, before: #"{"n":"x, , y"}"#, after: #"{"w":["x","y"]}"#, back: #"{"n":"x, y"}"#),
    Row(step: array, role: .update, before: #"{"n":null}"#, after: #"{"w":null}"#),
    Row(
      step: join, before: #"{"a":"x","b":"y"}"#, after: #"{"c":"x, y"}"#,
      back: #"{"a":"x","b":"y"}"#),
    Row(step: join, before: #"{"b":"y"}"#, after: #"{"c":"y"}"#, back: #"{"a":"y"}"#),
    Row(step: join, before: #"{"b":"y","a":3}"#, after: #"{"c":"y","a":3}"#),
    Row(step: join, role: .update, before: #"{"a":null,"b":null}"#, after: #"{"c":null}"#),
    Row(step: join, role: .update, before: #"{"z":1}"#, after: #"{"z":1}"#),
    Row(step: join, before: #"{"a":"x","c":"old"}"#, after: #"{"c":"old"}"#),
    Row(step: one, before: #"{"w":["x","y"]}"#, after: #"{"n":"x-y"}"#, back: #"{"w":["x","y"]}"#),
    Row(step: one, before: #"{"w":["x",1]}"#, after: #"{"w":["x",1]}"#),
    Row(step: map, before: #"{"m":"good"}"#, after: #"{"m":5}"#, back: #"{"m":5}"#),
    Row(step: map, before: #"{"m":"?"}"#, after: "{}"),
    Row(step: map, role: .update, before: #"{"m":"?"}"#, after: #"{"m":null}"#),
    Row(step: map, role: .update, before: #"{"m":null}"#, after: #"{"m":null}"#),
    Row(step: map, before: #"{"m":3}"#, after: #"{"m":"three"}"#),
    Row(step: map, before: #"{"m":3.0}"#, after: #"{"m":"three"}"#),
    Row(step: map, before: #"{"m":true}"#, after: #"{"m":"yes"}"#),
    Row(step: map, before: #"{"m":["bad","?","other"]}"#, after: #"{"m":[1,0]}"#),
    Row(
      step: plain, before: #"{"m":["bad","other"]}"#, after: #"{"m":[1,"other"]}"#,
      back: #"{"m":["bad","other"]}"#),
    Row(step: plain, before: #"{"m":4}"#, after: #"{"m":true}"#, back: #"{"m":"4"}"#),
    Row(
      step: #""op":"convert","key":"p","to":"integer""#,
      before: #"{"p":["12","12.0","x",3.0,3.5,"9223372036854775808"," 1","1 "]}"#,
      after: #"{"p":[12,12,"x",3,3.5,"9223372036854775808"," 1","1 "]}"#),
    Row(
      step: #""op":"convert","key":"p","to":"decimal""#,
      before: #"{"p":["1.5",2,"1e999",true,"1.5\n"]}"#,
      after: #"{"p":[1.5,2.0,"1e999",true,"1.5\n"]}"#),
    Row(
      step: #""op":"convert","key":"p","to":"boolean""#, before: #"{"p":["true","false","yes",1]}"#,
      after: #"{"p":[true,false,"yes",1]}"#),
    Row(
      step: #""op":"convert","key":"p","to":"text""#, before: #"{"p":[1,1.5,true,"x"]}"#,
      after: #"{"p":["1","1.5","true","x"]}"#),
    Row(step: #""op":"default","key":"r","value":"u""#, before: "{}", after: #"{"r":"u"}"#),
    Row(step: #""op":"default","key":"r","value":"u""#, role: .update, before: "{}", after: "{}"),
    Row(
      step: #""op":"default","key":"r","value":"u""#, role: .firstView,
      before: "{}", after: "{}"),
    Row(
      step: #""op":"default","key":"r","value":"u""#, role: .firstView,
      before: #"{"title":"t"}"#, after: #"{"title":"t","r":"u"}"#),
    Row(step: #""op":"drop","key":"t""#, before: #"{"t":1,"u":2}"#, after: #"{"u":2}"#),
  ]

  @Test(arguments: rows) func doesWhatTheContractSays(_ row: Row) throws {
    let step = try Self.step(row.step)
    let after = Self.apply(step, row.role, try Self.attributes(row.before))
    #expect(after == (try Self.attributes(row.after)), "\(row.step) \(row.before)")
    guard let back = row.back else { return }
    #expect(Self.apply(step.inverse, row.role, after) == (try Self.attributes(back)), "\(row.step)")
  }

  @Test func keepsTheSignOfAZero() {
    guard case .double(let zero) = Conversion.of("-0", to: .decimal) else {
      Issue.record("no decimal")
      return
    }
    #expect(zero == 0 && zero.sign == .minus)
  }

  @Test func joinsAnUpdateWithWhatTheItemHad() throws {
    let step = try Self.step(Self.join)
    var first = EventShape(
      role: .index, domain: .value("films"), attributes: ["a": "x", "b": "y"])
    step.apply(to: &first, named: "2.0")
    var second = EventShape(
      role: .update, itemDomain: "films", attributes: ["b": "z"], had: first.attributes)
    step.apply(to: &second, named: "2.0")
    #expect(second.attributes["c"] == "x, z")
    var third = EventShape(
      role: .update, itemDomain: "films", attributes: ["a": .null],
      had: first.attributes)
    step.apply(to: &third, named: "2.0")
    #expect(third.attributes["c"] == "y")
  }

  @Test func joinsAnUpdateThatMovesAnItemIntoTheDomainWithWhatItHad() throws {
    let step = try Self.step(Self.join)
    for (domain, joined) in [("", "x, z"), ("books", "x, z"), ("films.short", "z")] {
      var update = EventShape(
        role: .update, domain: .value("films"), attributes: ["b": "z"], had: ["a": "x"],
        hadDomain: domain)
      step.apply(to: &update, named: "2.0")
      #expect(update.attributes["c"] == .string(joined), "\(domain)")
    }
  }

  @Test func movesDomainsAndWhatIsBelow() throws {
    let step = UpcasterStep(domain: "movies", .move(to: "films"))
    for (domain, moved) in [("movies", "films"), ("movies.x", "films.x"), ("moviesx", "moviesx")] {
      var event = EventShape(role: .index, domain: .value(domain))
      step.apply(to: &event, named: "1.0")
      #expect(event.domain == .value(moved))
      step.inverse?.apply(to: &event, named: "1.0.up")
      #expect(event.domain == .value(domain))
    }
    var update = EventShape(role: .update, itemDomain: "movies.y")
    step.apply(to: &update, named: "1.0")
    #expect(update.domain == .absent && update.itemDomain == "films.y")
  }

  @Test func leavesADomainThatWouldBeTooLong() {
    let step = UpcasterStep(domain: "a", .move(to: "longer"))
    let fits = "a." + String(repeating: "x", count: EventLimits.domainByteCount - 7)
    let longest = "longer" + String(fits.dropFirst())
    for (domain, moved) in [(fits, longest), (fits + "x", fits + "x")] {
      var event = EventShape(role: .index, domain: .value(domain), itemDomain: domain)
      step.apply(to: &event, named: "1.0")
      #expect(event.domain == .value(moved) && event.itemDomain == moved)
    }
  }

  @Test func leavesOtherDomainsAlone() throws {
    let step = try Self.step(Self.rename)
    for (domain, change) in [
      ("films", true), ("films.x", true), ("filmsx", false), ("film", false),
    ] {
      var event = EventShape(role: .index, domain: .value(domain), attributes: ["a": 1])
      step.apply(to: &event, named: "1.0")
      #expect((event.attributes["b"] != nil) == change, "\(domain)")
    }
    var cleared = EventShape(
      role: .update, domain: .cleared, itemDomain: "films", attributes: ["a": 1])
    step.apply(to: &cleared, named: "1.0")
    #expect(cleared.attributes["a"] == 1)
  }

  @Test func `an array stays of which a step would make more than there may be`() throws {
    let (most, word) = (SchemaLimits.madeByteCount, String(repeating: "x", count: 1_023))
    let map = try Self.step(#""op":"map","key":"w","values":{"a":"\#(word)-"}"#)
    for (step, element) in [(try Self.step(Self.one), word), (map, "a")] {
      let fits: Attributes = ["w": .array(Array(repeating: .string(element), count: most >> 10))]
      #expect(Self.apply(step, .index, fits) != fits)
      let long: Attributes = ["w": .array(Array(repeating: .string(element), count: most >> 9))]
      #expect(Self.apply(step, .index, long) == long)
    }
    // Each pair would make it 32 times as long.
    let gap = String(repeating: " y", count: 31) + " "
    let file = (0..<12).map { pair in
      #"""
      {"domain":"","op":"join","from":"a\#(pair)","to":"b\#(pair)","with":"\#(gap)"},
      {"domain":"","op":"split","from":"b\#(pair)","to":"a\#(pair + 1)","at":" "}
      """#
    }
    let steps = #"{"cairnSchema":1,"domains":{},"upcasters":[\#(file.joined(separator: ","))]}"#
    var event = EventShape(role: .index, attributes: ["a0": ["a", "b"]])
    for step in try SchemaDefinition(parsing: Array(steps.utf8)).upcasters {
      step.apply(to: &event, named: "1.0")
    }
    #expect(event.attributes.count == 1 && event.attributes["a12"] == nil)
  }
}
