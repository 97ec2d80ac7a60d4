import Foundation
import Testing
import Values

struct CivilDateTests {
  @Test func `Days agree with Foundation's Gregorian calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for day in stride(from: -140_000, through: 140_000, by: 97) {
      let date = CivilDate(daysSinceEpoch: day)
      let expected = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      // Foundation turns Julian before October 1582; the language has no such dates.
      if day > -141_427 {
        #expect(date.year == expected.year)
        #expect(date.month == expected.month)
        #expect(date.day == expected.day)
      }
      #expect(date.daysSinceEpoch == day)
    }
  }

  @Test func `Days and dates are inverse far outside the calendar`() {
    for day in [-400_000_000_000, -719_469, -719_468, -1, 0, 59, 60, 400_000_000_000] {
      #expect(CivilDate(daysSinceEpoch: day).daysSinceEpoch == day)
    }
  }
}
