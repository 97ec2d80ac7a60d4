import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: MultilingualData.isPresent)) struct SubstringTruthTests {
  @Test(
    "a query in a script without spaces finds what contains it, and nothing else",
    arguments: [
      ("zh-tang", 0.99), ("zh-classics", 0.99), ("tldr-zh_TW", 0.99), ("tldr-ja", 0.99),
      ("tldr-th", 0.95),
    ]) func substrings(set: String, least: Double) throws
  {
    let documents = try MultilingualData.documents(set)
    var index = TinyIndex()
    for document in documents {
      index.add(document.id, texts: [document.title, document.text ?? ""])
    }
    var score = RecallAndPrecision()
    for question in try MultilingualData.questions(set) {
      let wanted = Set(
        documents.filter {
          contains(question.q, in: $0.title) || contains(question.q, in: $0.text ?? "")
        }.map(\.id))
      #expect(wanted.count == question.hits, "our reading of the oracle")
      let found = index.search(question.q)
      if question.kind == "absent" { #expect(found.isEmpty, "\(question.q)") }
      score.add(question.q, found: found, wanted: wanted)
    }
    #expect(score.recall >= least && score.precision >= least, "\(set): \(score)")
  }

  @Test func `Hindi words keep their vowel signs and are found whole`() throws {
    var index = TinyIndex()
    for document in try MultilingualData.documents("tldr-hi") {
      index.add(document.id, texts: [document.title, document.text ?? ""])
    }
    var score = RecallAndPrecision()
    for question in try MultilingualData.questions("tldr-hi") {
      score.add(question.q, found: index.search(question.q), wanted: question.ids)
    }
    #expect(score.recall >= 0.95 && score.precision >= 0.95, "\(score)")
  }

  @Test func `names are found plain, accented, decomposed and in capitals alike`() throws {
    var index = TinyIndex()
    for name in try MultilingualData.names() { index.add(name.id, texts: [name.title]) }
    for name in try MultilingualData.askedNames() {
      let plain = index.search(name.q_plain)
      #expect(plain == index.search(name.q_accented), "\(name.q_accented)")
      #expect(plain == index.search(name.q_accented_nfd), "\(name.q_accented_nfd)")
      #expect(plain == index.search(name.q_upper), "\(name.q_upper)")
      #expect(plain.count == name.hits, "\(name.q_plain) \(plain.subtracting(name.ids).sorted())")
      #expect(plain.isSuperset(of: name.ids), "\(name.q_plain)")
    }
  }

  /// By bytes: String's own search compares canonical equivalents.
  private func contains(_ needle: String, in text: String) -> Bool {
    unsafe strstr(text, needle) != nil
  }
}
