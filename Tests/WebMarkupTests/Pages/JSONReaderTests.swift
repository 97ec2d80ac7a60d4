import Testing

@testable import WebMarkup

@Suite struct JSONReaderTests {
  private static func read(_ text: String, isLenient: Bool) throws(JSONFault) -> (JSON, JSONFault?)
  {
    var reader = JSONReader(Array(text.utf8), 0..<text.utf8.count, isLenient: isLenient)
    let value = try reader.read()
    return (value, reader.slip)
  }

  @Test(arguments: [
    #"{"a":[1,-2.5e+3,"x\n\u00e9\ud83d\ude00\ud800",true,false,null],"a":{}}"#, "[]", "0", "\"\"",
  ]) func `JSON is read strictly and written again`(text: String) throws {
    let (value, slip) = try Self.read(text, isLenient: false)
    #expect(slip == nil)
    let again = try JSONReader.strict(value.bytes)
    #expect(again == value)
  }

  @Test(arguments: [
    ("{\"a\":1,}", 7), ("[1 2]", 3), ("{a:1}", 1), ("01", 1), ("[1,]", 3), ("tru", 3), ("nul]", 3),
    ("", 0),
    ("\"\\x\"", 2), ("\"a\nb\"", 2), ("{\"a\" 1}", 5), ("[1.]", 3), ("-", 1), ("\"\\u12g\"", 5),
    ("{} x", 3),
    ("[1]//c", 3),
  ]) func `the fault is the first character that cannot stand there`(text: String, place: Int) {
    #expect { try Self.read(text, isLenient: false) } throws: { ($0 as? JSONFault)?.place == place }
  }

  @Test(arguments: [
    ("{\"a\":1,}", "{\"a\":1}", 7), ("// c\n[1] /* d */", "[1]", 0), ("[1];", "[1]", 3),
    ("[\"a\tb\"]", "[\"a\\tb\"]", 3), ("<!-- x -->{}", "{}", 0), ("<!-- {} -->", "{}", 0),
    ("<![CDATA[<!-- {} -->]]>", "{}", 9),
    ("[1,<!-- c -->2]", "[1,2]", 3), ("[\"//\"/**/]", "[\"//\"]", 5),
  ]) func `slips are read over and told`(text: String, json: String, place: Int) throws {
    let (value, slip) = try Self.read(text, isLenient: true)
    #expect(String(decoding: value.bytes, as: UTF8.self) == json)
    #expect(slip?.place == place)
  }

  @Test(arguments: [
    "\u{feff}{}", "<![CDATA[{}]]>", "//<![CDATA[\n{}\n//]]>", "/*<![CDATA[*/{}/*]]>*/",
    " // <![CDATA[\n{} // ]]>",
    "/* <![CDATA[ */\n{}\n/* ]]> */", "<!--//--><![CDATA[//><!--\n{}\n//--><!]]>",
    "/*<![CDATA[ */ {} /*]]> */", "//<![CDATA[\n{}\n]]>", "<![CDATA[\n{}\n",
  ]) func `wrapping is no slip`(text: String) throws {
    let (value, slip) = try Self.read(text, isLenient: true)
    #expect(value == .object(JSON.Members()))
    #expect(slip == nil)
  }

  @Test func `too deep is refused where it gets too deep, whatever the depth`() {
    let text = String(repeating: "[", count: 100_000)
    #expect { try Self.read(text, isLenient: true) } throws: {
      ($0 as? JSONFault)?.kind == .jsonDepth && ($0 as? JSONFault)?.place == 128
    }
  }
}
