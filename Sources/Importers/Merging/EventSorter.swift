import Glibc
package import Values

/// Puts the events of all files of an import in the order of their time, in bounded memory.
///
/// What does not fit is sorted and written to scratch files that have no name, so that nothing of
/// it outlives the process; at the end all are merged. Events of one time stay in the order in
/// which they came.
package final class EventSorter {
  private var rows: [UInt8] = []
  private var places: [(time: Int64, start: Int)] = []
  private var runs: [SortedRun] = []
  private let scratch: String

  /// Memory for what is not written yet.
  private static let rowByteCountMax = 48 << 20

  /// How many events were added.
  package private(set) var count = 0

  package init(scratch: String) { self.scratch = scratch }

  package func add(_ entry: SortedEntry) throws(CairnError) {
    places.append((entry.time, rows.count))
    EntryRow.append(entry, to: &rows)
    count += 1
    if rows.count >= Self.rowByteCountMax { try writeRun() }
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

  /// Gives every event, oldest first.
  package func forEach<Failure>(_ body: (SortedEntry) throws(Failure) -> Void) throws(MergeError<
    Failure
  >) {
    sortPlaces()
    var next = 0
    var heads: [SortedEntry?] = []
    for run in runs { heads.append(try Self.next(of: run, Failure.self)) }
    while true {
      var best: Int?
      for (index, head) in heads.enumerated() {
        guard let head else { continue }
        if let current = best, let least = heads[current], least.time <= head.time { continue }
        best = index
      }
      if next < places.count {
        // What is still in memory came last.
        let least = best.flatMap { heads[$0]?.time }
        if least.map({ places[next].time < $0 }) ?? true {
          if let entry = EntryRow.entry(rows, at: places[next].start) {
            do throws(Failure) { try body(entry) } catch { throw .body(error) }
          }
          next += 1
          continue
        }
      }
      guard let best, let entry = heads[best] else { return }
      let run = runs[best]
      heads[best] = try Self.next(of: run, Failure.self)
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
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var unread = 0
  private static let bufferByteCount = 1 << 18

  init(scratch: String) throws(CairnError) {
    _ = unsafe mkdir(scratch, 0o700)
    var template = Array("\(scratch)/cairn-sort-XXXXXX".utf8CString)
    // SAFETY: the template is NUL-ended, and the call writes only its last six letters.
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else {
      throw .system(.io, "\(scratch): no scratch file can be made there")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe unlink(template)
  }

  deinit { close(descriptor) }

  func append(_ row: ArraySlice<UInt8>) throws(CairnError) {
    buffer += row
    if buffer.count >= Self.bufferByteCount { try flush() }
  }

  func finishWriting() throws(CairnError) {
    try flush()
    lseek(descriptor, 0, SEEK_SET)
  }

  private func flush() throws(CairnError) {
    var done = 0
    while done < buffer.count {
      // SAFETY: writes at most what the buffer holds.
      let count = unsafe buffer.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system(.io, "the scratch folder cannot be written") }
      done += count
    }
    buffer.removeAll(keepingCapacity: true)
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
      let wanted = Self.bufferByteCount
      buffer.append(contentsOf: repeatElement(0, count: wanted))
      // SAFETY: reads at most the bytes that were just appended.
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress.map { unsafe $0 + start }, wanted)
      }
      buffer.removeLast(wanted - max(0, count))
      if count < 0 && errno != EINTR { throw .system(.io, "the scratch folder cannot be read") }
      if count == 0 { return nil }
    }
  }
}
