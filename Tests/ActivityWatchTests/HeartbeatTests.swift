import ActivityWatch
import Events
import Foundation
import Testing

/// Heartbeats become the events that aw-core makes of them; `Oracle/heartbeats.py` wrote the rows.
@Suite struct HeartbeatTests {
  @Test func eventsAreThoseOfAWCore() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/heartbeats.json")
    for run in try JSONValue(parsing: Array(Data(contentsOf: url)).span).elements {
      guard case .number(let seconds) = run["pulsetime"], let pulse = Double(seconds),
        let pulsetime = WatchedEvent.microseconds(pulse)
      else { throw Malformed() }
      var events: [WatchedEvent] = []
      for beat in run["heartbeats"].elements {
        let heartbeat = try WatchedEvent(json: beat)
        if let merged = events.last?.merged(with: heartbeat, pulsetime: pulsetime) {
          events[events.count - 1] = merged
        } else {
          events.append(heartbeat)
        }
      }
      for (event, expected) in zip(events, run["events"].elements) {
        var bytes: [UInt8] = []
        event.append(to: &bytes)
        #expect(JSONEquality.equal(try JSONValue(parsing: bytes.span), expected))
      }
      #expect(events.count == run["events"].elements.count)
    }
  }

  private struct Malformed: Error {}

  /// As Python has it: whole numbers are equal to the last digit, and to a real one of their value.
  @Test(arguments: [
    ("9007199254740993", "9007199254740992", false),
    ("9007199254740993", "9007199254740992.0", false),
    ("18446744073709551615", "18446744073709551614", false),
    ("3", "3.0", true), ("1e2", "100", true), ("-0", "0", true), ("0.5", "5e-1", true),
    ("1", "true", false),
  ])
  func heartbeatsMergeOverEqualNumbersAlone(a: String, b: String, areEqual: Bool) throws {
    let (first, second) = try (event(seeing: a), event(seeing: b))
    #expect((first.merged(with: second, pulsetime: 1) != nil) == areEqual)
  }

  private func event(seeing number: String) throws -> WatchedEvent {
    let text = "{\"timestamp\":\"2024\",\"data\":{\"tab\":\(number)}}"
    return try WatchedEvent(json: JSONValue(parsing: Array(text.utf8).span))
  }

  @Test(arguments: [
    "{}", "[]", "{\"timestamp\":5}", "{\"timestamp\":\"2024\",\"duration\":\"1\"}",
    "{\"timestamp\":\"2024-13-01\"}", "{\"timestamp\":\"2024-02-30\"}",
    "{\"timestamp\":\"202402\"}", "{\"timestamp\":\"0001-01-01T00:00+00:01\"}",
    "{\"timestamp\":\"9999-12-31T23:59-00:01\"}",
    "{\"timestamp\":\"2024\",\"duration\":1e300}", "{\"timestamp\":\"2024\",\"id\":-1}",
    "{\"timestamp\":\"2024\",\"id\":1.5}", "{\"timestamp\":\"2024\",\"data\":[]}",
  ])
  func malformedEventsAreRefused(text: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8).span)
    #expect(throws: WatchedEvent.Refusal.self) { try WatchedEvent(json: json) }
  }

  @Test(arguments: [
    ("2024", "2024-01-01T00:00:00+00:00"),
    ("2024-02-29T23:59:59.9999999Z", "2024-02-29T23:59:59.999999+00:00"),
    ("20240229T235959,5-0830", "2024-02-29T23:59:59.500000-08:30"),
    ("2024-2-9 07:08", "2024-02-09T07:08:00+00:00"),
    ("1969-12-31T23Z", "1969-12-31T23:00:00+00:00"),
    ("0001-01-01T00:00:00.1+02", "0001-01-01T00:00:00.100000+02:00"),
  ])
  func timesAreReadAndWrittenAsPythonDoes(text: String, isoformat: String) {
    #expect(ActivityTime(text)?.isoformat == isoformat)
  }
}
