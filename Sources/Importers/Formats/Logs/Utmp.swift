import Values

/// `wtmp`: who logged in (glibc, bits/utmp.h; little-endian).
enum Utmp: HistoryFormat {
  static let name = "utmp"
  static let summary = "logins (wtmp)"

  /// Bytes of a record.
  ///
  /// Where no program of 32 bits shares the file, as on ARM, its session and its time are twice as
  /// long.
  private static let narrow = 384
  private static let wide = 400

  static func recognises(_ file: InputFile) -> Bool {
    guard let size = recordByteCount(of: file.head) else { return false }
    // Programs and pictures have such numbers further down, and what else begins with one has no
    // names of a line, a user and a host.
    guard let first = types(in: file.head, every: size).first, isType(first) else { return false }
    return [8..<40, 44..<76, 76..<332].allSatisfy { place in
      file.head[first.startIndex...].dropFirst(place.lowerBound).prefix(place.count)
        .prefix { $0 != 0 }.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
  }

  /// The types of the records that are in use, with the two bytes after them.
  private static func types(in head: [UInt8], every size: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, through: head.count - size, by: size).lazy.map { head[$0..<$0 + 4] }
      .filter { $0.contains { $0 != 0 } }
  }

  private static func isType(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first.map { (1...9).contains($0) } ?? false && bytes.dropFirst().allSatisfy { $0 == 0 }
  }

  /// How long the records are, by the first of them; nil where most are none.
  private static func recordByteCount(of head: [UInt8]) -> Int? {
    var best: (size: Int, score: Int)?
    for size in [narrow, wide] {
      let used = types(in: head, every: size)
      let good = used.count(where: isType)
      // One record looks like either; where it ends tells.
      let score = good * 2 + (head.count % size == 0 ? 1 : 0)
      if good > 0, good * 2 >= used.count, score > best?.score ?? 0 { best = (size, score) }
    }
    return best?.size
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard let size = recordByteCount(of: file.head) else {
      throw CairnError(.malformed, "is no wtmp (no records of \(narrow) or \(wide) bytes)")
    }
    let stream = try file.bytes()
    var pending: [UInt8] = []
    var index = 0
    while try stream.next() {
      pending += stream.chunk
      var start = 0
      while pending.count - start >= size {
        let record = Array(pending[start..<start + size])
        try read(record, .record(index), into: events)
        start += size
        index += 1
      }
      pending.removeFirst(start)
    }
    if !pending.isEmpty {
      events.malformed(.record(index), "\(pending.count) bytes left at the end")
    }
  }

  private static func read(_ record: [UInt8], _ place: RecordPlace, into events: Collector)
    throws(CairnError)
  {
    var reader = BinaryReader(record)
    let type = reader.unsigned(2, .little) ?? 0
    guard type == 7 else { return events.skip("type \(Int16(truncatingIfNeeded: type))") }
    _ = reader.skip(6)
    let line = text(reader.bytes(32))
    _ = reader.skip(4)
    let user = text(reader.bytes(32))
    let remote = text(reader.bytes(256))
    let width = record.count == wide ? 8 : 4
    _ = reader.skip(4 + width)
    // Unsigned, to reach 2106.
    let seconds = Int64(clamping: reader.unsigned(width, .little) ?? 0)
    let fraction = Int64(clamping: reader.unsigned(width, .little) ?? 0)
    guard !user.isEmpty else { return events.malformed(place, "no user") }
    guard let second = CivilTime.scaled(seconds, by: 1_000_000), CivilTime.isInRange(second),
      fraction < 1_000_000
    else { return events.malformed(place, "no time") }
    let host = events.options.host
    let time = second + fraction
    var event = ImportedEvent(
      item: OtherItems.item("login", host, user),
      domain: OtherItems.domain("system", host) + ".logins", time: time, title: user,
      identity: Identity(source, host, String(time), user, line), place: place)
    event.actor = user
    event.set("terminal", line)
    event.set("remoteHost", remote)
    try events.add(event)
  }

  private static func text(_ bytes: [UInt8]?) -> String {
    FileItem.text((bytes ?? []).prefix { $0 != 0 })
  }
}
