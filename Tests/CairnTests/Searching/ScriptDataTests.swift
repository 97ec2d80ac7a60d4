import Cairn
import Foundation
import TestSupport
import Testing

private struct Change: Decodable {
  var op: String
  var id: String
  var domain: String?
  var title: String?
  var desc: String?
}

/// Real texts through the whole engine: recall and precision as means over the queries.
///
/// Every tenth query; all of them where CAIRN_SCRIPTS is set, which takes a debug build an hour.
@Suite(.enabled(if: MultilingualData.isPresent && SharedData.has("git-streams")))
struct ScriptDataTests {
  @Test(
    "pieces of real texts without spaces find what contains them",
    arguments: [
      ("zh-tang", 0.99), ("zh-classics", 0.99), ("tldr-zh_TW", 0.99), ("tldr-ja", 0.99),
      ("tldr-th", 0.95),
    ]) func pieces(set: String, least: Double) async throws
  {
    let texts = try Self.texts(set)
    let truth = ScriptTruth(texts: texts)
    let questions = try MultilingualData.questions(set)
    try await withTexts(texts) { moment in
      for isExact in [false, true] {
        var score = RecallAndPrecision()
        for question in Self.some(questions) {
          let found = try moment.all(question.q, isExact: isExact)
          if question.kind == "absent" { #expect(found.isEmpty, "\(question.q)") }
          score.add(question.q, found: found, wanted: truth.containing(question.q))
        }
        print("\(set)\(isExact ? " exactly" : ""): \(score)")
        #expect(score.recall >= least && score.precision >= least, "\(set): \(score)")
      }
    }
  }

  @Test func `pieces of Korean pages find what contains them`() async throws {
    var texts: [String: [String]] = [:]
    let stream = "git-streams/tldr-first9000.events.jsonl.zst"
    for change in try SharedData.rows(stream, as: Change.self) {
      guard change.op != "delete" else {
        texts[change.id] = nil
        continue
      }
      guard change.domain?.hasPrefix("pages.ko/") ?? false else { continue }
      texts[change.id] = [change.title ?? "", change.desc ?? ""]
    }
    try #require(texts.count > 100)
    try await check("Korean", texts, pieces: Self.everyNth(41, of: texts), least: 0.99)
  }

  @Test(
    "pieces of country names find what contains them",
    arguments: [
      ("zh_CN", 0.99), ("ja", 0.99), ("ko", 0.99), ("th", 0.95), ("lo", 0.95), ("km", 0.95),
      ("my", 0.95),
    ]) func names(language: String, least: Double) async throws
  {
    let texts = try Self.names().filter { $0.key.hasSuffix("@\(language)") }
    try #require(texts.count > 50)
    try await check(language, texts, pieces: Self.everyNth(9, of: texts), least: least)
  }

  @Test func `words of Hindi pages find what has them`() async throws {
    let texts = try Self.texts("tldr-hi")
    let asked = try MultilingualData.questions("tldr-hi").map(\.q)
    let truth = ScriptTruth(texts: texts)
    try await withTexts(texts) { moment in
      var exact = RecallAndPrecision()
      var typed = RecallAndPrecision()
      for word in Self.some(asked) {
        let wanted = truth.having(word)
        exact.add(word, found: try moment.all(word, isExact: true), wanted: wanted)
        typed.add(word, found: try moment.all(word, isExact: false), wanted: wanted)
      }
      print("words of Hindi pages, exactly: \(exact)")
      #expect(exact.recall >= 0.95 && exact.precision >= 0.95, "\(exact)")
      #expect(typed.recall >= 0.95, "\(typed)")
    }
  }

  /// Names of all languages of these scripts are in one store, so that a word may be anyone's.
  @Test func `words of names find what has them, and those first`() async throws {
    let languages = ["ar", "fa", "ur", "ps", "sd", "ug", "ckb", "he", "hi", "mr", "ne", "pi"]
    let texts = try Self.names().filter { item in
      languages.contains { item.key.hasSuffix("@\($0)") }
    }
    try #require(texts.count > 1_000)
    let truth = ScriptTruth(texts: texts)
    try await withTexts(texts) { moment in
      for language in ["ar", "fa", "ur", "he", "hi"] {
        let own = texts.filter { $0.key.hasSuffix("@\(language)") }
        let words = Set(own.values.flatMap { $0.flatMap(ScriptTruth.words) }).sorted()
        var exact = RecallAndPrecision()
        var first = RecallAndPrecision()
        for word in Self.some(words) {
          let wanted = truth.having(word)
          exact.add(word, found: try moment.all(word, isExact: true), wanted: wanted)
          let found = try moment.all(word, isExact: false)
          first.add(word, found: found.prefix(wanted.count), wanted: wanted)
        }
        print("words of \(language), exactly: \(exact)\nthe first hits: \(first)")
        #expect(exact.recall >= 0.95 && exact.precision >= 0.95, "\(language): \(exact)")
        #expect(first.recall >= 0.95 && first.precision >= 0.95, "\(language): \(first)")
      }
    }
  }

  @Test func `names are found plain, accented, decomposed and in capitals alike`() async throws {
    let names = Self.some(try MultilingualData.askedNames())
    let wanted = Set(names.flatMap(\.ids))
    // Every tenth name of all beside those that must be found.
    let texts = try Self.names().sorted { $0.key < $1.key }.enumerated().filter {
      wanted.contains($0.element.key) || $0.offset % 10 == 0
    }.map(\.element)
    try await withTexts(Dictionary(uniqueKeysWithValues: texts)) { moment in
      for name in names {
        for isExact in [false, true] {
          let plain = Set(try moment.all(name.q_plain, isExact: isExact))
          #expect(plain.isSuperset(of: name.ids), "\(name.q_plain)")
          for form in [name.q_accented, name.q_accented_nfd, name.q_upper] {
            #expect(try Set(moment.all(form, isExact: isExact)) == plain, "\(form)")
          }
        }
      }
    }
  }

  private func check(_ name: String, _ texts: [String: [String]], pieces: [String], least: Double)
    async throws
  {
    let truth = ScriptTruth(texts: texts)
    try await withTexts(texts) { moment in
      for isExact in [false, true] {
        var score = RecallAndPrecision()
        for piece in Self.some(pieces) {
          let found = try moment.all(piece, isExact: isExact)
          score.add(piece, found: found, wanted: truth.containing(piece))
        }
        print("\(name)\(isExact ? " exactly" : ""): \(score)")
        #expect(score.recall >= least && score.precision >= least, "\(name): \(score)")
      }
    }
  }

  private static func some<Query>(_ queries: [Query]) -> [Query] {
    let step = ProcessInfo.processInfo.environment["CAIRN_SCRIPTS"] == nil ? 10 : 1
    return queries.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }

  private static func everyNth(_ step: Int, of texts: [String: [String]]) -> [String] {
    let sample = ScriptSample(language: "", texts: texts.values.flatMap { $0 })
    return sample.pieces.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }

  private static func texts(_ set: String) throws -> [String: [String]] {
    let documents = try MultilingualData.documents(set)
    return Dictionary(uniqueKeysWithValues: documents.map { ($0.id, [$0.title, $0.text ?? ""]) })
  }

  private static func names() throws -> [String: [String]] {
    Dictionary(uniqueKeysWithValues: try MultilingualData.names().map { ($0.id, [$0.title]) })
  }
}
