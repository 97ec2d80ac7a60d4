import Events
import TestSupport
import Testing

@Suite struct `The time of an event` {
  @Test(arguments: [
    ("1700000000", "2023-11-14T22:13:20Z"), ("1700000000.5", "2023-11-14T22:13:20.500Z"),
    ("1.7e9", "2023-11-14T22:13:20Z"), ("17000000000000e-4", "2023-11-14T22:13:20Z"),
    ("1700000000.123456789", "2023-11-14T22:13:20.123456789Z"),
    ("1700000000.1234567899999999999999", "2023-11-14T22:13:20.123456789Z"),
    ("0", "1970-01-01T00:00:00Z"), ("-0.0", "1970-01-01T00:00:00Z"),
    ("-0.5", "1969-12-31T23:59:59.500Z"), ("-1", "1969-12-31T23:59:59Z"),
    ("1e-9", "1970-01-01T00:00:00.000000001Z"), ("1e-10", "1970-01-01T00:00:00Z"),
    ("1e-400", "1970-01-01T00:00:00Z"), ("0.0000000001234567890123456789", "1970-01-01T00:00:00Z"),
    ("253402300799.999", "9999-12-31T23:59:59.999Z"), ("-62167219200", "0000-01-01T00:00:00Z"),
  ]) func `is read from Unix seconds without rounding`(_ number: String, _ written: String) throws {
    let output = try roundTrip(#"{"kind":"view","item":"a","time":"# + number + "}")
    #expect(output == #"{"kind":"view","item":"a","time":""# + written + #"","schema":2}"#)
  }

  @Test(arguments: [
    "253402300800", "-62167219200.1", "1e13", "1e400", "-1e15", "99999999999999999999",
  ]) func `outside the years 0000 to 9999 is refused`(_ number: String) {
    expectError(.badEvent) {
      try roundTrip(#"{"kind":"view","item":"a","time":"# + number + "}")
    }
  }
}
