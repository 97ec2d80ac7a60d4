import Files
import Values

/// A zone of the time zone database, read from the system's own files (RFC 8536).
package struct TimeZone: Sendable {
  private struct Change {
    /// Unix seconds.
    var at: Int64
    /// Seconds east of UTC from then on.
    var offset: Int64
  }

  private var changes: [Change]
  private var offsetBefore: Int64
  /// What comes after the last change; nil for nothing.
  private var rule: ZoneRule?

  package static let utc = TimeZone(changes: [], offsetBefore: 0)

  private init(changes: [Change], offsetBefore: Int64) {
    self.changes = changes
    self.offsetBefore = offsetBefore
  }

  /// A zone by its name, such as `Europe/Berlin`; nil where the system knows none of it.
  package init?(named name: String) {
    if name == "UTC" || name == "Z" || name == "Etc/UTC" {
      self = .utc
      return
    }
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x5F: true
      default: false
      }
    }
    guard isName, !name.isEmpty, !name.hasPrefix("/") else { return nil }
    self.init(path: "/usr/share/zoneinfo/\(name)")
  }

  package static func system() -> TimeZone {
    // As the C library, by which times are shown: a zone that it does not know is UTC.
    guard let text = Variables.getEvenEmpty("TZ") else {
      return TimeZone(path: "/etc/localtime") ?? .utc
    }
    return TimeZone(variable: text) ?? .utc
  }

  /// A zone as `$TZ` says it: by its name, its file or a rule of its own, such as `CET-1CEST`.
  package init?(variable text: String) {
    // POSIX puts a colon before the name of a file.
    let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
    let zone = name.hasPrefix("/") ? TimeZone(path: name) : TimeZone(named: name)
    if let zone {
      self = zone
      return
    }
    // Summers without days are those of the United States, as the C library has them.
    guard let rule = ZoneRule(name.utf8) ?? ZoneRule("\(name),M3.2.0,M11.1.0".utf8) else {
      return nil
    }
    self.init(changes: [], offsetBefore: 0)
    self.rule = rule
  }

  private init?(path: String) {
    // Without the file of a zone the caller takes another.
    guard let stream = try? ByteStream(path: path, unpacks: false),
      let bytes = try? stream.whole(most: 1 << 20)
    else { return nil }
    self.init(file: bytes)
  }

  init?(file bytes: [UInt8]) {
    var reader = BinaryReader(bytes)
    guard let first = Header(&reader) else { return nil }
    var width = 4
    var header = first
    if first.version >= 2 {
      guard reader.skip(first.times * 5 + first.types * 6 + first.restByteCount(width: 4)),
        let second = Header(&reader)
      else { return nil }
      header = second
      width = 8
    }
    var times: [Int64] = []
    for _ in 0..<header.times {
      guard let time = width == 8 ? reader.int64(.big) : reader.int32(.big).map(Int64.init) else {
        return nil
      }
      times.append(time)
    }
    guard let kinds = reader.bytes(header.times) else { return nil }
    var offsets: [Int64] = []
    for _ in 0..<header.types {
      guard let offset = reader.int32(.big), reader.skip(2) else { return nil }
      offsets.append(Int64(offset))
    }
    guard let before = offsets.first, kinds.allSatisfy({ Int($0) < offsets.count }),
      zip(times, times.dropFirst()).allSatisfy(<), offsets.allSatisfy({ abs($0) < 200_000 })
    else { return nil }
    changes = zip(times, kinds).map { Change(at: $0, offset: offsets[Int($1)]) }
    offsetBefore = before
    guard width == 8, reader.skip(header.restByteCount(width: 8)), reader.byte() == 0x0A,
      let footer = reader.bytes(reader.left)
    else { return }
    rule = ZoneRule(footer.prefix { $0 != 0x0A })
  }

  /// The counts at the beginning of each half of a file.
  private struct Header {
    var version: UInt8
    var times: Int
    var types: Int
    private var rest: Int

    init?(_ reader: inout BinaryReader) {
      guard reader.bytes(4) == Array("TZif".utf8), let version = reader.byte(), reader.skip(15)
      else { return nil }
      var counts: [Int] = []
      for _ in 0..<6 {
        guard let count = reader.int32(.big), count >= 0, count < 100_000 else { return nil }
        counts.append(Int(count))
      }
      self.version = version == 0 ? 1 : version &- 0x30
      times = counts[3]
      types = counts[4]
      rest = counts[5] + counts[1] + counts[0]
      leaps = counts[2]
    }

    private var leaps: Int

    /// What follows the types: their names, leap seconds and marks.
    func restByteCount(width: Int) -> Int { rest + leaps * (width + 4) }
  }

  /// Seconds east of UTC at a moment in Unix seconds.
  private func offset(at seconds: Int64) -> Int64 {
    if let rule, changes.last.map({ $0.at <= seconds }) ?? true { return rule.offset(at: seconds) }
    let next = changes.indices.partitioningIndex { changes[$0].at > seconds }
    return next == 0 ? offsetBefore : changes[next - 1].offset
  }

  /// The moment at which clocks of the zone showed a time, in microseconds.
  ///
  /// Of a time that clocks showed twice the first; one that they skipped is as much later.
  package func utc(fromLocal microseconds: Int64) -> Int64 {
    guard !changes.isEmpty || offsetBefore != 0 || rule != nil else { return microseconds }
    let seconds = microseconds / 1_000_000
    let early = offset(at: seconds - 86_400)
    let late = offset(at: seconds + 86_400)
    let offset = [early, late].first { self.offset(at: seconds - $0) == $0 } ?? early
    return microseconds - offset * 1_000_000
  }
}
