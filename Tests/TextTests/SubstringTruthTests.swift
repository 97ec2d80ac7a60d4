import Glibc
import TestSupport
import Testing
import Text

/// Recall and precision, each the mean over the queries.
private struct Score: CustomStringConvertible {
  private var recalls = 0.0
  private var precisions = 0.0
  private var count = 0.0

  mutating func add(found: Set<String>, wanted: Set<String>) {
    let both = Double(found.intersection(wanted).count)
    recalls += wanted.isEmpty ? 1 : both / Double(wanted.count)
    precisions += found.isEmpty ? 1 : both / Double(found.count)
    count += 1
  }

  var recall: Double { recalls / count }
  var precision: Double { precisions / count }
  var description: String { "recall \(recall), precision \(precision), \(Int(count)) queries" }
}

private struct Document: Decodable {
  var id: String
  var title: String
  var text: String?
}

private struct Question: Decodable {
  var kind: String
  var q: String
  var hits: Int?
  var ids: [String]
}

private struct Name: Decodable {
  var q_plain: String
  var q_accented: String
  var q_accented_nfd: String
  var q_upper: String
  var hits: Int
  var ids: [String]
}

@Suite(.enabled(if: SharedData.has("cjk-multilingual")))
struct SubstringTruthTests {
  @Test(
    "a query in a script without spaces finds what contains it, and nothing else",
    arguments: [
      ("zh-tang", 0.99), ("zh-classics", 0.99), ("tldr-zh_TW", 0.99), ("tldr-ja", 0.99),
      ("tldr-th", 0.95),
    ]
  )
  func substrings(set: String, least: Double) throws {
    let documents = try SharedData.rows(
      SharedData.data("cjk-multilingual/\(set).docs.jsonl"),
      Document.self
    )
    var index = TinyIndex()
    for document in documents {
      index.add(document.id, texts: [document.title, document.text ?? ""])
    }
    var score = Score()
    for question in try SharedData.rows(
      SharedData.data("cjk-multilingual/\(set).queries.jsonl"),
      Question.self
    ) {
      let wanted = Set(
        documents.filter {
          contains(question.q, in: $0.title) || contains(question.q, in: $0.text ?? "")
        }.map(\.id)
      )
      #expect(wanted.count == question.hits, "our reading of the oracle")
      let found = index.search(question.q)
      if question.kind == "absent" { #expect(found.isEmpty, "\(question.q)") }
      score.add(found: found, wanted: wanted)
    }
    #expect(score.recall >= least && score.precision >= least, "\(set): \(score)")
  }

  @Test func `Hindi words keep their vowel signs and are found whole`() throws {
    var index = TinyIndex()
    for document in try SharedData.rows(
      SharedData.data("cjk-multilingual/tldr-hi.docs.jsonl"),
      Document.self
    ) {
      index.add(document.id, texts: [document.title, document.text ?? ""])
    }
    var score = Score()
    for question in try SharedData.rows(
      SharedData.data("cjk-multilingual/tldr-hi.queries.jsonl"),
      Question.self
    ) {
      score.add(found: index.search(question.q), wanted: Set(question.ids))
    }
    #expect(score.recall >= 0.95 && score.precision >= 0.95, "\(score)")
  }

  @Test func `names are found plain, accented, decomposed and in capitals alike`() throws {
    var index = TinyIndex()
    for name in try SharedData.rows(
      SharedData.data("cjk-multilingual/names-iso_3166-1.jsonl"),
      Document.self
    ) {
      index.add(name.id, texts: [name.title])
    }
    for name in try SharedData.rows(
      SharedData.data("cjk-multilingual/names-iso_3166-1.queries.jsonl"),
      Name.self
    ) {
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
