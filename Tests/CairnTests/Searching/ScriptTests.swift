import Foundation
import TestSupport
import Testing

/// What people look for in any script is found, and nothing else; see ScriptDataTests for real
/// texts.
struct ScriptTests {
  @Test(arguments: ScriptSample.unspaced)
  func `any piece of a text without spaces finds the texts that contain it`(sample: ScriptSample)
    async throws
  {
    let truth = ScriptTruth(texts: sample.items)
    try await withTexts(sample.items) { moment in
      for isExact in [false, true] {
        var score = RecallAndPrecision()
        for piece in sample.pieces {
          let found = try moment.all(piece, isExact: isExact)
          score.add(piece, found: found, wanted: truth.containing(piece))
        }
        #expect(score.misses.isEmpty && score.count > 20, "\(score)")
      }
    }
  }

  @Test(arguments: ScriptSample.spaced)
  func `any word finds the texts that have it, and these before the ones with longer words`(
    sample: ScriptSample
  ) async throws {
    let truth = ScriptTruth(texts: sample.titles)
    try await withTexts(sample.titles) { moment in
      for word in sample.words {
        let wanted = truth.having(word)
        let exact = try moment.all(word, isExact: true)
        #expect(Set(exact) == wanted, "\(word)")
        let found = try moment.all(word, isExact: false)
        #expect(Set(found.prefix(wanted.count)) == wanted, "\(word)")
      }
    }
  }

  @Test(arguments: ScriptSample.unspaced + ScriptSample.spaced)
  func `decomposed and composed, a query finds the same`(sample: ScriptSample) async throws {
    try await withTexts(sample.items) { moment in
      for query in sample.pieces + sample.words {
        for isExact in [false, true] {
          let found = try moment.all(query, isExact: isExact)
          let forms = [
            query.decomposedStringWithCanonicalMapping, query.precomposedStringWithCanonicalMapping,
            query.decomposedStringWithCompatibilityMapping,
          ]
          for form in forms { #expect(try moment.all(form, isExact: isExact) == found, "\(query)") }
        }
      }
    }
  }

  @Test func `accents, case, width and strokes do not matter to a name`() async throws {
    let names = [
      "São Tomé", "Łódź", "Ελλάδα", "Кыргызстан", "Türkiye", "Île-de-France", "Việt Nam", "Straße",
      "Ísland", "Ёлка", "Հայաստան", "Dvořák",
    ]
    let texts = Dictionary(uniqueKeysWithValues: names.map { ($0, [$0]) })
    try await withTexts(texts) { moment in
      for name in names {
        let plain = name.folding(options: .diacriticInsensitive, locale: nil)
        let forms = [
          name, plain, name.uppercased(), plain.lowercased(),
          name.decomposedStringWithCanonicalMapping, plain.uppercased(),
        ]
        for form in forms {
          let exact = try moment.all(form, isExact: true)
          let found = try moment.all(form, isExact: false)
          #expect(exact == [name] && found == [name], "\(form)")
        }
      }
      let typed = try moment.all("Lodz", isExact: false)
      #expect(typed == ["Łódź"])
      let wide = try moment.all("ＤＶＯＲＡＫ", isExact: true)
      #expect(wide == ["Dvořák"])
    }
  }

  @Test func `who types a letter of their own finds texts without it, and capitals of it`()
    async throws
  {
    let texts = [
      "a": ["Lodz, Orsted, Aero"], "b": ["Łódź, Ørsted, Ærø"], "c": ["IŞIKLAR"], "d": ["Işıklar"],
      "e": ["ışıklar"],
    ]
    try await withTexts(texts) { moment in
      for query in ["Łódź", "łód", "Ørsted", "ØRST", "ærø", "łódź ørsted"] {
        let found = try moment.all(query, isExact: false)
        #expect(found.sorted() == ["a", "b"], "\(query)")
      }
      for query in ["ışıklar", "ışık", "IŞIK", "Işıklar"] {
        let found = try moment.all(query, isExact: false)
        #expect(found.sorted() == ["c", "d", "e"], "\(query)")
      }
      let first = try moment.all("Łódź", isExact: false).first
      #expect(first == "b")
      // An ø alone is not all that begins with o; quoted and exact words are as they stand.
      let short = try moment.all("ø", isExact: false)
      let quoted = try moment.all("\"Łódź\"", isExact: false)
      let exact = try moment.all("Łódź", isExact: true)
      #expect(short == ["b"] && quoted == ["b"] && exact == ["b"])
    }
  }

  @Test func `what stands side by side in the query stands so in the text`() async throws {
    let texts = [
      "a": ["第2章 系统v2"], "b": ["第3章，2页"], "c": ["Linux 系统"], "d": ["Linux操作系统"], "e": ["5月30日"],
      "f": ["30月5日"],
    ]
    try await withTexts(texts) { moment in
      let expected = [
        ("第2章", ["a"]), ("Linux系统", ["c"]), ("Linux 系统", ["c", "d"]), ("5月30", ["e"]),
        ("系统v2", ["a"]),
      ]
      for (query, items) in expected {
        let exact = try moment.all(query, isExact: true)
        let found = try moment.all(query, isExact: false)
        #expect(exact.sorted() == items && found.sorted() == items, "\(query)")
      }
    }
  }
}

extension ScriptSample {
  /// Each text as the title of an item.
  var titles: [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: texts.enumerated().map { ("title \($0.offset)", [$0.element]) })
  }

  /// Each text as the title of one item and the text of another.
  var items: [String: [String]] {
    var items = titles
    for (number, text) in texts.enumerated() { items["text \(number)"] = ["–", text] }
    return items
  }
}
