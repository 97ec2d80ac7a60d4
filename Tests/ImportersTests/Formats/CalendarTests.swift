import Events
import Foundation
import Testing

@testable import Importers

/// Entries of calendars in forms that our samples do not show.
@Suite struct CalendarTests {
  @Test func `a line of a calendar that is folded inside a character is whole`() throws {
    var text = Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Gr".utf8)
    text += [0xC3] + Array("\r\n ".utf8) + [0xBC] + Array("n\r\nCREATED:19000101T120000Z\r\n".utf8)
    text += Array("DTSTAMP:20240101T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    let history = try ImportedHistory([(try MadeFile.file("a.ics", Data(text)), "ics")])
    #expect(history.events.map { $0.text("title") } == ["Grün"])
    // Google writes 1900 where it does not know.
    #expect(history.events.first?.time?.rfc3339 == "2024-01-01T10:00:00Z")
  }

  @Test func `an entry without its end costs no other`() throws {
    func entry(_ number: Int, end: String) -> String {
      "BEGIN:VEVENT\nUID:\(number)\nDTSTAMP:20240101T000000Z\nBEGIN:VALARM\nEND:VALARM\n" + end
    }
    let end = "END:VEVENT\n"
    let entries = [entry(1, end: end), entry(2, end: ""), entry(3, end: end), entry(4, end: end)]
    let text = "BEGIN:VCALENDAR\n" + entries.joined() + "END:VCALENDAR\n"
    let path = try MadeFile.file("a.ics", text)
    let history = try ImportedHistory([(path, "ics")])
    #expect(history.events.compactMap(\.item) == ["calendar:1", "calendar:3", "calendar:4"])
    #expect(history.malformed == ["\(path):record 2: the entry has no end"])
  }

  @Test(arguments: ["\r", "\r\r\n"])
  func `lines of a calendar end as old Macs and programs that write returns twice end them`(
    newline: String
  ) throws {
    let text = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "SUMMARY:High", "  tide",
      "DTSTAMP:20240101T100000Z", "END:VEVENT ", "END:VCALENDAR", "",
    ].joined(separator: newline)
    let path = try MadeFile.file("a.ics", text)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "ics")
    let history = try ImportedHistory([(path, "ics")])
    #expect(history.events.map { $0.text("title") } == ["High tide"])
    #expect(history.malformed.isEmpty)
  }

  @Test func `an alarm without its end costs no entry`() throws {
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTAMP:20240101T000000Z\nBEGIN:VALARM\nEND:VEVENT\n"
      + "BEGIN:VTODO\nUID:2\nDTSTAMP:20240101T000000Z\nEND:VTODO\nEND:VCALENDAR\n"
    let history = try ImportedHistory([(try MadeFile.file("a.ics", text), "ics")])
    #expect(history.events.compactMap(\.item) == ["calendar:1", "calendar:2"])
    #expect(history.malformed.isEmpty)
  }

  @Test func `what Google was not told costs no entry`() throws {
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTAMP:20090714T145320Z\n"
      + "CREATED:00001231T000000Z\nEND:VEVENT\nEND:VCALENDAR\n"
    let history = try ImportedHistory([(try MadeFile.file("a.ics", text), "ics")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.map { $0.time?.rfc3339 } == ["2009-07-14T14:53:20Z"])
  }

  @Test func `an entry of a calendar ends after its length, days by the clock`() throws {
    // Clocks of Berlin went on by an hour in the night to 2024-03-31.
    let samples: [(String, String, String?)] = [
      (";TZID=Europe/Berlin:20240330T120000", "P1DT2H30M", "2024-03-31T12:30:00Z"),
      (";TZID=Europe/Berlin:20240330T120000", "PT24H", "2024-03-31T11:00:00Z"),
      (";VALUE=DATE:20240330", "+P1W", "2024-04-06T00:00:00Z"),
      (":20240330T120000Z", "-PT1H", nil), (":20240330T120000Z", "P1M", nil),
    ]
    for (start, length, end) in samples {
      let text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART\(start)\nDURATION:\(length)\n"
        + "END:VEVENT\nEND:VCALENDAR\n"
      let history = try ImportedHistory([(try MadeFile.file("a.ics", text), "ics")])
      #expect(history.events.map { $0.text("endDate") } == [end], "\(length)")
    }
  }
}
