import Foundation
import Testing

@testable import Query

struct CivilDateTests {
  @Test func `Days agree with Foundation's Gregorian calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for day in stride(from: Int64(-140_000), through: 140_000, by: 97) {
      let date = CivilDate(daysSince1970: day)
      let expected = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      // Foundation turns Julian before October 1582; the language has no such dates.
      if day > -141_427 {
        #expect(date.year == Int64(expected.year ?? 0))
        #expect(date.month == Int64(expected.month ?? 0))
        #expect(date.day == Int64(expected.day ?? 0))
      }
      #expect(date.daysSince1970 == day)
    }
  }

  @Test func `Days and dates are inverse far outside the calendar`() {
    for day in [-400_000_000_000, -719_469, -719_468, -1, 0, 59, 60, 400_000_000_000] as [Int64] {
      #expect(CivilDate(daysSince1970: day).daysSince1970 == day)
    }
  }

  @Test(arguments: [
    ("0000-01-01T00:00:00Z", -62_167_219_200), ("1969-12-31T23:59:59Z", -1),
    ("1970-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00Z", 978_307_200),
    ("2024-02-29T12:00:00Z", 1_709_208_000), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ]) func `RFC 3339 reads and prints the same instant`(text: String, seconds: Int64) {
    let instant = Instant(iso8601: text.utf8.span, requiresZone: true)
    #expect(instant == Instant(seconds: seconds))
    #expect(instant?.rfc3339 == text)
  }
}
