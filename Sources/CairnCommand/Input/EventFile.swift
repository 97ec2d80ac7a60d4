import Cairn
import Importers
import Rows

/// How events stand in a file that is no other program's.
enum EventFile: String, CaseIterable {
  /// One JSON object a line, as `append` takes it and `export` writes it.
  case ndjson
  /// Comma-separated values with a header, as `export --format csv` writes them.
  case csv

  /// What it is, for people.
  var summary: String {
    switch self {
    case .ndjson: "events of cairn: one JSON object a line, as export writes them"
    case .csv: "events of cairn as a table, as export --format csv writes them"
    }
  }

  /// What a file holds, by its first bytes; nil for neither.
  static func recognised(_ path: String) -> EventFile? {
    guard path != "-", let stream = try? ByteStream(path: path), (try? stream.next()) == true else {
      return nil
    }
    let first = stream.chunk.prefix { $0 != 0x0A }
    if let text = CloudEvent.event(in: first) ?? (first.first == UInt8(ascii: "{") ? first : nil) {
      // What is no JSON is in another format.
      guard case .object(let members)? = try? JSONValue(parsing: Array(text).span),
        case .string(let kind)? = members["kind"]
      else { return nil }
      return EventKind(name: kind) == nil ? nil : .ndjson
    }
    return CSV.isHeader(CSVRows.names(in: first)) ? .csv : nil
  }

  /// Hands every event of the file to a batch.
  func read(_ path: String, into batch: inout EventBatch) throws(Failure) {
    switch self {
    case .ndjson:
      var reader = try LineReader(path)
      try batch.read(&reader)
    case .csv: try readRows(path, into: &batch)
    }
  }

  private func readRows(_ path: String, into batch: inout EventBatch) throws(Failure) {
    var rows: CSVRows
    do throws(CairnError) {
      rows = try CSVRows(try ByteStream(path: path))
    } catch { throw Failure(error, place: path) }
    guard CSV.isHeader(rows.names) else {
      throw Failure(
        .data, "has no columns kind and item: these are no events; see: cairn export --format csv",
        place: path)
    }
    while true {
      let row: CSVRows.Row?
      do throws(CairnError) { row = try rows.next() } catch { throw Failure(error, place: path) }
      guard let row else { return }
      try Self.take(row, rows.header, path, into: &batch)
    }
  }

  private static func take(
    _ row: CSVRows.Row, _ header: [String], _ path: String, into batch: inout EventBatch
  ) throws(Failure) {
    let event: [UInt8]
    do throws(CSV.Malformed) { event = try CSV.event(header, row.fields) } catch {
      return batch.refuse([], place: path, number: row.line, reason: error.reason)
    }
    try batch.add(event[...], place: path, number: row.line)
    if batch.isFull { try batch.passOn() }
  }
}
