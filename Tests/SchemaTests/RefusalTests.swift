import Schema
import Testing

/// Every rule of a schema file, with the place that a refusal names.
@Suite struct RefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var line: String
    var testDescription: String { "\(line) \(file.prefix(60))" }
  }

  /// Attributes of one domain.
  static func attributes(_ text: String, _ line: String) -> Case {
    Case(
      file: #"{"cairnSchema":1,"domains":{"films":{"attributes":{\#(text)}}}}"#,
      line: "/domains/films/attributes" + line)
  }

  /// Steps over a schema that knows `a` and `b` and refuses the rest.
  static func steps(_ text: String, _ line: String) -> Case {
    Case(
      file:
        #"{"cairnSchema":1,"domains":{"films":{"unknown":"refuse","attributes":{"a":{"type":"text"},"b":{"type":"text"}}}},"upcasters":[\#(text)]}"#,
      line: "/upcasters" + line)
  }

  static let names = (0..<17).map { "\"n\($0)\"" }.joined(separator: ",")
  static let many = (0...1000).map { #""k\#($0)":{"type":"text"}"# }.joined(separator: ",")
  static let domains = (0...256).map { #""d\#($0)":{}"# }.joined(separator: ",")
  static let long = String(repeating: "x", count: 200)
  static let drop = #"{"domain":"films","op":"drop","key":"z"}"#
  static let rename = #"{"domain":"films","op":"rename","from":"z","to":"a"}"#

  static let wholeFiles: [Case] = [
    Case(file: "", line: "/: json"),
    Case(file: "{", line: "/: json"),
    Case(file: #"{"cairnSchema":1,"domains":{},}"#, line: "/: json"),
    Case(file: #"{"cairnSchema":1,"domains":{}} x"#, line: "/: json"),
    Case(file: "{\"cairnSchema\":1,\"domains\":{\"\u{0}\":{}}}", line: "/: json"),
    Case(
      file: #"{"cairnSchema":1,"domains":{},"domains":{}}"#, line: "/domains: json"),
    Case(
      file: #"{"cairnSchema":1,"domains":{"a":{},"\u0061":{}}}"#, line: "/domains/a: json"),
    Case(file: String(repeating: " ", count: 1 << 20) + "{}", line: "/: json"),
    Case(file: "[]", line: "/: type"),
    Case(file: "{}", line: "/cairnSchema: key"),
    Case(file: #"{"cairnSchema":1}"#, line: "/domains: key"),
    Case(file: #"{"cairnSchema":2,"domains":{}}"#, line: "/cairnSchema: type"),
    Case(file: #"{"cairnSchema":"1","domains":{}}"#, line: "/cairnSchema: type"),
    Case(file: #"{"cairnSchema":1,"domains":[]}"#, line: "/domains: type"),
    Case(file: #"{"cairnSchema":1,"domains":{},"x":1}"#, line: "/x: key"),
    Case(file: #"{"cairnSchema":1,"domains":{"a..b":{}}}"#, line: "/domains/a..b: name"),
    Case(file: #"{"cairnSchema":1,"domains":{"a/b~":{"x":1}}}"#, line: "/domains/a~1b~0/x: key"),
    Case(
      file: #"{"cairnSchema":1,"domains":{"a":{"unknown":"drop"}}}"#,
      line: "/domains/a/unknown: type"),
    Case(
      file: #"{"cairnSchema":1,"domains":{"":{"invalid":"ignore"}}}"#,
      line: "/domains//invalid: type"),
    Case(file: #"{"cairnSchema":1,"domains":{\#(domains)}}"#, line: "/domains: limit"),
    Case(file: #"{"cairnSchema":1,"domains":{},"upcasters":{}}"#, line: "/upcasters: type"),
  ]

  static let declarations: [Case] = [
    attributes(#""x":{}"#, "/x/type: key"),
    attributes(#""x":7"#, "/x: type"),
    attributes(#""x":{"type":"string"}"#, "/x/type: type"),
    attributes(#""x":{"type":1}"#, "/x/type: type"),
    attributes(#""x":{"type":"text","multi":1}"#, "/x/multi: type"),
    attributes(#""x":{"type":"text","colour":1}"#, "/x/colour: key"),
    attributes(many, ": limit"),
    attributes(#""1x":{"type":"text"}"#, "/1x: name"),
    attributes(#""":{"type":"text"}"#, "/: name"),
    attributes(#""a-b":{"type":"text"}"#, "/a-b: name"),
    attributes(#""é":{"type":"text"}"#, "/é: name"),
    attributes(#""kMDx":{"type":"text"}"#, "/kMDx: name"),
    attributes(#""recent":{"type":"text"}"#, "/recent: name"),
    attributes(#""\#(long)":{"type":"text"}"#, "/\(long): name"),
    attributes(#""x":{"type":"text","weight":0}"#, "/x/weight: limit"),
    attributes(#""x":{"type":"text","weight":100.5}"#, "/x/weight: limit"),
    attributes(#""x":{"type":"text","weight":1e999}"#, "/x/weight: limit"),
    attributes(#""x":{"type":"text","weight":"2"}"#, "/x/weight: type"),
    attributes(#""x":{"type":"text","language":"tlh"}"#, "/x/language: type"),
    attributes(#""x":{"type":"text","maxLength":0}"#, "/x/maxLength: limit"),
    attributes(#""x":{"type":"text","maxLength":1e30}"#, "/x/maxLength: limit"),
    attributes(
      #""x":{"type":"text","maxLength":9223372036854775808}"#, "/x/maxLength: limit"),
    attributes(#""x":{"type":"text","maxLength":1.5}"#, "/x/maxLength: type"),
    attributes(#""x":{"type":"text","aliases":[\#(names)]}"#, "/x/aliases: limit"),
    attributes(#""x":{"type":"text","aliases":"y"}"#, "/x/aliases: type"),
    attributes(#""x":{"type":"text","aliases":[1]}"#, "/x/aliases/0: type"),
    attributes(#""x":{"type":"text","aliases":["b","a b"]}"#, "/x/aliases/1: name"),
    attributes(#""x":{"type":"keyword","language":"en"}"#, "/x/language: conflict"),
    attributes(#""x":{"type":"integer","searchable":true}"#, "/x/searchable: conflict"),
    attributes(#""x":{"type":"integer","weight":2}"#, "/x/weight: conflict"),
    attributes(#""x":{"type":"integer","maxLength":2}"#, "/x/maxLength: conflict"),
    attributes(#""x":{"type":"place","sortable":true}"#, "/x/sortable: conflict"),
    attributes(#""x":{"type":"place","facet":true}"#, "/x/facet: conflict"),
    attributes(#""x":{"type":"text","facet":true}"#, "/x/facet: conflict"),
    attributes(#""title":{"type":"integer"}"#, "/title/type: builtin"),
    attributes(#""title":{"type":"text","multi":true}"#, "/title/multi: builtin"),
    attributes(#""keywords":{"type":"text"}"#, "/keywords/multi: builtin"),
    attributes(#""contentURL":{"type":"text"}"#, "/contentURL/type: builtin"),
    attributes(#""thumbnailData":{"type":"text"}"#, "/thumbnailData: builtin"),
    attributes(#""authors":{"type":"text","multi":true}"#, "/authors: builtin"),
    attributes(#""dueDate":{"type":"text"}"#, "/dueDate/type: builtin"),
    attributes(#""x":{"type":"text","aliases":["x"]}"#, "/x/aliases/0: alias"),
    attributes(#""x":{"type":"text","aliases":["y","y"]}"#, "/x/aliases/1: alias"),
    attributes(#""x":{"type":"text","aliases":["title"]}"#, "/x/aliases/0: alias"),
    attributes(
      #""x":{"type":"text","aliases":["y"]},"y":{"type":"text","aliases":["x"]}"#,
      "/x/aliases/0: alias"),
    attributes(
      #""x":{"type":"text","aliases":["z"]},"y":{"type":"text","aliases":["z"]}"#,
      "/y/aliases/0: alias"),
    attributes(#""x":{"type":"integer","default":"1"}"#, "/x/default: default"),
    attributes(#""x":{"type":"integer","default":9223372036854775808}"#, "/x/default: default"),
    attributes(#""x":{"type":"integer","default":null}"#, "/x/default: default"),
    attributes(#""x":{"type":"integer","default":{}}"#, "/x/default: default"),
    attributes(#""x":{"type":"integer","default":[1]}"#, "/x/default: default"),
    attributes(#""x":{"type":"integer","multi":true,"default":[[1]]}"#, "/x/default: default"),
    attributes(#""x":{"type":"text","maxLength":2,"default":"abc"}"#, "/x/default: default"),
    attributes(#""x":{"type":"place","default":"91,0"}"#, "/x/default: default"),
    attributes(#""x":{"type":"decimal","default":1e999}"#, "/x/default: limit"),
    attributes(
      #""x":{"type":"text","default":"\#(String(repeating: "y", count: 4097))"}"#,
      "/x/default: limit"),
  ]

  static let stepCases: [Case] = [
    steps("7", "/0: type"),
    steps(#"{"op":"drop","key":"a"}"#, "/0/domain: key"),
    steps(#"{"domain":"films","key":"a"}"#, "/0/op: key"),
    steps(#"{"domain":"films","op":"fold","key":"a"}"#, "/0/op: type"),
    steps(#"{"domain":"films","op":"drop","key":"a","to":"b"}"#, "/0/to: key"),
    steps(#"{"domain":"films","op":"rename","from":"a"}"#, "/0/to: key"),
    steps(#"{"domain":".","op":"drop","key":"a"}"#, "/0/domain: name"),
    steps(#"{"domain":"films","op":"rename","from":"z","to":"a b"}"#, "/0/to: name"),
    steps(#"{"domain":"films","op":"rename","from":"a","to":"a"}"#, "/0/to: upcaster"),
    steps(
      #"{"domain":"films","op":"split","from":"z","to":["a","a"],"at":" "}"#, "/0/to: upcaster"),
    steps(
      #"{"domain":"films","op":"split","from":"a","to":["a","b"],"at":" "}"#, "/0/to: upcaster"),
    steps(#"{"domain":"films","op":"split","from":"z","to":["a","b"],"at":""}"#, "/0/at: limit"),
    steps(
      #"{"domain":"films","op":"split","from":"z","to":["a","b"],"at":"\#(long)"}"#,
      "/0/at: limit"),
    steps(
      #"{"domain":"films","op":"join","from":["x","x"],"to":"a","with":" "}"#, "/0/from: upcaster"),
    steps(
      #"{"domain":"films","op":"join","from":["a","x"],"to":"a","with":" "}"#, "/0/to: upcaster"),
    steps(#"{"domain":"films","op":"map","key":"a","values":[]}"#, "/0/values: type"),
    steps(#"{"domain":"films","op":"map","key":"a","values":{"x":[1]}}"#, "/0/values/x: type"),
    steps(#"{"domain":"films","op":"convert","key":"a","to":"keyword"}"#, "/0/to: type"),
    steps(#"{"domain":"films","op":"convert","key":"a","to":"float"}"#, "/0/to: type"),
    steps(#"{"domain":"films","op":"default","key":"a","value":null}"#, "/0/value: type"),
    steps(#"{"domain":"films","op":"default","key":"c","value":1}"#, "/0/key: upcaster"),
    steps(#"{"domain":"films","op":"rename","from":"a","to":"c"}"#, "/0/to: upcaster"),
    steps(
      #"{"domain":"films","op":"split","from":"z","to":["a","c"],"at":" "}"#, "/0/to/1: upcaster"),
    steps("\(rename),\(rename)", "/1/to: upcaster"),
    steps(#"{"domain":"films","op":"move","to":"films"}"#, "/0/to: upcaster"),
    steps(#"{"domain":"films","op":"move","to":"films.old"}"#, "/0/to: upcaster"),
    steps(#"{"domain":"","op":"move","to":"films"}"#, "/0/to: upcaster"),
    steps(#"{"domain":"films","op":"move","to":""}"#, "/0/to: name"),
    steps(Array(repeating: drop, count: 1001).joined(separator: ","), ": limit"),
  ]

  @Test(arguments: wholeFiles + declarations + stepCases) func refusesWithPlaceAndRule(_ one: Case)
  {
    #expect {
      _ = try SchemaDefinition(parsing: Array(one.file.utf8))
    } throws: { error in
      guard let fault = error as? SchemaFault else { return false }
      if !fault.line.hasPrefix(one.line + ": ") { print("found:", fault.line) }
      return fault.line.hasPrefix(one.line + ": ") && !fault.line.contains("\n")
    }
  }

  @Test func namesTheLaterOfTwoDomains() {
    let file =
      #"{"cairnSchema":1,"domains":{"b":{"attributes":{"x":{"type":"text"}}},"a":{"attributes":{"x":{"type":"keyword"}}}}}"#
    #expect {
      _ = try SchemaDefinition(parsing: Array(file.utf8))
    } throws: {
      ($0 as? SchemaFault)?.line.hasPrefix("/domains/b/attributes/x/type: conflict:") == true
    }
  }

  @Test(arguments: [
    ("{\"cairnSchema\": 1,\n \"domains\": {\"é\": {},}}", "line 2, column 22"),
    ("", "line 1, column 1"), ("{\n\n", "line 3, column 1"),
  ])
  func saysInWhichLineAFileIsNoJSON(_ file: String, _ place: String) {
    #expect {
      _ = try SchemaDefinition(parsing: Array(file.utf8))
    } throws: { ($0 as? SchemaFault)?.line.hasSuffix(" (\(place))") == true }
  }

  @Test func refusesAListThatDoesNotFollow() throws {
    func file(_ steps: String) -> [UInt8] {
      Array(#"{"cairnSchema":1,"domains":{},"upcasters":[\#(steps)]}"#.utf8)
    }
    let noted = #"{"domain":"films","op":"drop","key":"z","note":"gone"}"#
    let other = #"{"domain":"films","op":"drop","key":"y"}"#
    let parent = try SchemaDefinition(parsing: file(Self.drop))
    let child = try SchemaDefinition(parsing: file("\(noted),\(other)"), after: parent)
    #expect(child.steps(after: parent).count == 1)
    for (steps, place) in [("", "/upcasters"), (other, "/upcasters/0")] {
      #expect {
        _ = try SchemaDefinition(parsing: file(steps), after: parent)
      } throws: { ($0 as? SchemaFault)?.line.hasPrefix("\(place): upcaster:") == true }
    }
  }

  @Test func refusesAKeyThatADomainBelowDoesNotKnow() throws {
    func file(_ below: String, _ more: String = "") -> [UInt8] {
      let step = #"{"domain":"films","op":"default","key":"k","value":1}"#
      return Array(
        #"{"cairnSchema":1,"domains":{"films.x":\#(below)},"upcasters":[\#(step)\#(more)]}"#.utf8)
    }
    #expect {
      _ = try SchemaDefinition(parsing: file(#"{"unknown":"ignore"}"#))
    } throws: { ($0 as? SchemaFault)?.line.hasPrefix("/upcasters/0/key: upcaster:") == true }
    _ = try SchemaDefinition(
      parsing: file(#"{"unknown":"ignore","attributes":{"k":{"type":"integer"}}}"#))
    let drop = #",{"domain":"films.x","op":"drop","key":"k"}"#
    _ = try SchemaDefinition(parsing: file(#"{"unknown":"ignore"}"#, drop))
  }

  @Test func takesADefaultOfAllTheBytesThatItMayHave() throws {
    for text in [String(repeating: "y", count: 4096), String(repeating: "\\n", count: 4096)] {
      let one = Self.attributes(#""x":{"type":"text","default":"\#(text)"}"#, "")
      _ = try SchemaDefinition(parsing: Array(one.file.utf8))
    }
  }

  @Test func takesAKeyThatALaterStepTakesAway() throws {
    let steps =
      #"{"domain":"films","op":"split","from":"z","to":["a","c"],"at":" "},{"domain":"films","op":"drop","key":"c"}"#
    _ = try SchemaDefinition(parsing: Array(Self.steps(steps, "").file.utf8))
  }
}
