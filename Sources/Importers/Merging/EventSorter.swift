import Files
package import Values

/// Puts the events of all files of an import in the order of their time, in bounded memory.
///
/// What does not fit is sorted and written to scratch files that have no name, so that nothing of
/// it outlives the process; at the end all are merged, and what was sorted in memory is given back
/// before. Events of one time stay in the order in which they came.
package final class EventSorter {
  private var rows: [UInt8] = []
  private var places: [(time: Int64, start: Int)] = []
  private var runs: [SortedRun] = []
  private let scratch: String

  /// Memory for what is not written yet.
  private let rowByteCountMax: Int

  package private(set) var count = 0

  package init(scratch: String, rowByteCountMax: Int = 24 << 20) {
    self.scratch = scratch
    self.rowByteCountMax = rowByteCountMax
  }

  package func add(_ entry: SortedEntry) throws(CairnError) {
    // Growth by doubling would hold the rows twice over while it copies them.
    if rows.isEmpty { rows.reserveCapacity(rowByteCountMax + (1 << 16)) }
    places.append((entry.time, rows.count))
    EntryRow.append(entry, to: &rows)
    count += 1
    if rows.count >= rowByteCountMax { try writeRun() }
  }

  private func sortPlaces() {
    places.sort { $0.time != $1.time ? $0.time < $1.time : $0.start < $1.start }
  }

  private func writeRun() throws(CairnError) {
    sortPlaces()
    let run = try SortedRun(scratch: scratch)
    for place in places {
      guard let count = EntryRow.byteCount(rows, at: place.start) else { continue }
      try run.append(rows[place.start..<place.start + count])
    }
    try run.finishWriting()
    runs.append(run)
    rows.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  /// Gives every event, oldest first; once.
  package func forEach<Failure>(_ body: (SortedEntry) throws(Failure) -> Void) throws(MergeError<
    Failure
  >) {
    guard runs.isEmpty else { return try merge(body) }
    sortPlaces()
    for place in places {
      guard let entry = EntryRow.entry(rows, at: place.start) else { continue }
      do throws(Failure) { try body(entry) } catch { throw .body(error) }
    }
  }

  private func merge<Failure>(_ body: (SortedEntry) throws(Failure) -> Void) throws(MergeError<
    Failure
  >) {
    do throws(CairnError) { try writeRun() } catch { throw .scratch(error) }
    rows = []
    places = []
    var heads: [SortedEntry?] = []
    for run in runs { heads.append(try Self.next(of: run, Failure.self)) }
    // Runs are few; of one time the first run's event came first.
    var times = heads.map { $0?.time }
    while true {
      var best: Int?
      var least = Int64.max
      for (index, time) in times.enumerated() {
        guard let time, best == nil || time < least else { continue }
        best = index
        least = time
      }
      guard let best, let entry = heads[best] else { return }
      heads[best] = try Self.next(of: runs[best], Failure.self)
      times[best] = heads[best]?.time
      do throws(Failure) { try body(entry) } catch { throw .body(error) }
    }
  }

  private static func next<Failure>(of run: SortedRun, _: Failure.Type)
    throws(MergeError<Failure>) -> SortedEntry?
  {
    do throws(CairnError) { return try run.next() } catch { throw .scratch(error) }
  }
}

/// Why merged events are not all given.
package enum MergeError<Failure: Error>: Error {
  /// The scratch files cannot be read.
  case scratch(CairnError)
  /// Whoever takes the events failed.
  case body(Failure)
}

/// Sorted events in a file without a name.
final class SortedRun {
  private let file: OpenFile
  private var buffer: [UInt8] = []
  private var unread = 0
  /// Where in the file the buffer ends.
  private var offset = 0
  private static let bufferByteCount = 1 << 17

  init(scratch: String) throws(CairnError) { file = try OpenFile(scratchIn: scratch) }

  func append(_ row: ArraySlice<UInt8>) throws(CairnError) {
    buffer += row
    if buffer.count >= Self.bufferByteCount { try finishWriting() }
  }

  func finishWriting() throws(CairnError) {
    let bytes = buffer
    buffer = []
    try file.write(bytes.rawSpan)
  }

  /// The next event, nil after the last.
  func next() throws(CairnError) -> SortedEntry? {
    while true {
      if let count = EntryRow.byteCount(buffer, at: unread) {
        defer { unread += count }
        return EntryRow.entry(buffer, at: unread)
      }
      buffer.removeSubrange(..<unread)
      unread = 0
      let start = buffer.count
      buffer.append(contentsOf: repeatElement(0, count: Self.bufferByteCount))
      let count = try file.read(into: &buffer, start..<buffer.count, at: offset)
      buffer.removeSubrange((start + count)...)
      offset += count
      if count == 0 { return nil }
    }
  }
}
