package import Cairn
import Importers

/// An event in the envelope of CloudEvents 1.0.2 (https://github.com/cloudevents/spec).
package enum CloudEvent {
  package static func write(_ recorded: RecordedEvent, to line: inout JSONLine) {
    let event = recorded.event
    line.field("specversion", "1.0")
    line.field("id", event.id?.uuidString ?? String(recorded.sequence))
    line.field(
      "source", event.source.map { "cairn:\(PercentEncoding.encode($0))" } ?? "cairn:store")
    line.field("type", "cairn.\(event.kind.name)")
    if let item = event.item { line.field("subject", item) }
    if let time = event.time ?? event.recorded { line.field("time", time.rfc3339) }
    line.field("datacontenttype", "application/json")
    // The sequence extension holds text that sorts.
    let digits = String(recorded.sequence)
    line.field("sequence", String(repeating: "0", count: max(0, 20 - digits.count)) + digits)
    var data: [UInt8] = []
    // What cannot be written as JSON cannot have been appended.
    try? recorded.appendJSON(to: &data)
    line.field("data", json: data)
  }

  /// The event in a line that `export --format cloudevents` wrote, as `append` takes it; nil for
  /// any other line.
  ///
  /// Its data are the event, and come last.
  package static func event(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.starts(with: Array("{\"specversion\":".utf8)), line.last == UInt8(ascii: "}"),
      line.firstRange(of: Array("\"type\":\"cairn.".utf8)) != nil,
      let data = line.firstRange(of: Array(",\"data\":".utf8)),
      (try? JSONValue(parsing: Array(line).span)) != nil
    else { return nil }
    return line[data.upperBound...].dropLast()
  }
}
