package import Cairn

/// How an export writes events for other programs, one a line.
package enum EventFormat: String, CaseIterable, Sendable {
  /// As `append` reads them.
  case ndjson
  /// CloudEvents 1.0 in JSON.
  case cloudevents
  /// RFC 4180, with a header.
  case csv

  /// What stands above the events.
  package var head: [UInt8] { self == .csv ? Array((CSV.header + "\n").utf8) : [] }

  /// Appends the line of an event, its newline included.
  package func append(_ record: LogRecord, to bytes: inout [UInt8]) throws(CairnError) {
    switch self {
    case .ndjson: try record.appendJSON(to: &bytes)
    case .cloudevents: try CloudEvent.append(record, to: &bytes)
    case .csv:
      try CSV.append(
        RecordedEvent(sequence: record.sequence, event: try record.event), to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
