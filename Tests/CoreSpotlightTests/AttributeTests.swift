import Cairn
import Testing

@testable import CoreSpotlight

/// Attribute sets: states, numbers and dates to the bit, own keys, copies and archives.
@Suite struct AttributeTests {
  @Test func `what was removed reads as what was never set, and differs in an update`() {
    let attributes = CSSearchableItemAttributeSet(contentType: .image)
    #expect(attributes.contentType == "public.image" && attributes.title == nil)
    attributes.title = "one"
    attributes.title = nil
    #expect(attributes.title == nil)
    #expect(attributes.storage { $0["title"] } == .null)
    #expect(attributes.storage { $0["comment"] } == nil)
  }

  @Test func `what is printed says what it holds`() {
    let attributes = CSSearchableItemAttributeSet(contentType: .text)
    attributes.title = "Harbour"
    attributes.keywords = ["tide", "2026"]
    attributes.pageCount = 12
    attributes.thumbnailData = Data([1, 2, 3])
    let item = CSSearchableItem(
      uniqueIdentifier: "report.7", domainIdentifier: "work", attributeSet: attributes)
    let activity = NSUserActivity(activityType: "org.example.view")
    activity.title = "Survey"
    let start = "CSSearchableItem report.7 in work: CSSearchableItemAttributeSet {"
    #expect("\(item)".hasPrefix(start))
    for part in [
      "title = Harbour", "keywords = [tide, 2026]", "pageCount = 12", "thumbnailData = 3 bytes",
    ] { #expect("\(attributes)".contains(part)) }
    #expect("\(activity)" == "NSUserActivity org.example.view: Survey")
  }

  @Test(arguments: [
    NSNumber(value: Int64.min), NSNumber(value: Int64.max), NSNumber(value: 0.1),
    NSNumber(value: -0.0), NSNumber(value: 1e300), NSNumber(value: UInt64.max),
    NSNumber(value: 9_007_199_254_740_993), NSNumber(value: true),
  ]) func `numbers keep their value`(number: NSNumber) {
    let attributes = CSSearchableItemAttributeSet(contentType: .item)
    attributes.pageCount = number
    #expect(attributes.pageCount?.doubleValue == number.doubleValue)
    if number.doubleValue.magnitude < 1e18 { #expect(attributes.pageCount == number) }
  }

  @Test func `dates keep every bit that a date of this age has`() {
    var state: UInt64 = 7
    let attributes = CSSearchableItemAttributeSet(contentType: .item)
    for _ in 0..<2_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let date = Date(timeIntervalSinceReferenceDate: Double(state >> 11) / 5_000_000)
      attributes.dueDate = date
      #expect(attributes.dueDate == date)
    }
    for date in [Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -1.5)] {
      attributes.dueDate = date
      #expect(attributes.dueDate == date)
    }
  }

  @Test(arguments: [(-3, 0), (0, 0), (42.5, 42.5), (100, 100), (400, 100)])
  func `the ranking hint stays within its bounds`(given: Double, kept: Double) {
    let attributes = CSSearchableItemAttributeSet(contentType: .item)
    attributes.rankingHint = NSNumber(value: given)
    #expect(attributes.rankingHint?.doubleValue == kept)
  }

  @Test(arguments: [
    ("com_a_b", true), ("a1", true), ("", false), ("a.b", false), ("a-b", false),
    ("kMDItem", false), ("ä", false), ("a b", false),
  ]) func `names of own keys are letters, digits and underscores`(name: String, isName: Bool) {
    #expect((CSCustomAttributeKey(keyName: name) != nil) == isName)
  }

  @Test func `own keys begin as Apple's do`() throws {
    let key = try #require(CSCustomAttributeKey(keyName: "a"))
    #expect(key.isSearchable && !key.isSearchableByDefault && !key.isUnique && !key.isMultiValued)
  }

  private func key(_ name: String, byDefault: Bool = false, searchable: Bool = true) throws
    -> CSCustomAttributeKey
  {
    try #require(
      CSCustomAttributeKey(
        keyName: name, searchable: searchable, searchableByDefault: byDefault, unique: false,
        multiValued: false))
  }

  @Test func `values of own keys come back as what they were`() async throws {
    try await withApplication { index, _ in
      let person = CSPerson(displayName: "Ann", handles: ["1"], handleIdentifier: "phone")
      let date = Date(timeIntervalSinceReferenceDate: 100.25)
      let values: [(String, NSObject)] = [
        ("text", "x" as NSString), ("number", NSNumber(value: 2.5)), ("date", date as NSDate),
        ("data", Data([1]) as NSData), ("person", person), ("texts", ["a", "b"] as NSArray),
        ("dates", [date] as NSArray), ("persons", [person, person] as NSArray),
      ]
      try await index.indexSearchableItems([
        item("a", "one") { attributes in
          for (name, value) in values {
            if let key = try? key(name) { attributes.setValue(value, forCustomKey: key) }
          }
        }
      ])
      let stored = try #require(try await found().first).attributeSet
      for (name, value) in values {
        let given = stored.value(forCustomKey: try key(name)) as? NSObject
        #expect(given == value, "\(name)")
        #expect(try await names("\(name) == *") == ["a"], "\(name)")
      }
      #expect(stored.value(forCustomKey: try key("text")) as? String == "x")
      #expect(stored.value(forCustomKey: try key("text")) as? NSString == "x")
      #expect(stored.value(forCustomKey: try key("texts")) as? [String] == ["a", "b"])
      #expect(stored.value(forCustomKey: try key("date")) as? Date == date)
      #expect(stored[try key("number")] as? Double == 2.5)
      #expect(try await names("date == 100.25 && number > 2 && texts == 'b'") == ["a"])
    }
  }

  @Test func `own keys are searched by default only if they say so, and not at all if not`()
    async throws
  {
    let skill = try key("skill")
    let skillByDefault = try key("skill", byDefault: true)
    let secret = try key("secret", searchable: false)
    try await withApplication { index, _ in
      try await index.indexSearchableItems([
        item("default", "x") { $0.setValue("harbour" as NSString, forCustomKey: skillByDefault) },
        item("named", "x") { $0.setValue("harbour", forCustomKey: skill) },
        item("hidden", "x") { $0.setValue("harbour", forCustomKey: secret) },
      ])
      #expect(try await search("harbour") == ["default"])
      #expect(try await names(#"** == "harbour""#) == ["default"])
      #expect(try await names(#"skill == "harbour""#) == ["default", "named"])
      #expect(try await names("secret == *") == [])
      let hidden = try #require(try await found().first { $0.uniqueIdentifier == "hidden" })
      let value = hidden.attributeSet.value(forCustomKey: secret)
      #expect(value as? String == "harbour")
      // An update that changes the value changes what search finds.
      try await index.indexSearchableItems([
        item("default", "x", update: true) { $0.setValue(nil, forCustomKey: skillByDefault) }
      ])
      #expect(try await search("harbour") == [])
    }
  }

  @Test func `dates and persons of own keys that are not searched are not found either`()
    async throws
  {
    let secret = try key("secret", searchable: false)
    let person = CSPerson(displayName: "Ann", handles: ["1"], handleIdentifier: "phone")
    let date = Date(timeIntervalSinceReferenceDate: 100.25)
    try await withApplication { index, _ in
      try await index.indexSearchableItems([
        item("date", "x") { $0.setValue(date as NSDate, forCustomKey: secret) },
        item("person", "x") { $0.setValue(person, forCustomKey: secret) },
      ])
      #expect(try await names("secret == * || secret == 100.25") == [])
      let context = CSSearchQueryContext()
      context.fetchAttributes = ["secret"]
      for result in try await found(#"title == "x""#, context) {
        let given: NSObject = result.uniqueIdentifier == "date" ? date as NSDate : person
        #expect(result.attributeSet.value(forCustomKey: secret) as? NSObject == given)
      }
    }
  }

  @Test func `copies change independently`() throws {
    let original = item("a", "one", domain: "d")
    let copy = try #require(original.copy() as? CSSearchableItem)
    copy.attributeSet.title = "two"
    copy.domainIdentifier = nil
    #expect(original.attributeSet.title == "one" && original.domainIdentifier == "d")
    let other = CSSearchableItemAttributeSet(contentType: .text)
    other.move(from: original.attributeSet)
    #expect(other.title == "one" && original.attributeSet.title == nil)
  }

  @Test func `a list of nothing is a value of an own key, and no removal`() throws {
    let key = try key("k")
    let attributes = CSSearchableItemAttributeSet(contentType: .text)
    attributes.setValue([String](), forCustomKey: key)
    #expect((attributes.value(forCustomKey: key) as? NSArray)?.count == 0)
  }

  @Test func `items, persons, keys and suggestions survive an archive`() throws {
    let item = item("a", "one", domain: "d") {
      $0.comment = nil
      $0.keywords = ["x"]
      $0.thumbnailData = Data([1])
      $0.rating = 0.5
    }
    item.expirationDate = .distantFuture
    let back = try archived(item)
    #expect(back.uniqueIdentifier == "a" && back.domainIdentifier == "d")
    #expect(back.expirationDate == .distantFuture)
    #expect(back.attributeSet.storage { $0.values } == item.attributeSet.storage { $0.values })
    let person = CSPerson(displayName: nil, handles: ["1"], handleIdentifier: "phone")
    person.contactIdentifier = "c"
    #expect(try archived(person) == person)
    let key = try key("k", byDefault: true)
    #expect(try archived(key).isSearchableByDefault)
    #expect(try archived(CSSuggestion("ab", typed: "a", rank: 1)).text == "ab")
    #expect(
      try archived(CSLocalizedString(localizedStrings: ["de": "Hafen"])).localizedString()
        == "Hafen")
  }

  @Test func `a context keeps all settings in an archive, an item what it is to change`() throws {
    let context = CSUserQueryContext(currentSuggestion: CSSuggestion("ab", typed: "a", rank: 1))
    context.enableRankedResults = false
    context.disableSemanticSearch = true
    context.maxResultCount = 3
    context.maxSuggestionCount = 2
    context.maxRankedResultCount = 7
    context.sourceOptions = .allowMail
    context.filterQueries = ["title == *"]
    let back = try archived(context)
    #expect(!back.enableRankedResults && back.disableSemanticSearch)
    #expect(back.maxResultCount == 3 && back.maxSuggestionCount == 2)
    #expect(back.maxRankedResultCount == 7 && back.sourceOptions == .allowMail)
    #expect(back.filterQueries == ["title == *"])
    #expect(back.state { $0.suggestion?.text } == "ab")
    let moved = item("a", "one", domain: "d", update: true)
    moved.domainIdentifier = nil
    moved.updateListenerOptions = .priority
    let item = try archived(moved)
    #expect(item.state { $0.domain } == .cleared && item.updateListenerOptions == .priority)
  }

  private func archived<T: NSObject & NSSecureCoding>(_ object: T) throws -> T {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data))
  }

  @Test(arguments: [
    ("de-AT", "Hafen"), ("fr", "harbour"), ("es-MX", "puerto MX"), ("es", "puerto"),
    ("zh_CN", "港口"), ("zh-TW", "harbour"), ("pt_BR", "porto"), ("", "harbour"),
  ]) func `a localised text has the form for its language`(code: String, expected: String) {
    let texts = [
      "de": "Hafen", "en": "harbour", "es": "puerto", "es-MX": "puerto MX", "zh-Hans": "港口",
      "pt-BR": "porto",
    ]
    #expect(CSLocalizedString.choose(from: texts, for: code) == expected)
  }

  @Test func `the person's language is that of the environment`() {
    let all = ["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR@euro", "LC_ALL": ""]
    #expect(CSLocalizedString.language(in: all) == "fr_FR")
    #expect(CSLocalizedString.language(in: ["LANG": "de_DE.UTF-8"]) == "de_DE")
    #expect(CSLocalizedString.language(in: [:]) == "")
  }

  @Test func `the tree of types conforms as Apple's does`() async throws {
    #expect(UTType.jpeg.conforms(to: .image) && UTType.jpeg.conforms(to: .data))
    #expect(!UTType.image.conforms(to: .jpeg) && UTType.html.isSubtype(of: .text))
    #expect(UTType("public.JPEG") == .jpeg && UTType("com.example.none") == nil)
    #expect(UTType(filenameExtension: "PDF") == .pdf && UTType(mimeType: "image/png") == .png)
    #expect(UTType(filenameExtension: "zzz")?.preferredFilenameExtension == "zzz")
    #expect(UTType(importedAs: "com.example.a").identifier == "com.example.a")
    try await withApplication { index, _ in
      let picture = CSSearchableItem(
        uniqueIdentifier: "a", domainIdentifier: nil,
        attributeSet: CSSearchableItemAttributeSet(contentType: .jpeg))
      try await index.indexSearchableItems([picture])
      #expect(try await names(#"contentTypeTree == "public.image""#) == ["a"])
    }
  }
}
