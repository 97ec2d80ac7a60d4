import Cairn
import Files
import Glibc
import LMDB
import Synchronization

/// How long runs have become since the log was told: a file of lines, each on disk before it is
/// answered.
///
/// The form is that of `RunLines`. A run that the log knows to be as long makes its lines void.
/// Lines of several watchers share a flush of the disk.
final class RunJournal: Sendable {
  private struct Lines {
    var written: UInt64 = 0
    var file: Handle
    /// Where the next line goes.
    var byteCount: Int
    /// Where the room for lines ends.
    var roomEnd: Int
    /// How often other processes had changed lines when the lengths were taken.
    var changeCount: UInt16
  }

  /// What of the lines is on disk, and who waits for that.
  private struct Flushes {
    var flushed: UInt64 = 0
    var isFlushing = false
    /// Those whose lines are not on disk, by the line: each is woken by itself, once.
    var waiting: [(number: UInt64, wake: LMDB.Semaphore)] = []

    /// Those whose lines are on disk, and one of the others to flush for the rest.
    mutating func takeWoken() -> [LMDB.Semaphore] {
      let flushed = flushed
      let done = waiting.filter { $0.number <= flushed }
      waiting.removeAll { $0.number <= flushed }
      let next = isFlushing || waiting.isEmpty ? nil : waiting.removeFirst()
      return (done + (next.map { [$0] } ?? [])).map(\.wake)
    }
  }

  private enum Step {
    case isOnDisk
    case mayFlush
    case after(LMDB.Semaphore)
  }

  /// The file as it is now; another one after it was rewritten.
  fileprivate final class Handle: Sendable {
    let file: OpenFile

    init(_ path: String) throws(CairnError) {
      file = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
    }
  }

  private let path: String
  private let lines: Mutex<Lines>
  private let flushes = Mutex(Flushes())

  /// A file of more bytes is rewritten with the runs that are open.
  private let byteCountMax: Int
  /// Lines go over blanks that are on disk already: to flush those takes half as long as to flush a
  /// file that grew.
  private static let roomByteCount = 16 << 10

  init(path: String, byteCountMax: Int = 1 << 20) throws(CairnError) {
    self.path = path
    self.byteCountMax = byteCountMax
    lines = Mutex(try Self.open(path))
  }

  private static func open(_ path: String) throws(CairnError) -> Lines {
    try RunLines.begin(path)
    let handle = try Handle(path)
    let bytes = try RunLines.readAll(path)
    let (next, cut) = RunLines.end(of: bytes)
    try handle.file.write(
      [UInt8](repeating: RunLines.blank, count: cut.count).rawSpan, at: cut.lowerBound)
    return Lines(
      file: handle, byteCount: max(next, RunLines.frontByteCount), roomEnd: bytes.count,
      changeCount: try RunLines.changeCount(of: handle.file))
  }

  /// Notes how long a run is; on disk when it returns.
  /// - Returns: Whether the file is to be rewritten.
  @discardableResult func note(_ sequence: UInt64, length: Int64) throws(CairnError) -> Bool {
    let line = Array("\(sequence) \(length)\n".utf8)
    let (number, isLarge) = try lines.withLock { (lines) throws(CairnError) -> (UInt64, Bool) in
      let end = lines.byteCount + line.count
      if end > lines.roomEnd {
        var room = [UInt8](repeating: RunLines.blank, count: Self.roomByteCount)
        room.append(UInt8(ascii: "\n"))
        try lines.file.file.write(room.rawSpan, at: lines.byteCount)
        lines.roomEnd = lines.byteCount + room.count
      }
      try lines.file.file.write(line.rawSpan, at: lines.byteCount)
      lines.written += 1
      lines.byteCount = end
      return (lines.written, end > byteCountMax)
    }
    try flush(through: number)
    return isLarge
  }

  /// Waits until a line is on disk: one of those who wait flushes for all.
  private func flush(through number: UInt64) throws(CairnError) {
    while true {
      let step = flushes.withLock { flushes -> Step in
        if flushes.flushed >= number { return .isOnDisk }
        guard flushes.isFlushing else {
          flushes.isFlushing = true
          return .mayFlush
        }
        let wake = LMDB.Semaphore()
        flushes.waiting.append((number, wake))
        return .after(wake)
      }
      switch step {
      case .isOnDisk: return
      case .mayFlush: return try flush()
      case .after(let wake): wake.wait()
      }
    }
  }

  private func flush() throws(CairnError) {
    let (target, handle) = lines.withLock { ($0.written, $0.file) }
    let outcome = Result { () throws(CairnError) in try handle.file.flushBytes() }
    let woken = flushes.withLock { flushes in
      flushes.isFlushing = false
      if case .success = outcome { flushes.flushed = max(flushes.flushed, target) }
      return flushes.takeWoken()
    }
    for wake in woken { wake.signal() }
    try outcome.get()
  }

  /// The file as it is, to tell later whether lines were cut since.
  struct Mark {
    fileprivate let file: Handle
    fileprivate let changeCount: UInt16
  }

  func mark() throws(CairnError) -> Mark {
    let handle = lines.withLock { $0.file }
    return Mark(file: handle, changeCount: try RunLines.changeCount(of: handle.file))
  }

  /// Whether lines were taken back or cut short since a mark; never where the file was rewritten.
  func wasCut(since mark: Mark) throws(CairnError) -> Bool {
    let now = try self.mark()
    return now.file === mark.file && now.changeCount != mark.changeCount
  }

  /// Whether lines were changed since the lengths were taken: another process cut runs short.
  var wasCut: Bool {
    get throws(CairnError) {
      let (handle, known) = lines.withLock { ($0.file, $0.changeCount) }
      return try RunLines.changeCount(of: handle.file) != known
    }
  }

  /// The longest that lines tell of a run, without those that tell of more than a length.
  func longest(of sequence: UInt64, upTo length: Int64) throws(CairnError) -> Int64 {
    var longest: Int64 = 0
    RunLines.forEach(in: try RunLines.read(path)) { (line, _) in
      guard case .run(sequence, let told) = line, told <= length else { return }
      longest = max(longest, told)
    }
    return longest
  }

  /// The length of each run that the file tells of now.
  func lengths() throws(CairnError) -> [UInt64: Int64] { try RunLines.lengths(path) }

  /// The same, with every change so far.
  func takeLengths() throws(CairnError) -> [UInt64: Int64] {
    try lines.withLock { (lines) throws(CairnError) in
      lines.changeCount = try RunLines.changeCount(of: lines.file.file)
    }
    return try lengths()
  }

  /// Rewrites the file without what the log is known to know, by the lengths that it has, nil for
  /// an event that is not there; to be called while no purge ends.
  func compact(_ logged: [UInt64: Int64?]) throws(CairnError) {
    try lines.withLock { (lines) throws(CairnError) in
      let kept = try RunLines.lengths(path).filter { sequence, length in
        // Of what came meanwhile nothing is known.
        guard let known = logged[sequence] else { return true }
        return known.map { $0 < length } ?? false
      }
      try RunLines.write(kept, to: path)
      let written = lines.written
      lines = try Self.open(path)
      lines.written = written
      let woken = flushes.withLock { flushes in
        flushes.flushed = written
        return flushes.takeWoken()
      }
      for wake in woken { wake.signal() }
    }
  }

  /// Has the lines of a run tell of no more than a length.
  func limit(_ run: UInt64, to length: Int64) throws(CairnError) {
    try lines.withLock { (_) throws(CairnError) in
      _ = try RunLines.limit(path) { $0 == run ? length : .max }
    }
  }

  /// Takes the lines of some runs back.
  func forget(where isGone: (UInt64) -> Bool) throws(CairnError) {
    try lines.withLock { (_) throws(CairnError) in
      _ = try RunLines.forget(path, where: isGone)
    }
  }
}
