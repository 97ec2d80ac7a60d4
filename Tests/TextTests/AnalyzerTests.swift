import Testing
import Text

struct AnalyzerTests {
  /// Terms as `word`, `.part`, `:gram`, each with its position.
  private func render(_ text: String) -> String {
    var buffer = TokenBuffer()
    Analyzer().analyze(Array(text.utf8), into: &buffer)
    return buffer.tokens.map { token in
      let mark = [TermSpace.word: "", .part: ".", .gram: ":"][token.space] ?? ""
      return mark + String(decoding: buffer.term(token), as: UTF8.self) + "@\(token.position)"
    }.joined(separator: " ")
  }

  @Test(
    "version 1 of the analyzer cuts these texts so for ever",
    arguments: [
      ("Hello, World", "hello@0 world@1"),
      ("fooBar HTTPServer URLs", "foobar@0 .foo@0 .bar@0 httpserver@1 .http@1 .server@1 urls@2"),
      ("iPhone15Pro utf8", "iphone15pro@0 .i@0 .phone@0 .15@0 .pro@0 utf8@1 .utf@1 .8@1"),
      ("snake_case::path/to-it", "snake@0 case@1 path@2 to@3 it@4"), ("Łódź", "łodz@0 .lodz@0"),
      ("MünchenStadt", "munchenstadt@0 .munchen@0 .stadt@0"),
      ("e\u{301}cole ÉCOLE", "ecole@0 ecole@1"), ("ΑΘΉΝΑ ΐ ᾳ", "αθηνα@0 ι@1 αι@2"),
      ("Ёлка Йод", "елка@0 иод@1"), ("שָׁלוֹם", "שלום@0"),
      ("مُحَمَّد أحمد كتــاب", "محمد@0 احمد@1 كتاب@2"), ("Հայաստան", "հայաստան@0"),
      ("हिन्दी क़लम", "हिन्दी@0 क\u{93C}लम@1"), ("தமிழ் বাংলা", "தமிழ்@0 বাংলা@1"),
      ("東京都庁 京", ":東京@0 :京都@1 :都庁@2 :庁@3 :京@4"), ("東京 京都", ":東京@0 :京@1 :京都@2 :都@3"),
      ("Linux系统x", "linux@0 :系统@1 :统@2 x@3"), ("ｶﾞｷﾞ が ガ か\u{3099}", ":ガギ@0 :ギ@1 :が@2 :ガ@3 :が@4"),
      ("データ・ベース", ":デー@0 :ータ@1 :タ@2 :ベー@3 :ース@4 :ス@5"), ("한국어 검색", ":한국@0 :국어@1 :어@2 :검색@3 :색@4"),
      ("ㅎㅏㄴ", ":하ᄂ@0 :ᄂ@1"), ("ＡＢＣ１２３", "abc123@0 .abc@0 .123@0"), ("٢٠٢٤ १२", "2024@0 12@1"),
      ("ﬁne m² ½", "fine@0 m2@1 .m@1 .2@1 ½@2"),
      ("co\u{AD}operate zero\u{200B}width \u{FEFF}bom", "cooperate@0 zero@1 width@2 bom@3"),
      ("go 🚀 now 🇫🇷 👨‍👩‍👧", "go@0 🚀@1 now@1 🇫🇷@2 👨@2 👩@2 👧@2"), ("→ © ™ — … !?", ""), ("", ""),
    ]) func goldens(text: String, expected: String)
  {
    #expect(render(text) == expected)
    #expect(Analyzer.version == 1)
  }

  @Test func `Thai gives dictionary words and pairs that cover the run`() {
    var buffer = TokenBuffer()
    Analyzer().analyze(Array("คำสั่งนี้เป็น".utf8), into: &buffer)
    let words = buffer.tokens.filter { $0.space == .word }
    let grams = buffer.tokens.filter { $0.space == .gram }
    #expect(words.count > 1 && words.allSatisfy { $0.traits.contains(.dictionary) })
    #expect(grams.map(\.position) == (0..<UInt32(grams.count)).map { $0 })
    #expect(grams.first?.traits.contains(.startsRun) == true)
    #expect(grams.last?.traits.contains(.endsRun) == true)
    // Word by word the source is covered without a gap.
    for (left, right) in zip(words, words.dropFirst()) {
      #expect(left.sourceEnd == right.sourceStart)
    }
  }

  @Test func `a buffer forgets the text before`() {
    var buffer = TokenBuffer()
    Analyzer().analyze(Array("Łódź one two".utf8), into: &buffer)
    Analyzer().analyze(Array("three".utf8), into: &buffer)
    #expect(buffer.tokens.map { buffer.term($0) } == [Array("three".utf8)])
    #expect(buffer.positionCount == 1)
  }

  @Test func `the version names the code, ICU, Unicode and the tables`() {
    let version = Analyzer.versionString
    #expect(version.hasPrefix("text-1 icu-") && version.contains(" unicode-"))
    #expect(version == Analyzer.versionString)
  }

  @Test(
    "folding keeps what is no letter",
    arguments: [
      ("São Paulo!", "sao paulo!"), ("ＡＢＣ／１", "abc/1"), ("Straße", "strasse"), ("ŁÓDŹ", "łodz"),
      ("が ガ", "が ガ"), ("foo_BAR.x", "foo_bar.x"), ("", ""),
    ]) func folding(text: String, expected: String)
  { #expect(String(decoding: Analyzer().fold(text), as: UTF8.self) == expected) }
}
