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
  /// Where lines go.
  private struct Place {
    /// Where the next one goes.
    var next: Int
    /// Where the room for them ends.
    var roomEnd: Int
    /// Whether the file is, or may be, no longer the one that is open.
    var isLost = false
  }

  /// Lines that are to come, and who is told when they are on disk.
  private struct Waiting {
    var lines: [UInt8] = []
    var told: [Outcome] = []
    var isFlushing = false
  }

  /// The file as it is now; another one after it was rewritten.
  fileprivate final class Handle: Sendable {
    let file: OpenFile

    init(_ path: String) throws(CairnError) {
      file = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
    }
  }

  /// The file at a time, to tell later whether lines were cut since.
  struct Mark {
    fileprivate let file: Handle
    /// How often lines had been changed.
    fileprivate var changeCount: UInt16

    fileprivate init(_ file: Handle) throws(CairnError) {
      self.file = file
      changeCount = try RunLines.changeCount(of: file.file)
    }

    /// Whether lines were taken back or cut short since; never where the file was rewritten.
    func wasCut(by now: Mark) -> Bool { now.file === file && now.changeCount != changeCount }
  }

  /// Gets the file as it was once a line was on disk, or why that is not there.
  typealias Outcome = @Sendable (Result<Mark, CairnError>) -> Void

  private let path: String
  /// Held while the file changes.
  private let place: Mutex<Place>
  /// The file when the lengths were taken.
  private let known: Mutex<Mark>
  private let waiting = Mutex(Waiting())
  /// Flushes for those who came while another one did.
  private let flusher = WriterThread(name: "cairn-flush")

  /// A file of more bytes is rewritten with the runs that are open.
  private let byteCountMax: Int
  /// Lines go over blanks that are on disk already: to flush those takes half as long as to flush a
  /// file that grew.
  private static let roomByteCount = 16 << 10

  init(path: String, byteCountMax: Int = 1 << 20) throws(CairnError) {
    self.path = path
    self.byteCountMax = byteCountMax
    let (place, mark) = try Self.open(path)
    self.place = Mutex(place)
    known = Mutex(mark)
  }

  private static func open(_ path: String) throws(CairnError) -> (Place, Mark) {
    try RunLines.begin(path)
    let handle = try Handle(path)
    let bytes = try RunLines.readAll(path)
    let (next, cut) = RunLines.end(of: bytes)
    try handle.file.write(
      [UInt8](repeating: RunLines.blank, count: cut.count).rawSpan, at: cut.lowerBound)
    let place = Place(next: max(next, RunLines.frontByteCount), roomEnd: bytes.count)
    return (place, try Mark(handle))
  }

  // MARK: Lines

  /// Notes how long a run is; on disk when it returns.
  func note(_ sequence: UInt64, length: Int64) throws(CairnError) {
    let outcome = Monitor<Result<Mark, CairnError>?>(nil)
    note(sequence, length: length) { result in outcome.withLock { $0 = result } }
    _ = try outcome.wait { $0 }?.get()
  }

  /// Notes how long a run is, and tells when that is on disk: before it returns, or from the thread
  /// that flushes for several, which must not be held up.
  func note(_ sequence: UInt64, length: Int64, then: @escaping Outcome) {
    let mayFlush = waiting.withLock { waiting in
      waiting.lines += "\(sequence) \(length)\n".utf8
      waiting.told.append(then)
      defer { waiting.isFlushing = true }
      return !waiting.isFlushing
    }
    guard mayFlush else { return }
    let (told, result, hasMore) = flush()
    // Who flushed for itself goes its way: under a load there are always others.
    if hasMore { flusher.submit { [self] in flushForOthers() } }
    for tell in told { tell(result) }
  }

  private func flushForOthers() {
    var hasMore = true
    while hasMore {
      let (told, result, isFollowed) = flush()
      for tell in told { tell(result) }
      hasMore = isFollowed
    }
  }

  /// Brings to the disk what waits: whom to tell of it, and whether more waits since.
  private func flush() -> (told: [Outcome], result: Result<Mark, CairnError>, hasMore: Bool) {
    let (lines, told) = waiting.withLock { waiting in
      defer { (waiting.lines, waiting.told) = ([], []) }
      return (waiting.lines, waiting.told)
    }
    let result = Result { () throws(CairnError) in
      let file = try write(lines)
      try file.file.flushBytes()
      return try Mark(file)
    }
    let hasMore = waiting.withLock { waiting in
      waiting.isFlushing = !waiting.told.isEmpty
      return waiting.isFlushing
    }
    return (told, result, hasMore)
  }

  private func write(_ lines: [UInt8]) throws(CairnError) -> Handle {
    try place.withLock { (place) throws(CairnError) in
      if place.isLost { try reopen(&place) }
      let file = known.withLock { $0.file }
      let end = place.next + lines.count
      if end > place.roomEnd {
        var room = [UInt8](repeating: RunLines.blank, count: lines.count + Self.roomByteCount)
        room.append(UInt8(ascii: "\n"))
        try file.file.write(room.rawSpan, at: place.next)
        place.roomEnd = place.next + room.count
      }
      try file.file.write(lines.rawSpan, at: place.next)
      place.next = end
      return file
    }
  }

  /// Whether the file is to be rewritten.
  var isLarge: Bool { place.withLock { $0.next > byteCountMax } }

  // MARK: Cuts

  func mark() throws(CairnError) -> Mark { try Mark(known.withLock { $0.file }) }

  /// Whether lines were changed since the lengths were taken: another process cut runs short.
  func wasCut(by now: Mark) -> Bool { known.withLock { $0.changeCount != now.changeCount } }

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
    let now = try mark()
    // Another file has its own count.
    known.withLock { known in if known.file === now.file { known = now } }
    return try lengths()
  }

  /// Rewrites the file without what the log is known to know, by the lengths that it has, nil for
  /// an event that is not there; to be called while no purge ends.
  func compact(_ logged: [UInt64: Int64?]) throws(CairnError) {
    try place.withLock { (place) throws(CairnError) in
      let kept = try RunLines.lengths(path).filter { sequence, length in
        // Of what came meanwhile nothing is known.
        guard let known = logged[sequence] else { return true }
        return known.map { $0 < length } ?? false
      }
      // Lines that came to one that is no longer there would be lost.
      place.isLost = true
      try RunLines.write(kept, to: path)
      try reopen(&place)
    }
  }

  private func reopen(_ place: inout Place) throws(CairnError) {
    let (fresh, mark) = try Self.open(path)
    place = fresh
    known.withLock { known in
      known = mark
      // What was cut before it could be opened is looked for.
      known.changeCount &-= 1
    }
  }

  /// Limits the lines of a run to a length.
  func limit(_ run: UInt64, to length: Int64) throws(CairnError) {
    try place.withLock { (_) throws(CairnError) in
      _ = try RunLines.limit(path) { $0 == run ? length : .max }
    }
  }

  /// Takes the lines of some runs back.
  func forget(where isGone: (UInt64) -> Bool) throws(CairnError) {
    try place.withLock { (_) throws(CairnError) in
      _ = try RunLines.forget(path, where: isGone)
    }
  }
}
