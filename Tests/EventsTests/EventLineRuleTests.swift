import Events
import TestSupport
import Testing

@Suite struct `An event line is` {
  @Test(
    arguments: [
      ("{}", .missing), (#"{"item":"a"}"#, .missing), (#"{"kind":"open","item":"a"}"#, .kind),
      (#"{"kind":"View","item":"a"}"#, .kind), (#"{"kind":"","item":"a"}"#, .kind),
      (#"{"kind":null,"item":"a"}"#, .value), (#"{"kind":1,"item":"a"}"#, .value),
      (#"{"kind":"purge"}"#, .kind), (#"{"kind":"view"}"#, .missing),
      (#"{"kind":"view","item":null}"#, .missing), (#"{"kind":"view","item":""}"#, .value),
      (#"{"kind":"view","item":7}"#, .value), (#"{"kind":"view","item":["a"]}"#, .value),
      (#"{"kind":"select","query":"q"}"#, .missing), (#"{"kind":"impression"}"#, .missing),
      (#"{"kind":"impression","shown":[]}"#, .missing),
      (#"{"kind":"view","item":"a","domain":""}"#, .value),
      (#"{"kind":"view","item":"a","domain":"."}"#, .value),
      (#"{"kind":"view","item":"a","domain":".a"}"#, .value),
      (#"{"kind":"view","item":"a","domain":"a."}"#, .value),
      (#"{"kind":"view","item":"a","domain":"a..b"}"#, .value),
      (#"{"kind":"view","item":"a","domain":3}"#, .value), (#"{"kind":"delete"}"#, .missing),
      (#"{"kind":"delete","all":false}"#, .missing),
      (#"{"kind":"delete","domain":null}"#, .missing),
      (#"{"kind":"delete","all":true,"item":"a"}"#, .value),
      (#"{"kind":"delete","all":true,"domain":"a"}"#, .value),
      (#"{"kind":"delete","item":"a","all":1}"#, .value),
      (#"{"kind":"view","item":"a","time":"yesterday"}"#, .value),
      (#"{"kind":"view","item":"a","time":"2024-02-30T00:00:00Z"}"#, .value),
      (#"{"kind":"view","item":"a","time":true}"#, .value),
      (#"{"kind":"view","item":"a","recorded":"2024"}"#, .value),
      (#"{"kind":"view","item":"a","id":"1"}"#, .value),
      (#"{"kind":"view","item":"a","id":1}"#, .value),
      (#"{"kind":"view","item":"a","actor":1}"#, .value),
      (#"{"kind":"view","item":"a","query":{}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":[]}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":{"b":1}}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":[[1]]}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":[{"b":1}]}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":{}}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":{"base64":1}}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":{"base64":"AQ"}}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":{"base64":"AR=="}}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":{"base64":"A_=="}}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":{"base64":"AQ==","b":1}}}"#, .value),
      (#"{"kind":"view","item":"a","attributes":{"a":1e400}}"#, .number),
      (#"{"kind":"view","item":"a","attributes":{"a":-1e400}}"#, .number),
      (#"{"kind":"delete","item":"a","attributes":{"a":1}}"#, .value),
      (#"{"kind":"select","item":"a","attributes":{"a":1}}"#, .value),
      (#"{"kind":"impression","item":"a","attributes":{"a":1}}"#, .value),
      (#"{"kind":"view","item":"a","expires":5}"#, .value),
      (#"{"kind":"view","item":"a","expires":"never"}"#, .value),
      (#"{"kind":"select","item":"a","position":0}"#, .value),
      (#"{"kind":"select","item":"a","position":1.5}"#, .value),
      (#"{"kind":"select","item":"a","position":"1"}"#, .value),
      (#"{"kind":"select","item":"a","position":9223372036854775808}"#, .value),
      (#"{"kind":"select","item":"a","shown":"a"}"#, .value),
      (#"{"kind":"select","item":"a","shown":[1]}"#, .value),
      (#"{"kind":"select","item":"a","shown":["a", ""]}"#, .value),
      (#"{"kind":"impression","shown":[""]}"#, .value),
      (#"{"kind":"view","item":"a","dwell":-1}"#, .value),
      (#"{"kind":"view","item":"a","dwell":"1"}"#, .value),
      (#"{"kind":"view","item":"a","latency":1e999}"#, .number),
      (#"{"kind":"view","item":"a","deliberate":1}"#, .value),
      (#"{"kind":"view","item":"a","schema":0}"#, .value),
      (#"{"kind":"view","item":"a","schema":"2"}"#, .value),
      (#"{"kind":"view","item":"a","schema":3}"#, .schema),
      (#"{"kind":"view","item":"a","schema":99999999999}"#, .schema),
    ] as [(String, Fault)]) func `refused by the rules, without quoting it`(
      _ line: String, _ fault: Fault
    ) throws
  {
    let error = #expect(throws: CairnError.self) { try EventLine.parse(Array(line.utf8)) }
    #expect(try fault.matches(#require(error)))
  }

  @Test(arguments: [
    #"{"kind":"view","item":"a","id":null,"actor":null,"time":null,"recorded":null,"query":null}"#,
    #"{"kind":"view","item":"a","attributes":null,"position":null,"shown":null,"dwell":null}"#,
    #"{"kind":"view","item":"a","deliberate":null,"all":null,"schema":null,"attributes":{}}"#,
    #"{"kind":"view","item":"a","schema":2,"shown":[],"all":false,"sequence":{"a":[]},"hash":1}"#,
  ]) func `the shorter for nulls and empty things`(_ line: String) throws {
    #expect(try roundTrip(line) == #"{"kind":"view","item":"a","schema":2}"#)
  }

  @Test func `allowed an item that goes with a domain, whatever the kind`() throws {
    for kind in ["index", "update", "view", "select", "impression", "delete"] {
      let line = #"{"kind":"\#(kind)","item":"a","domain":"b.c","schema":2}"#
      #expect(try roundTrip(line) == line)
    }
  }

  @Test func `allowed fields that mean nothing to its kind, and gives them back`() throws {
    let line =
      #"{"kind":"index","item":"a","expires":null,"query":"q","position":3,"shown":["b"],"dwell":1.5,"deliberate":true,"schema":2}"#
    #expect(try roundTrip(line) == line)
    let other = #"{"kind":"impression","item":"a","all":true,"dwell":2,"schema":2}"#
    #expect(try roundTrip(other) == other)
  }

  @Test func `allowed 4096 bytes of item and domain and no more`() {
    func line(_ item: Int, _ domain: Int) -> [UInt8] {
      Array(
        (#"{"kind":"view","item":""# + String(repeating: "é", count: item / 2)
          + String(repeating: "a", count: item % 2) + #"","domain":""#
          + String(repeating: "b", count: domain) + "\"}").utf8)
    }
    #expect(throws: Never.self) { try EventLine.parse(line(4096, 4096)) }
    expectError(.badEvent) { try EventLine.parse(line(4097, 1)) }
    expectError(.badEvent) { try EventLine.parse(line(1, 4097)) }
  }

  @Test func `allowed numbers at the edge of what can be held`() throws {
    let line =
      #"{"kind":"view","item":"a","attributes":{"a":9223372036854775807,"b":-9223372036854775808,"c":9223372036854775808,"d":1.0,"e":1,"f":-0,"g":1e2,"h":0.1,"i":123456789012345678901234567890.5,"j":5e-324,"k":1.7976931348623157e308,"l":2e-324}}"#
    #expect(
      try roundTrip(line)
        == #"{"kind":"view","item":"a","attributes":{"a":9223372036854775807,"b":-9223372036854775808,"c":9.223372036854776e+18,"d":1.0,"e":1,"f":-0.0,"g":100.0,"h":0.1,"i":1.2345678901234568e+29,"j":5e-324,"k":1.7976931348623157e+308,"l":0.0},"schema":2}"#
    )
  }

  @Test func `read alike by a parser that has read others before`() throws {
    var parser = EventLineParser()
    let lines = [
      #"{"kind":"index","item":"a","time":1,"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","x":[1],"schema":1}"#,
      #"{"kind":"view","item":"b","attributes":{"b":{"c":1}}}"#,
      #"{"kind":"view","item":"b","y":[[[[1,"#, #"{"kind":"delete","all":true}"#,
      #"{"kind":"view","item":"c","attributes":{"z":1,"a":[1,2]}}"#,
    ]
    for line in lines + lines.reversed() {
      let bytes = Array(line.utf8)
      let fresh = try? EventLine.parse(bytes)
      let again = try? parser.parse(bytes.span)
      #expect(again == fresh)
    }
  }

  @Test(arguments: [
    #"{"kind":"view","kind":"view","item":"a"}"#, #"{"kind":"view","item":"b","item":"a"}"#,
    #"{"kind":"view","item":"a","x":1,"x":1}"#, #"{"kind":"view","item":"a","x":[{"y":1,"y":2}]}"#,
    #"{"kind":"view","item":"a","attributes":{"b":1,"\u0062":2}}"#,
    #"{"kind":"view","item":"a","hash":1,"hash":2}"#,
    #"{"kind":"view","item":"a","attributes":{"b":{"base64":"","base64":""}}}"#,
  ])
  func `refused for a key that comes twice by who asks for that`(line: String) throws {
    var strict = EventLineParser(refusesDuplicateKeys: true)
    let bytes = Array(line.utf8)
    #expect(throws: Never.self) { try EventLine.parse(bytes) }
    do {
      _ = try strict.parse(bytes.span)
      Issue.record("it was taken")
    } catch {
      #expect(error.code == .badEvent && error.offset != nil)
      #expect(error.message.contains("comes twice"))
    }
    let plain = Array(#"{"kind":"view","item":"a","x":{"y":1},"z":{"y":1}}"#.utf8)
    #expect(try strict.parse(plain.span) == EventLine.parse(plain))
  }

  @Test(arguments: [
    #"{"kind":"schema","definition":{"cairnSchema":1,"cairnSchema":1,"domains":{}}}"#,
    #"{"definition":{"cairnSchema":1,"domains":{"f":{},"\u0066":{}}},"kind":"schema"}"#,
    #"{"kind":"schema","definition":{"cairnSchema":1},"definition":{"cairnSchema":1}}"#,
  ])
  func `a schema in which a key comes twice is refused, as its file is`(line: String) throws {
    var parser = EventLineParser()
    let bytes = Array(line.utf8)
    do {
      _ = try parser.parse(bytes.span)
      Issue.record("it was taken")
    } catch {
      #expect(error.code == .badEvent && error.offset != nil)
      #expect(error.message.contains("comes twice"))
    }
    // It leaves nothing behind.
    let other = Array(#"{"kind":"schema","definition":{"cairnSchema":1,"domains":{}}}"#.utf8)
    #expect(try parser.parse(other.span) == EventLine.parse(other))
  }
}
