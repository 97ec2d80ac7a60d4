import Events
import Query
import Text

enum QueryDecoders {
  static let filters: [[UInt8]] = [
    #"title == "Lisbon Tram 28"cdwt && !(pageCount > 12 || InRange(rating, -1.5e3, 2))"#,
    #"** == 'it\'s *?'cd || contentModificationDate >= $time.this_week(-2)"#,
    #"a = 1 && b != "x\"y\\" && c ==[cd] "é*が" && d < $time.iso(2024-05-15T10:30:00.5+02:00)"#,
    "2024-02-29T23:59:60.123456789-23:59", "1969-12-31T23:59:59Z",
  ].map { Array($0.utf8) }

  private struct Record: AttributeRecord {
    func offer(to probe: inout AttributeProbe) {
      for (name, text) in [
        ("title", "Lisbon Tram 28"), ("keywords", "é が"), ("keywords", "x*y"),
        ("contentModificationDate", "2024-05-15T10:30:00Z"),
      ] where !probe.isSettled && probe.wants(name.utf8.span) {
        probe.text(text.utf8.span)
      }
      if !probe.isSettled, probe.wants("pageCount".utf8.span) { probe.integer(12) }
    }
  }

  static func filter(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let time = Timestamp(rfc3339: text) {
      try DecoderFault.require(Timestamp(rfc3339: time.rfc3339) == time, "a time changes")
    }
    let context = EvaluationContext(now: Instant(seconds: 1_700_000_000))
    do throws(CairnError) {
      var evaluator = Predicate(try QueryParser.parse(text), in: context).evaluator()
      _ = evaluator.matches(Record())
    } catch {
      try DecoderFault.require(
        (0...text.utf8.count).contains(error.offset ?? -1), "a filter is refused without a place")
    }
  }

  static let texts: [[UInt8]] = [
    "Harbour survey of the café, naïve Ελλάδα", "tram-28 foo_bar don't x@y.org 3.14",
    "東京タワーが大きい 한국어 ภาษาไทย العربية हिन्दी", "\"a phrase\" and an \"open one", "👩‍👩‍👧 🇵🇹 e\u{301}\u{0}",
  ].map { Array($0.utf8) }

  static func text(_ bytes: [UInt8]) throws {
    let analyzer = Analyzer()
    var buffer = TokenBuffer()
    analyzer.analyze(bytes, into: &buffer)
    _ = analyzer.analyzeQuery(String(decoding: bytes, as: UTF8.self), using: &buffer)
    _ = analyzer.fold(bytes, using: &buffer)
  }
}
