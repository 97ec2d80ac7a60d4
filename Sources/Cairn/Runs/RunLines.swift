package import Files
import Glibc

/// The file that says how long runs of watchers have become since the log was told.
///
/// A line is the sequence of the run's event and its length in microseconds: it names nothing. The
/// longest of a run's lines counts, so that they may come in any order and twice. A blank one was
/// taken back, or is room for lines to come: one that a crash cut off ends in blanks.
package enum RunLines {
  package static let name = "serve.runs"
  /// What stands where a line was taken back, or may come.
  package static let blank = UInt8(ascii: " ")
  /// The server rewrites its file long before.
  private static let byteCountMax = 64 << 20
  /// Bytes of the blank lines that a file begins with, which count how often lines were changed.
  ///
  /// By them a server knows that another process did so, whichever lines it was. A blank is a 0,
  /// the end of a line a 1; the last byte is always the end of a line.
  package static let frontByteCount = 16

  /// What a whole line of the file is.
  package enum Line: Hashable {
    case blank
    case run(sequence: UInt64, length: Int64)
    case malformed
  }

  /// All bytes of a file; none where there is no file.
  package static func readAll(_ path: String) throws(CairnError) -> [UInt8] {
    try FileBytes.read(path, limit: byteCountMax) ?? []
  }

  /// The bytes of a file's whole lines; none where there is no file.
  package static func read(_ path: String) throws(CairnError) -> [UInt8] {
    let bytes = try readAll(path)
    return bytes.lastIndex(of: UInt8(ascii: "\n")).map { Array(bytes[...$0]) } ?? []
  }

  /// Where the next line of a file goes, and what is to be blank there: what a crash cut off.
  package static func end(of bytes: [UInt8]) -> (next: Int, cut: Range<Int>) {
    let newline = UInt8(ascii: "\n")
    guard let last = bytes.lastIndex(where: { $0 != blank && $0 != newline }) else {
      return (0, 0..<0)
    }
    if last + 1 < bytes.count, bytes[last + 1] == newline { return (last + 2, 0..<0) }
    let start = bytes[...last].lastIndex(of: newline).map { $0 + 1 } ?? 0
    return (start, start..<last + 1)
  }

  /// Visits whole lines with where they stand, without their ends.
  package static func forEach<Failure: Error>(
    in bytes: [UInt8], from start: Int = 0, _ body: (Line, Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    var start = start
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      try body(line(bytes[start..<end]), start..<end)
      start = end + 1
    }
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> Line {
    guard let last = bytes.lastIndex(where: { $0 != blank }) else { return .blank }
    let isCut = last + 1 < bytes.endIndex
    let parts = bytes[...last].split(separator: blank, omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = UInt64(String(decoding: parts[0], as: UTF8.self)),
      let length = Int64(String(decoding: parts[1], as: UTF8.self)), sequence > 0, length >= 0
    else { return isCut ? .blank : .malformed }
    // Of a number that was cut off less is left: the line before it counts.
    return .run(sequence: sequence, length: length)
  }

  /// The length of each run of a file.
  package static func lengths(_ path: String) throws(CairnError) -> [UInt64: Int64] {
    lengths(in: try read(path))
  }

  /// The length of each run of whole lines.
  package static func lengths(in bytes: [UInt8]) -> [UInt64: Int64] {
    var lengths: [UInt64: Int64] = [:]
    forEach(in: bytes) { line, _ in
      guard case .run(let sequence, let length) = line else { return }
      lengths[sequence] = max(lengths[sequence] ?? length, length)
    }
    return lengths
  }

  /// Replaces a file; without runs there is none.
  package static func write(_ lengths: [UInt64: Int64], to path: String) throws(CairnError) {
    guard !lengths.isEmpty else { return try SmallFile.remove(path) }
    try SmallFile.replace(path, with: bytes(of: lengths), isSecret: true)
  }

  private static func bytes(of lengths: [UInt64: Int64]) -> [UInt8] {
    let lines = lengths.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    return front(0) + lines.joined().utf8
  }

  /// Whether a file has lines and does not begin with the count, as of an earlier version.
  package static func isUncounted(_ path: String) throws(CairnError) -> Bool {
    let bytes = try read(path)
    return !bytes.isEmpty && changeCount(in: bytes) == nil
  }

  /// Puts the count at the beginning of a file; where it has lines and no count, only while no
  /// purge ends.
  package static func begin(_ path: String) throws(CairnError) {
    let bytes = try read(path)
    guard changeCount(in: bytes) == nil else { return }
    try SmallFile.replace(path, with: Self.bytes(of: lengths(in: bytes)), isSecret: true)
  }

  /// How often other processes changed lines, up to a number that begins anew.
  package static func changeCount(of file: borrowing OpenFile) throws(CairnError) -> UInt16 {
    var bytes = [UInt8](repeating: blank, count: frontByteCount)
    _ = try file.read(into: &bytes, 0..<frontByteCount, at: 0)
    return changeCount(in: bytes) ?? 0
  }

  /// Nil where bytes do not begin with the count.
  private static func changeCount(in bytes: [UInt8]) -> UInt16? {
    let newline = UInt8(ascii: "\n")
    guard bytes.count >= frontByteCount, bytes[frontByteCount - 1] == newline else { return nil }
    var count: UInt16 = 0
    for byte in bytes.prefix(frontByteCount - 1) {
      guard byte == blank || byte == newline else { return nil }
      count = count << 1 | (byte == newline ? 1 : 0)
    }
    return count
  }

  private static func front(_ count: UInt16) -> [UInt8] {
    let digits = (0..<frontByteCount - 1).reversed().map { place in
      count >> UInt16(place) & 1 == 1 ? UInt8(ascii: "\n") : blank
    }
    return digits + [UInt8(ascii: "\n")]
  }

  /// Writes blanks over the lines of some runs.
  /// - Returns: Whether there is such a file.
  @discardableResult package static func forget(
    _ path: String, where isGone: (UInt64) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    try limit(path, to: { (sequence) throws(CairnError) in try isGone(sequence) ? 0 : .max })
  }

  /// Limits the lines of runs to the lengths that these may have; a line without a length left is
  /// overwritten with blanks.
  ///
  /// Lines change in place, so a server may add others at the end meanwhile. Those are looked at as
  /// well, until nothing is left to change.
  /// - Returns: Whether there is such a file.
  @discardableResult package static func limit(
    _ path: String, to longest: (UInt64) throws(CairnError) -> Int64
  ) throws(CairnError) -> Bool {
    guard try SmallFile.byteCount(path) != nil else { return false }
    let file = try OpenFile(path, O_RDWR)
    // Before the lines are read, too: who adds one meanwhile sees that it may be beyond a cut.
    let isCounted = try countChange(in: file)
    var isChanged = false
    var (start, next) = (0, end(of: try readAll(path)).next)
    while true {
      let bytes = try readAll(path)
      let changes = try changes(in: bytes, from: start, to: longest)
      if changes.isEmpty { break }
      // Lines come at the end: to look at all of them again would take as long as more take to
      // come. Those that came during a look are looked at again.
      (start, next) = (next, end(of: bytes).next)
      for (place, bytes) in changes { try file.write(bytes.rawSpan, at: place) }
      isChanged = true
    }
    guard isCounted || isChanged else { return true }
    // Also where nothing is left to change: who was killed before this counted nothing.
    try countChange(in: file)
    try file.flush()
    return true
  }

  /// Counts a change from what the count is now: the server takes lines back as well.
  /// - Returns: Whether the file has a count.
  @discardableResult private static func countChange(in file: borrowing OpenFile)
    throws(CairnError) -> Bool
  {
    var bytes = [UInt8](repeating: blank, count: frontByteCount)
    _ = try file.read(into: &bytes, 0..<frontByteCount, at: 0)
    guard let count = changeCount(in: bytes) else { return false }
    try file.write(front(count &+ 1).rawSpan, at: 0)
    return true
  }

  /// What to write where, so that no line tells of more than it may.
  private static func changes(
    in bytes: [UInt8], from start: Int, to longest: (UInt64) throws(CairnError) -> Int64
  ) throws(CairnError) -> [(place: Int, bytes: [UInt8])] {
    var changes: [(place: Int, bytes: [UInt8])] = []
    // What was cut off of a line may tell of a run as well.
    let bytes = bytes + [UInt8(ascii: "\n")]
    try forEach(in: bytes, from: start) { (line, range) throws(CairnError) in
      guard case .run(let sequence, let length) = line else { return }
      let most = try longest(sequence)
      if most <= 0 {
        changes.append((range.lowerBound, [UInt8](repeating: blank, count: range.count)))
      } else if length > most {
        changes.append(shortened(bytes[range], to: most))
      }
    }
    return changes
  }

  /// The digits of a smaller length in place of those of a line, and where they stand.
  private static func shortened(_ line: ArraySlice<UInt8>, to length: Int64)
    -> (place: Int, bytes: [UInt8])
  {
    let gap = line.firstIndex(of: blank) ?? line.startIndex
    let old = line[(gap + 1)...].prefix { $0 != blank }
    let digits = Array(String(length).utf8)
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, old.count - digits.count))
    return (old.startIndex, zeros + digits)
  }
}
