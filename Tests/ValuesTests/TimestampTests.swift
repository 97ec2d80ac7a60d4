import Testing
import Values

@Suite struct `A time` {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
      ("1985-04-12T23:20:50.52Z", 482_196_050, 520_000_000, "1985-04-12T23:20:50.520Z"),
      ("1996-12-19T16:39:57-08:00", 851_042_397, 0, "1996-12-20T00:39:57Z"),
      ("1990-12-31T23:59:60Z", 662_688_000, 0, "1991-01-01T00:00:00Z"),
      ("1990-12-31T15:59:60-08:00", 662_688_000, 0, "1991-01-01T00:00:00Z"),
      ("1937-01-01T12:00:27.87+00:20", -1_041_337_173, 870_000_000, "1937-01-01T11:40:27.870Z"),
      ("2000-02-29t12:00:00z", 951_825_600, 0, "2000-02-29T12:00:00Z"),
      ("2000-02-29 12:00:00+00:00", 951_825_600, 0, "2000-02-29T12:00:00Z"),
      ("2024-02-29T00:00:00.000000001Z", 1_709_164_800, 1, "2024-02-29T00:00:00.000000001Z"),
      (
        "2024-02-29T00:00:00.1234567899Z", 1_709_164_800, 123_456_789,
        "2024-02-29T00:00:00.123456789Z"
      ), ("2024-02-29T00:00:00.000100Z", 1_709_164_800, 100_000, "2024-02-29T00:00:00.000100Z"),
      ("2024-02-29T00:00:00.000Z", 1_709_164_800, 0, "2024-02-29T00:00:00Z"),
      ("1969-12-31T23:59:59.5Z", -1, 500_000_000, "1969-12-31T23:59:59.500Z"),
      ("0000-01-01T00:00:00Z", -62_167_219_200, 0, "0000-01-01T00:00:00Z"),
      ("0000-02-29T00:00:00-00:00", -62_162_121_600, 0, "0000-02-29T00:00:00Z"),
      (
        "9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999,
        "9999-12-31T23:59:59.999999999Z"
      ), ("2024-01-01T00:00:00+23:59", 1_703_980_860, 0, "2023-12-31T00:01:00Z"),
    ] as [(String, Int64, UInt32, String)]) func `is read from RFC 3339 and written again`(
      _ text: String, _ seconds: Int64, _ nanoseconds: UInt32, _ written: String
    ) throws
  {
    let time = try #require(Timestamp(rfc3339: text))
    #expect(time == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    #expect(time.rfc3339 == written)
    #expect(Timestamp(rfc3339: written) == time)
  }

  @Test(arguments: [
    "", "2024", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T00:00Z", "2024-1-01T00:00:00Z",
    "2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z",
    "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-04-31T00:00:00Z", "2024-01-01T24:00:00Z",
    "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T12:30:60Z",
    "2024-01-01T23:59:60+01:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00,5Z",
    "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+00:60", "2024-01-01T00:00:00+0000",
    "2024-01-01T00:00:00+00", "2024-01-01T00:00:00ZZ", "2024-01-01T00:00:00Z ",
    " 2024-01-01T00:00:00Z", "+024-01-01T00:00:00Z", "2024-01-01T00:00:00.5",
    "2024-01-01_00:00:00Z", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
    "9999-12-31T23:59:60Z", "２０２４-01-01T00:00:00Z", "1700000000",
  ]) func `is refused when it is none`(_ text: String) { #expect(Timestamp(rfc3339: text) == nil) }

  @Test func `made from doubles and microseconds stays in range and in order`() {
    #expect(Timestamp(unixSeconds: 1.5) == Timestamp(seconds: 1, nanoseconds: 500_000_000))
    #expect(Timestamp(unixSeconds: -0.25) == Timestamp(seconds: -1, nanoseconds: 750_000_000))
    #expect(Timestamp(unixSeconds: .infinity) == .latest)
    #expect(Timestamp(unixSeconds: -1e300) == .earliest)
    #expect(Timestamp(unixSeconds: .nan).seconds == 0)
    #expect(Timestamp(microseconds: -1).rfc3339 == "1969-12-31T23:59:59.999999Z")
    #expect(Timestamp(microseconds: .min) == .earliest)
    #expect(Timestamp(microseconds: .max) == .latest)
    for time in [Timestamp.earliest, Timestamp(seconds: -1), Timestamp(seconds: 0), .latest] {
      #expect(
        Timestamp(microseconds: time.microseconds) <= time
          && Timestamp(microseconds: time.microseconds).seconds == time.seconds)
    }
    #expect(Timestamp.now() > Timestamp(seconds: 1_600_000_000))
  }

  @Test func `has a day that agrees with counting days one by one`() {
    var day = CivilDate(year: -1, month: 12, day: 31)
    let first = day.daysSinceEpoch
    var wrong = 0
    for days in first..<first + 800_000 {
      if day.daysSinceEpoch != days || CivilDate(daysSinceEpoch: days) != day { wrong += 1 }
      day.day += 1
      if day.day > CivilDate.dayCount(year: day.year, month: day.month) {
        day.day = 1
        day.month += 1
        if day.month > 12 { (day.month, day.year) = (1, day.year + 1) }
      }
    }
    #expect(wrong == 0)
    #expect(CivilDate(year: 1970, month: 1, day: 1).weekday == 4)
    #expect(CivilDate(year: 2026, month: 11, day: 21).weekday == 6)
    #expect(CivilDate(year: 1969, month: 12, day: 28).weekday == 7)
  }
}
