import Testing

@testable import WebMarkup

/// Times as programs of all kinds write them.
@Suite struct WrittenTimeTests {
  @Test(arguments: [
    ("Wed, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z", 1_033_563_600_000_000 as Int64),
    ("2 Oct 2002 15:00 +0200", "2002-10-02T15:00:00+02:00", 1_033_563_600_000_000),
    ("Wed,02 oct 02 08:00:00 EST", "2002-10-02T08:00:00-05:00", 1_033_563_600_000_000),
    ("Sat, 03 October 70 00:00", "1970-10-03T00:00:00Z", 23_760_000_000_000),
  ])
  func `reads what mails have`(text: String, rfc3339: String, microseconds: Int64) {
    let time = WrittenTime(mail: text)
    #expect(time?.rfc3339 == rfc3339)
    #expect(time?.microseconds == microseconds)
  }

  @Test(arguments: [
    ("2002-10-02", "2002-10-02T00:00:00Z", 1_033_516_800_000_000 as Int64),
    ("2002-10-02 13:00", "2002-10-02T13:00:00Z", 1_033_563_600_000_000),
    ("2002-10-02t13:00:00,5 UTC", "2002-10-02T13:00:00.5Z", 1_033_563_600_500_000),
    (
      "2002-10-02T15:00:00.1234567 +0200", "2002-10-02T15:00:00.1234567+02:00",
      1_033_563_600_123_456
    ),
    ("2002-10-02T05:00-0800", "2002-10-02T05:00:00-08:00", 1_033_563_600_000_000),
  ])
  func `reads what ISO 8601 has`(text: String, rfc3339: String, microseconds: Int64) {
    let time = WrittenTime(iso: text)
    #expect(time?.rfc3339 == rfc3339)
    #expect(time?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "yesterday", "Wed, 32 Oct 2002 13:00:00 GMT", "2 Oct 2002 24:00", "2 Oct 2002 13:00 noon",
    "2002-02-29", "2002-10-02T13", "2002-10-02T13:00:00.", "2002-10-02T13:00:00Zx", "0000-01-01",
  ])
  func `takes nothing else`(text: String) {
    #expect(WrittenTime(mail: text)?.rfc3339 == nil)
    #expect(WrittenTime(iso: text)?.rfc3339 == nil)
  }
}
