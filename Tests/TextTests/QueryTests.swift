import Testing
import Text

struct QueryTests {
  /// Clauses as `kind(term@position …)`, `*` for a prefix, a final `…` when more may follow.
  private func render(_ query: String) -> String {
    let tokens = Analyzer().analyzeQuery(query)
    let clauses = tokens.clauses.map { clause in
      let terms = clause.terms.map {
        String(decoding: $0.bytes, as: UTF8.self) + ($0.isPrefix ? "*" : "") + "@\($0.position)"
      }
      return "\(clause.kind)(\(terms.joined(separator: " ")))"
    }
    return clauses.joined(separator: " ") + (tokens.isOpen ? "…" : "")
  }

  @Test(
    "a query is words, names, runs and phrases",
    arguments: [
      ("foo ba", "word(foo@0) word(ba@0)…"), ("foo ba ", "word(foo@0) word(ba@0)"),
      ("foo ba*", "word(foo@0) word(ba@0)…"), ("ba* foo.", "word(ba@0) word(foo@0)"), ("*", ""),
      ("node.js don’t a::b", "joined(node@0 js@1) joined(don@0 t@1) joined(a@0 b@1)…"),
      ("read,write (now)", "word(read@0) word(write@0) word(now@0)"),
      ("\"to be\" or", "phrase(to@0 be@1) word(or@0)…"), ("“to be”", "phrase(to@0 be@1)"),
      ("say \"to be or n", "word(say@0) phrase(to@0 be@1 or@2 n@3)…"), ("\"one\"", "phrase(one@0)"),
      ("東京都 京", "run(東京@0 京都@1) run(京*@0)"), ("東京、大阪", "run(東京@0) run(大阪@0)"),
      ("Linux系统", "joined(linux@0 系统@1)"), ("Linux 系统", "word(linux@0) run(系统@0)"),
      ("第2章x y", "joined(第*@0 2@1 章*@2 x@3) word(y@0)…"), ("系统v2.x", "joined(系统@0 v2@2 x@3)…"),
      ("v2、系统", "word(v2@0) run(系统@0)"), ("gitคำ", "joined(git@0 ค\u{E4D}@1 \u{E4D}า@2)"),
      ("\"東京 タワー x\"", "phrase(東京@0 タワ@2 ワー@3 x@5)"), ("\"の x\"", "phrase(の*@0 x@1)"),
      ("ก", "run(ก*@0)"), ("คำ x", "run(ค\u{E4D}@0 \u{E4D}า@1) word(x@0)…"), ("🚀", "word(🚀@0)…"),
      ("", ""), ("\"", ""), ("!? — \"\"", ""),
    ]) func clauses(query: String, expected: String)
  { #expect(render(query) == expected) }

  @Test func `parts, variants and dictionary words come along`() {
    let parts = Analyzer().analyzeQuery("iPhone15").clauses
    #expect(parts.first?.parts == ["i", "phone", "15"].map { Array($0.utf8) })
    let variant = Analyzer().analyzeQuery("\"Łódź Ost\"").clauses.first?.terms
    #expect(variant?.map(\.variant) == [Array("lodz".utf8), nil])
    let thai = Analyzer().analyzeQuery("คำสั่งนี้").clauses
    #expect(thai.count == 1 && (thai.first?.words.count ?? 0) > 1)
  }

  @Test func `terms know the bytes of the query they stand for`() {
    let query = "Größe  東京"
    let clauses = Analyzer().analyzeQuery(query).clauses
    #expect(clauses.map { $0.terms[0].sourceRange } == [0..<7, 9..<15])
  }

  private static func termCount(of tokens: QueryTokens) -> Int {
    tokens.clauses.reduce(0) { $0 + $1.terms.count }
  }

  @Test func `a pasted book is cut at the limits`() {
    let word = "word "
    let tokens = Analyzer().analyzeQuery(String(repeating: word, count: 100_000))
    #expect(Self.termCount(of: tokens) == TextLimits.queryTermCount)
    let long = Analyzer().analyzeQuery(String(repeating: "京", count: 100_000))
    #expect(Self.termCount(of: long) <= TextLimits.queryTermCount)
  }
}
