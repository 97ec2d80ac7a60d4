import Query
import Testing

struct TextMatchingTests {
  @Test(arguments: [
    // Canonical equivalence holds without modifiers.
    ("\"Zo\u{EB}\"", "Zoe\u{308}", true), ("\"Zoe\u{308}\"", "Zo\u{EB}", true),
    ("\"\u{212B}\"", "A\u{30A}", true), ("\"\u{D55C}\"", "\u{1112}\u{1161}\u{11AB}", true),
    ("\"q\u{323}\u{307}\"", "q\u{307}\u{323}", true), ("\"\u{1E69}\"", "s\u{307}\u{323}", true),
    // A match ends between characters, never inside one.
    ("\"Zoe*\"", "Zoe\u{308}", false), ("\"*e\"", "Zoe\u{308}", false),
    ("\"Zoe*\"d", "Zoe\u{308}", true), ("\"*\u{308}\"", "Zo\u{EB}", false),
    ("\"\u{1112}\u{1161}*\"", "\u{D55C}", false), ("\"Zo?\"", "Zoe\u{308}", true),
    ("\"a\r*\"", "a\r\nb", false), ("\"?\"", "👨‍👩‍👧", true), ("\"👨*\"", "👨‍👩‍👧", false),
    // Case.
    ("\"STRASSE\"c", "straße", true), ("\"straße\"c", "STRASSE", true),
    ("\"strasse\"c", "STRAẞE", true), ("\"ΣΊΣΥΦΟΣ\"c", "σίσυφος", true), ("\"ǆ\"c", "ǅ", true),
    ("\"ﬁn\"c", "FIN", true), ("\"İ\"c", "i̇", true), ("\"İ\"c", "i", false), ("\"İ\"cd", "i", true),
    ("\"ı\"c", "I", false), ("\"Ꭰ\"c", "ꭰ", true), ("\"s*\"c", "ß", false), ("\"ss*\"c", "ß", true),
    ("\"?\"c", "ß", true), ("\"Я\"c", "я", true), ("\"Я\"", "я", false),
    // Diacritics.
    ("\"uber\"d", "über", true), ("\"über\"d", "uber", true), ("\"uber\"d", "ÜBER", false),
    ("\"uber\"cd", "ÜBER", true), ("\"Lodz\"d", "Łódź", true), ("\"Tromso\"d", "Tromsø", true),
    ("\"Ελλας\"d", "Ελλάς", true), ("\"елка\"d", "ёлка", true), ("\"שלום\"d", "שָׁלוֹם", true),
    ("\"كتاب\"d", "كِتَاب", true), ("\"Ha Noi\"d", "Hà Nội", true), ("\"α\"cd", "ᾳ", true),
    ("\"か\"d", "が", false), ("\"は\"d", "ぱ", false), ("\"が\"d", "か\u{3099}", true),
    ("\"กน\"d", "กิน", false), ("\"कताब\"d", "किताब", false), ("\"\u{301}\"d", "", true),
    ("\"a*\u{301}\"d", "abc", true),
  ]) func `Texts are alike as Unicode and the modifiers say`(
    pattern: String, value: String, expected: Bool
  ) throws { #expect(try title(value, matches: pattern) == expected) }

  @Test(arguments: [
    ("\"C++\"w", "Modern C++ design", true), ("\"C+\"w", "Modern C++ design", false),
    ("\"C\"w", "Modern C++ design", true), ("\".jpg\"w", "paris-france.jpg", true),
    ("\"bar\"w", "foo_bar", true), ("\"2nd\"w", "The 2nd", true), ("\"nd\"w", "The 2nd", false),
    ("\"Pro\"w", "iPhone15Pro", false), ("\"Phone15Pro\"w", "iPhone15Pro", true),
    ("\"i\"w", "iPhone15Pro", true), ("\"École\"w", "monÉcole", true),
    ("\"cole\"w", "École", false), ("\"東京\"w", "東京都庁", true), ("\"都庁\"w", "東京都庁", true),
    ("\"กิน\"w", "ฉันกินข้าว", true), ("\"한국\"w", "대한국", false),
    ("\"love par*\"wc", "I love Paris", true), ("\"*ris\"w", "I love Paris now", true),
    ("\"*ris\"w", "I love Parisians", false), ("\"ov\"w", "I love Paris", false),
    ("\"*ov*\"w", "I love Paris", true), ("\"l*s\"w", "I love Paris", true),
    ("\"l*i\"w", "I love Paris", false), ("\"I*i\"w", "I love Paris i", true),
    ("\"p?ris\"wc", "I love Paris", true), ("\"a\"w", "", false), ("\"aab\"w", "aa aab", true),
    ("\"aab\"w", "aaab aab", true),
  ]) func `Words start and end at the edges of runs and case steps`(
    pattern: String, value: String, expected: Bool
  ) throws { #expect(try title(value, matches: pattern) == expected) }

  @Test(arguments: [
    ("\"tram yellow\"wt", "yellow tram", true), ("\"tram, yellow\"wt", "yellow tram", true),
    ("\"tram yellow\"t", "yellow tram", false), ("\"tram\"t", "tram", true),
    ("\"tr* yel*\"wt", "yellow tram", true), ("\"yel* zz\"wt", "yellow tram", false),
    ("\"*low t?am\"wt", "yellow tram", true), ("\"+\"wt", "a + b", true),
    ("\"-\"wt", "a + b", false), ("\"\"t", "", true), ("\"\"t", "a", false),
    ("\"tram * yellow\"wt", "yellow tram", true), ("\"e\u{301} x\"wt", "x \u{E9}", true),
  ]) func `Tokens are matched each on its own`(pattern: String, value: String, expected: Bool)
    throws
  { #expect(try title(value, matches: pattern) == expected) }

  @Test(arguments: [
    ("\"a*b*c\"", "aXbXbc", true), ("\"a*b*c\"", "aXbXbcd", false), ("\"*ab\"", "aab", true),
    ("\"*aab\"", "aaab", true), ("\"a?c\"", "abc", true), ("\"a?c\"", "ac", false),
    ("\"?*\"", "", false), ("\"?*\"", "x", true), ("\"*?\"", "xy", true), ("\"??\"", "xy", true),
    ("\"*?b*\"", "b", false), ("\"*?b*\"", "ab", true), ("\"a**b\"", "ab", true),
    ("\"a\\*b\"", "a*b", true), ("\"a\\*b\"", "axb", false), ("\"a\\?\"", "a?", true),
    ("\"a\\?\"", "ab", false), ("\"a\\\\b\"", "a\\b", true), ("'a\"b'", "a\"b", true),
    ("\"a'b\"", "a'b", true), ("'a\\'b'", "a'b", true), ("\"\\é\"", "é", true),
    ("\"a*a\"", "a", false), ("\"ab*ba\"", "aba", false), ("\"ab*ba\"", "abba", true),
  ]) func `Wildcards stand for characters unless escaped`(
    pattern: String, value: String, expected: Bool
  ) throws { #expect(try title(value, matches: pattern) == expected) }

  @Test func `Bytes that are no UTF-8 never trap and match as replacement characters`() throws {
    struct BrokenRecord: AttributeRecord {
      let bytes: [UInt8]
      func offer(to probe: inout AttributeProbe) {
        if probe.wants("title".utf8.span) { probe.text(bytes.span) }
      }
    }
    let record = BrokenRecord(bytes: [0x61, 0xFF, 0x62])
    let pattern = try QueryParser.parse("title == \"a\u{FFFD}b\"")
    #expect(pattern.matches(record, in: TramFixture.context))
    #expect(try QueryParser.parse("title == \"a*\"w").matches(record, in: TramFixture.context))
  }

  @Test func `Escaped user text stands for itself`() throws {
    func escaped(_ text: String) -> String {
      text.map { "\\\"'*?".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
    for text in ["a*b", "why?", "\"quoted\"", "it's", "back\\slash", "\\*", "é*", "\0"] {
      let query = "title == \"\(escaped(text))\""
      #expect(try keeps(query, ["title": .string(text)]))
      #expect(try !keeps(query, ["title": .string(text + "x")]))
    }
  }
}
