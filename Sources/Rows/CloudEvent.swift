package import Cairn
import Importers

/// An event in the envelope of CloudEvents 1.0.2 (https://github.com/cloudevents/spec).
package enum CloudEvent {
  /// Appends the line of an event, without making values of it.
  package static func append(_ record: LogRecord, to line: inout [UInt8]) throws(CairnError) {
    line += "{\"specversion\":\"1.0\",\"id\":\"".utf8
    record.id.appendUUID(to: &line)
    line += "\",\"source\":\"cairn:".utf8
    let source = record.source.map { PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }
    line += (source ?? "store").utf8
    line += "\",\"type\":\"cairn.\(record.kind.name)\"".utf8
    if let item = record.item {
      line += ",\"subject\":".utf8
      JSONText.append(String(decoding: item, as: UTF8.self), to: &line)
    }
    line += ",\"time\":\"".utf8
    record.time.appendRFC3339(to: &line)
    // The sequence extension holds text that sorts.
    line += "\",\"datacontenttype\":\"application/json\",\"sequence\":\"".utf8
    let digits = String(record.sequence).utf8
    line += repeatElement(UInt8(ascii: "0"), count: max(0, 20 - digits.count))
    line += digits
    line += "\",\"data\":".utf8
    try record.appendJSON(to: &line)
    line.append(UInt8(ascii: "}"))
  }

  /// The event in a line that `export --format cloudevents` wrote, as `append` takes it; nil for
  /// any other line.
  ///
  /// Its data are the event, and come last.
  package static func event(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // What is no JSON is refused as an event, with its place.
    guard line.starts(with: Array("{\"specversion\":".utf8)), line.last == UInt8(ascii: "}"),
      line.firstRange(of: Array("\"type\":\"cairn.".utf8)) != nil,
      let data = line.firstRange(of: Array(",\"data\":".utf8)),
      (try? JSONValue(parsing: Array(line).span)) != nil
    else { return nil }
    return line[data.upperBound...].dropLast()
  }
}
