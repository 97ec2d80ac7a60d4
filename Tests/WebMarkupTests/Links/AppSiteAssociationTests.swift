import Testing

@testable import WebMarkup

@Suite struct AppSiteAssociationTests {
  private static func file(_ details: String, _ more: String = "") throws -> AppSiteAssociation {
    try AppSiteAssociation(Array("{\"applinks\":{\(more)\"details\":\(details)}}".utf8))
  }

  private static func verdict(
    _ file: AppSiteAssociation, _ url: String
  ) throws -> AppSiteAssociation.Verdict {
    file.verdict(try #require(WebURL("https://example.org" + url)))
  }

  @Test(arguments: [
    ("/buy/1", true), ("/help/website/x", false), ("/help/app", true),
    ("/videos/wwdc/2015/x", false),
    ("/videos/wwdc/2010/x", true), ("/videos/wwdc/201/x", false), ("/Buy/1", false), ("", false),
    ("/sell/1", true),
  ]) func `the old form compares paths, in order`(url: String, opens: Bool) throws {
    let file = try Self.file(
      #"[{"appID":" T.app ","paths":["/buy/*","NOT /help/website/*","/help/*","NOT /videos/wwdc/2015/*","/videos/wwdc/201?/*","sell/*",5]}]"#
    )
    let verdict = try Self.verdict(file, url)
    #expect(verdict.opensApp == opens)
    #expect(verdict.warnings.count == 1)
    if opens { #expect(verdict.appIDs == ["T.app"]) }
  }

  @Test(arguments: [
    ("/help/a", false, true), ("/shop/x?sku=AB-1", true, false), ("/shop/x?sku=A", false, false),
    ("/SHOP/x?sku=AB-1", false, false), ("/shop/x", false, false),
    ("/shop/x?sku=AB-1&sku=", false, false), ("/shop/x?y=1&sku=CD-2", true, false),
  ]) func `the examples of the specification`(url: String, opens: Bool, excluded: Bool) throws {
    let file = try Self.file(
      #"[{"appIDs":["T.app"],"components":[{"/":"/help/*","exclude":true},{"/":"/shop/*","?":{"sku":"??-*"}}]}]"#
    )
    let verdict = try Self.verdict(file, url)
    #expect(verdict.opensApp == opens)
    #expect(verdict.isExcluded == excluded)
  }

  @Test(arguments: [
    (#"{"/":"/a/$(lang)/*"}"#, "/a/en/x", true), (#"{"/":"/a/$(lang)/*"}"#, "/a/xq/x", false),
    (#"{"/":"/a/$(region)"}"#, "/a/PT", true), (#"{"/":"/a/$(region)"}"#, "/a/pt", false),
    (#"{"/":"/a/$(region)","caseSensitive":false}"#, "/a/pt", true),
    (#"{"/":"/$(digit)$(upper)$(xdigit)"}"#, "/7Gf", true), (#"{"/":"/$(digit)"}"#, "/x", false),
    (#"{"/":"/$(food)/"}"#, "/burrito/", true), (#"{"/":"/$(food)/"}"#, "/pizza-9/", true),
    (#"{"/":"/$(Food)/"}"#, "/burrito/", false), (##"{"#":"top"}"##, "/x#top", true),
    (##"{"#":"top"}"##, "/x", false), (#"{"?":"a=?"}"#, "/x?a=1", true), (#"{"?":{}}"#, "/x", true),
    (#"{}"#, "/anything", true), (#"{"/":"/caf%C3%A9"}"#, "/café", true),
    (#"{"/":"/café","percentEncoded":false}"#, "/caf%C3%A9", true),
    (#"{"/":"/café"}"#, "/café", false),
    // Apple's reference has this one match.
    (##"{"/":"abc","?":"def","#":"*"}"##, "/abc?def", true),
    (##"{"/":"abc","?":"def","#":"*"}"##, "/abc", false),
    (##"{"/":"abc","?":"def","#":"*"}"##, "?def", false), (#"{"/":"abc"}"#, "/x/abc", false),
    (#"{"/":"$(lang)_CA/*"}"#, "/fr_CA/x", true), (#"{"/":"/abc"}"#, "//abc", false),
    (#"{"/":"?bc"}"#, "/abc", false), (#"{"/":""}"#, "/", false),
    (#"{"/":"/?*"}"#, "/", false), (#"{"/":"/?*"}"#, "/ab", true), (#"{"/":5}"#, "/x", false),
  ]) func `a rule of components`(rule: String, url: String, opens: Bool) throws {
    let file = try Self.file(
      #"[{"appIDs":["T.app"],"components":[\#(rule)]}]"#,
      #""substitutionVariables":{"food":["burrito","pizza*"]},"#)
    #expect(try Self.verdict(file, url).opensApp == opens, "\(rule) \(url)")
  }

  @Test func `the nearest default counts, and an exclusion ends its entry only`() throws {
    let file = try Self.file(
      #"[{"appID":"A","defaults":{"caseSensitive":true},"components":[{"/":"/x","exclude":true},{"/":"/X*"}]},{"appID":"B","components":[{"/":"/X"}],"paths":["*"]}]"#,
      #""defaults":{"caseSensitive":false},"#)
    #expect(try Self.verdict(file, "/x").appIDs == ["B"])
    #expect(try Self.verdict(file, "/Xy").appIDs == ["A"])
    #expect(try Self.verdict(file, "/y").isExcluded == false)
    let old = try Self.file(#"{"T.app":{"paths":["/old/*"]}}"#)
    #expect(try Self.verdict(old, "/old/1").appIDs == ["T.app"])
  }

  @Test(arguments: ["", "[]", "{\"a\":}", "\u{0}"]) func `what is no file is refused`(text: String)
  {
    #expect(throws: AppSiteAssociation.Malformed.self) { try AppSiteAssociation(Array(text.utf8)) }
  }

  @Test func `a file without applinks opens nothing, nor does another scheme`() throws {
    let bare = try AppSiteAssociation(Array(#"{"webcredentials":{"apps":["x"]}}"#.utf8))
    #expect(try !Self.verdict(bare, "/").opensApp)
    let all = try Self.file(#"[{"appIDs":["A"],"components":[{}]}]"#)
    #expect(!all.verdict(try #require(WebURL("myapp://x/"))).opensApp)
  }

  @Test func `a long pattern against a long path is no trap`() throws {
    let pattern = String(repeating: "*a", count: 2000)
    let file = try Self.file(#"[{"appIDs":["A"],"components":[{"/":"/\#(pattern)b"}]}]"#)
    #expect(try !Self.verdict(file, "/" + String(repeating: "a", count: 4000)).opensApp)
  }

  @Test func `variables hold in paths too, and null components are none`() throws {
    let file = try Self.file(
      #"[{"appID":"A","components":null,"paths":["/$(food)/$(lang)","/$(none)"]}]"#,
      #""substitutionVariables":{"food":["burrito","pizza*"]},"#)
    #expect(try Self.verdict(file, "/pizza-9/pt").opensApp)
    #expect(try !Self.verdict(file, "/pasta/pt").opensApp)
    #expect(file.warnings == ["$(none) is not defined; the rule never matches"])
  }

  @Test func `a byte order mark is no part of a file`() throws {
    let file = try AppSiteAssociation(
      Array("\u{feff}{\"applinks\":{\"details\":[{\"appID\":\"A\",\"paths\":[\"/x\"]}]}}".utf8))
    #expect(try Self.verdict(file, "/x").opensApp)
  }

  @Test func `what is neither true nor false counts for nothing, and is told`() throws {
    let file = try Self.file(
      #"[{"appID":"A","components":[{"/":"/x","exclude":"true","caseSensitive":null}]}]"#)
    #expect(try Self.verdict(file, "/x").opensApp)
    #expect(file.warnings == ["exclude is neither true nor false; it counts for nothing"])
  }

  @Test func `values count wherever they are used, and too many are not read`() throws {
    let values = [String](repeating: "\"a\"", count: 2000).joined(separator: ",")
    let uses = String(repeating: "$(x)", count: 2000)
    let file = try Self.file(
      #"[{"appIDs":["A"],"components":[{"/":"/b"},{"/":"/\#(uses)"},{"/":"/c"}]}]"#,
      #""substitutionVariables":{"x":[\#(values)]},"#)
    #expect(try Self.verdict(file, "/b").opensApp)
    #expect(try !Self.verdict(file, "/" + String(repeating: "a", count: 2000)).opensApp)
    #expect(
      file.warnings.first == "a rule has more parts than are read; it never matches")
  }

  @Test(arguments: [63, 64, 65, 127, 128, 129]) func `texts of any length end where they end`(
    count: Int
  ) throws {
    let letters = String(repeating: "a", count: count)
    let file = try Self.file(
      #"[{"appIDs":["A"],"components":[{"/":"/\#(letters)"},{"/":"/\#(letters)?*$(digit)"}]}]"#)
    #expect(try Self.verdict(file, "/" + letters).opensApp)
    #expect(try !Self.verdict(file, "/" + letters + "a").opensApp)
    #expect(try !Self.verdict(file, "/" + String(letters.dropLast())).opensApp)
    #expect(try Self.verdict(file, "/" + letters + "bcd7").opensApp)
    #expect(try !Self.verdict(file, "/" + letters + "7").opensApp)
  }
}
