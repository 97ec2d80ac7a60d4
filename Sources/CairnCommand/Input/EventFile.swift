import Cairn
import Importers
import Rows

/// How events stand in a file that is no other program's.
enum EventFile: String, CaseIterable {
  /// One JSON object a line, as `append` takes it and `export` writes it.
  case ndjson
  /// Comma-separated values with a header, as `export --format csv` writes them.
  case csv
  /// CloudEvents 1.0, one a line; `ndjson` reads them too.
  case cloudevents

  /// What it is, for people.
  var summary: String {
    switch self {
    case .ndjson: "events of cairn, one JSON object a line, as from export"
    case .csv: "events of cairn as a table, and tables of others"
    case .cloudevents: "events of cairn as CloudEvents 1.0, of type cairn.KIND"
    }
  }

  /// What a file holds, by its first bytes; nil for neither.
  static func recognised(_ path: String) -> EventFile? {
    guard !WholeInput.isPipe(path), let stream = try? ByteStream(path: path),
      (try? stream.next()) == true
    else { return nil }
    let line = stream.chunk.prefix { $0 != 0x0A }
    let first = ByteOrderMark.dropped(from: line)
    if first.first == UInt8(ascii: "{") {
      // An envelope that holds no event of ours is in another format.
      guard let text = try? CloudEvent.event(in: first) ?? first else { return nil }
      // What is no JSON is in another format.
      guard let members = JSONObject(json: text), let kind = members["kind"]?.string else {
        return nil
      }
      return EventKind(name: kind) == nil ? nil : .ndjson
    }
    return CSV.isHeader(CSVRows.names(in: first)) ? .csv : nil
  }

  /// Hands every event of the file to a batch; of a table, `naming` says what its columns mean.
  func read(_ path: String, _ naming: TableNaming = TableNaming(), into batch: inout EventBatch)
    throws(Failure)
  {
    switch self {
    case .ndjson, .cloudevents:
      var reader = try LineReader(path)
      try batch.read(&reader)
    case .csv: try readRows(path, naming, into: &batch)
    }
  }

  private func readRows(_ path: String, _ naming: TableNaming, into batch: inout EventBatch)
    throws(Failure)
  {
    var table: CSVEvents
    TypedInput.tell(of: path)
    do throws(CairnError) {
      let rows = try CSVRows(try ByteStream(path: path), keepsBytes: batch.sink.keepsRejects)
      if let problem = TableOptions.problem(of: naming, in: rows.header) {
        throw CairnError(.malformed, problem)
      }
      table = try CSVEvents(rows, zone: batch.zone, naming: naming)
    } catch { throw Failure(error, place: path) }
    batch.setHeader(table.headerBytes, of: path)
    var hasSchema = !table.needsSchema
    while true {
      let row: CSVRows.Row?
      do throws(CairnError) { row = try table.next() } catch { throw Failure(error, place: path) }
      guard let row else { return }
      if !hasSchema {
        hasSchema = true
        table.schema = try batch.sink.schema()
      }
      let event: [UInt8]
      do throws(MalformedLine) { event = try table.event(of: row) } catch {
        batch.refuse(row.bytes[...], place: path, number: row.line, reason: error.reason)
        continue
      }
      try batch.add(event[...], place: path, number: row.line, as: row.bytes[...])
      if batch.isFull { try batch.submit() }
    }
  }
}
