import Query
import Testing

@Test func `A title filter keeps what it names`() throws {
  let context = EvaluationContext(now: Instant(seconds: 1_715_769_000))
  let record: [String: RecordValue] = ["title": .string("Lisbon Tram 28")]
  #expect(try QueryParser.parse("title == \"tram\"wc").matches(record, in: context))
  #expect(try !QueryParser.parse("title == \"tram\"w").matches(record, in: context))
}
