import Events
import Testing

@testable import Schema

/// Inheritance, equality, differences, and the rules for values.
@Suite struct SchemaDefinitionTests {
  static func read(_ domains: String, steps: String = "") throws -> SchemaDefinition {
    try SchemaDefinition(
      parsing: Array(#"{"cairnSchema":1,"domains":{\#(domains)},"upcasters":[\#(steps)]}"#.utf8))
  }

  static let films = #"""
    "films":{"unknown":"refuse","attributes":{
      "title":{"type":"text","required":true,"weight":3},
      "year":{"type":"integer","sortable":true,"aliases":["yr"]},
      "tags":{"type":"keyword","multi":true,"facet":true,"maxLength":4},
      "seen":{"type":"time"},"at":{"type":"place"},"price":{"type":"decimal"}}},
    "films.short":{"unknown":"ignore","attributes":{"colour":{"type":"boolean","default":true},
      "title":{"type":"text"}}}
    """#

  @Test func inherits() throws {
    let schema = try Self.read(Self.films)
    #expect(schema.effective("") == EffectiveSchema.nothing)
    #expect(schema.effective("filmsx") == EffectiveSchema.nothing)
    let films = schema.effective("films.long.x")
    #expect(films.unknown == .refuse && films.attributes.count == 6)
    let short = schema.effective("films.short.x")
    #expect(short.unknown == .ignore && short.attributes.count == 7)
    #expect(short.attributes["title"]?.isRequired == false)
    #expect(short.names["yr"] == "year")
  }

  @Test func callsEqualWhatSaysTheSame() throws {
    let one = try Self.read(#""a":{"attributes":{"x":{"type":"text","multi":false,"weight":1.0}}}"#)
    let other = try Self.read(#""a":{"attributes":{"x":{"weight":1,"type":"text"}}}"#)
    #expect(one == other && one.digest == other.digest && one.digest.count == 64)
    let third = try Self.read(#""a":{"attributes":{"x":{"type":"text","note":"n"}}}"#)
    #expect(one != third && one.digest != third.digest)
    #expect(SchemaDifference.between(one, other).isEmpty)
  }

  struct Difference: Sendable {
    var from: String
    var to: String
    var rows: [String]
  }

  static func one(_ from: String, _ to: String, _ rows: String...) -> Difference {
    Difference(
      from: #""a":{"attributes":{"x":{\#(from)}}}"#, to: #""a":{"attributes":{"x":{\#(to)}}}"#,
      rows: rows.map { "/domains/a/attributes/x" + $0 })
  }

  static let text = #""type":"text""#
  static let differences: [Difference] = [
    one(text, text),
    one(text, #""type":"keyword""#, "/type changed breaking rebuild"),
    one(#""type":"integer""#, #""type":"decimal""#, "/type changed fine rebuild"),
    one(#""type":"decimal""#, #""type":"integer""#, "/type changed breaking rebuild"),
    one(text, text + #","multi":true"#, "/multi added fine rebuild"),
    one(text + #","multi":true"#, text, "/multi removed breaking rebuild"),
    one(text, text + #","required":true"#, "/required added breaking validation"),
    one(
      text + #","default":"d""#, text + #","default":"d","required":true"#,
      "/required added fine validation"),
    one(text, text + #","maxLength":3"#, "/maxLength added breaking validation"),
    one(
      text + #","maxLength":3"#, text + #","maxLength":4"#, "/maxLength changed fine validation"),
    one(
      text + #","maxLength":4"#, text + #","maxLength":3"#,
      "/maxLength changed breaking validation"),
    one(text, text + #","aliases":["y"]"#, "/aliases added fine rebuild"),
    one(
      text + #","aliases":["y","z"]"#, text + #","aliases":["z"]"#,
      "/aliases changed breaking rebuild"),
    one(text, text + #","sortable":true"#, "/sortable added fine rebuild"),
    one(text + #","searchable":true"#, text, "/searchable removed breaking rebuild"),
    one(text, text + #","default":"d""#, "/default added fine rebuild"),
    one(text + #","default":"d""#, text, "/default removed breaking rebuild"),
    one(
      text, text + #","weight":2,"language":"en""#, "/language added fine rebuild",
      "/weight added fine rebuild"),
    one(text, text + #","note":"n""#, "/note added fine none"),
    one(
      text + ",\"note\":\"\u{e9}\"", text + ",\"note\":\"e\u{301}\"", "/note changed fine none"),
    Difference(
      from: "",
      to: #""a":{"attributes":{"x":{"type":"text"},"y":{"type":"text","required":true}}}"#,
      rows: [
        "/domains/a/attributes/x added fine rebuild",
        "/domains/a/attributes/y added breaking rebuild",
      ]),
    Difference(
      from: "", to: #""a":{"note":"n"},"a.b":{"note":"n"},"a/b":{"note":"n"}"#,
      rows: [
        "/domains/a.b/note added fine none", "/domains/a/note added fine none",
        "/domains/a~1b/note added fine none",
      ]),
    Difference(
      from: #""a":{"attributes":{"x":{"type":"text"}}}"#, to: #""a":{}"#,
      rows: ["/domains/a/attributes/x removed breaking rebuild"]),
    Difference(
      from: "", to: #""a":{"unknown":"refuse","invalid":"keep"}"#,
      rows: [
        "/domains/a/invalid added fine validation", "/domains/a/unknown added breaking validation",
      ]),
    Difference(
      from: #""a":{"unknown":"refuse"}"#, to: #""a":{"unknown":"keep"}"#,
      rows: ["/domains/a/unknown changed fine validation"]),
    Difference(
      from: #""a":{"unknown":"ignore"}"#, to: #""a":{"unknown":"keep"}"#,
      rows: ["/domains/a/unknown changed breaking rebuild"]),
    Difference(
      from: #""a":{"invalid":"keep"}"#, to: #""a":{"invalid":"refuse"}"#,
      rows: ["/domains/a/invalid changed breaking validation"]),
  ]

  @Test(arguments: differences) func tellsDifferences(_ one: Difference) throws {
    let rows = SchemaDifference.between(try Self.read(one.from), try Self.read(one.to)).map { row in
      "\(row.path) \(row.change.rawValue) \(row.isBreaking ? "breaking" : "fine") \(row.effect)"
    }
    #expect(rows == one.rows)
  }

  @Test(arguments: [9_223_372_036_854_775_807, 9_007_199_254_740_993, 1])
  func takesEveryLengthToTheLastDigit(_ length: Int) throws {
    let schema = try Self.read(
      #""a":{"attributes":{"x":{"type":"text","maxLength":\#(length)}}}"#)
    #expect(schema.domains["a"]?.attributes["x"]?.maxLength == length)
  }

  @Test func tellsNewStepsAsBreaking() throws {
    let step = #"{"domain":"a","op":"drop","key":"x"}"#
    let rows = SchemaDifference.between(try Self.read(""), try Self.read("", steps: step))
    #expect(rows.map(\.path) == ["/upcasters/0"])
    #expect(rows.allSatisfy { $0.isBreaking && $0.effect == .rebuild && $0.change == .added })
  }

  // MARK: Values

  struct Check: Sendable {
    var attributes: String
    var fault: String?
    var role = EffectiveSchema.EventRole.makes
    var domain = "films"
  }

  static let checks: [Check] = [
    Check(attributes: #"{"title":"t"}"#),
    Check(attributes: "{}", fault: "title required"),
    Check(attributes: #"{"title":null}"#, fault: "title required"),
    Check(attributes: "{}", role: .changes),
    Check(attributes: #"{"title":null}"#, fault: "title required", role: .changes),
    Check(attributes: #"{"title":null}"#, role: .looks),
    Check(attributes: #"{"title":1}"#, fault: "title type"),
    Check(attributes: #"{"title":["t"]}"#, fault: "title multi"),
    Check(attributes: #"{"title":"t","year":"1999"}"#, fault: "year type"),
    Check(attributes: #"{"title":"t","year":3.0}"#),
    Check(attributes: #"{"title":"t","year":3.5}"#, fault: "year type"),
    Check(attributes: #"{"title":"t","year":1e300}"#, fault: "year range"),
    Check(attributes: #"{"title":"t","yr":"x"}"#, fault: "year type"),
    Check(attributes: #"{"title":"t","yr":"x","year":1}"#),
    Check(attributes: #"{"title":"t","tags":"abcd"}"#),
    Check(attributes: #"{"title":"t","tags":["abcd","abcde"]}"#, fault: "tags maxLength"),
    Check(attributes: #"{"title":"t","tags":["ééééé"]}"#, fault: "tags maxLength"),
    Check(attributes: #"{"title":"t","tags":["a",1]}"#, fault: "tags type"),
    Check(attributes: #"{"title":"t","seen":"2026-01-31T12:00:00Z"}"#),
    Check(attributes: #"{"title":"t","seen":"2026-02-31T12:00:00Z"}"#, fault: "seen range"),
    Check(attributes: #"{"title":"t","seen":"yesterday"}"#, fault: "seen type"),
    Check(attributes: #"{"title":"t","seen":"2026-01-31T12:00:00"}"#, fault: "seen type"),
    Check(attributes: #"{"title":"t","seen":"2026-01-31T12:00Z"}"#, fault: "seen type"),
    Check(attributes: #"{"title":"t","seen":"2026-01-31T24:00:00.5z"}"#, fault: "seen range"),
    Check(attributes: #"{"title":"t","seen":"2026-01-31 12:00:00-24:00"}"#, fault: "seen range"),
    Check(attributes: #"{"title":"t","at":"48.1,-11.5"}"#),
    Check(attributes: #"{"title":"t","at":"98.1,11.5"}"#, fault: "at range"),
    Check(attributes: #"{"title":"t","at":"here"}"#, fault: "at type"),
    Check(attributes: #"{"title":"t","price":3}"#),
    Check(attributes: #"{"title":"t","other":3}"#, fault: "other unknown"),
    Check(attributes: #"{"title":"t","other":null}"#, fault: "other unknown"),
    Check(attributes: #"{"other":3}"#, fault: "other unknown", role: .changes),
    Check(attributes: #"{"other":null}"#, role: .changes),
    Check(attributes: #"{"title":"t","contentDescription":"d"}"#),
    Check(attributes: #"{"other":3}"#, domain: "films.short"),
    Check(attributes: #"{"other":3}"#, domain: ""),
  ]

  @Test(arguments: checks) func checksValues(_ check: Check) throws {
    let schema = try Self.read(Self.films).effective(check.domain)
    let fault = schema.fault(of: try StepTests.attributes(check.attributes), check.role)
    #expect(fault.map { "\($0.key) \($0.rule.rawValue)" } == check.fault, "\(check.attributes)")
  }

  @Test func showsDefaultsAndHidesWhatIsIgnored() throws {
    let schema = try Self.read(Self.films)
    #expect(
      schema.effective("films.short").shown(["x": 1, "year": 2, "subject": "s"])
        == ["year": 2, "subject": "s", "colour": true])
    #expect(schema.effective("films").shown(["x": 1]) == ["x": 1])
    #expect(schema.effective("films.short").shown(["colour": .null]) == ["colour": true])
  }
}

extension EffectiveSchema {
  static var nothing: EffectiveSchema { SchemaDefinition.none.effective("") }
}
