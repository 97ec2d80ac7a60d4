import Testing
import Values

@testable import Query

struct InstantTests {
  @Test(arguments: [
    ("0000-01-01T00:00:00Z", -62_167_219_200), ("1969-12-31T23:59:59Z", -1),
    ("1970-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00Z", 978_307_200),
    ("2024-02-29T12:00:00Z", 1_709_208_000), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ]) func `RFC 3339 reads the same instant, with either`(text: String, seconds: Int64) {
    let instant = Instant(iso8601: text.utf8.span, requiresZone: true)
    #expect(instant == Instant(seconds: seconds))
    #expect(Timestamp(rfc3339: text)?.rfc3339 == text)
  }
}
